import { globSync } from 'node:fs';
import { join } from 'node:path';

import { isRecord } from '../../../nodes/LegalAi/api/json.ts';

const FOLDER = join(import.meta.dirname, '../../../nodes/LegalAi/messages');

/** A text of the catalog; one that stands alone, e.g. a hint, has no description. */
export interface Entry {
	catalog: string;
	name: string;
	message: string;
	description: string;
}

/** Every text that the sources' catalog has, in its order. */
export const catalog: Entry[] = (
	await Promise.all(
		globSync('*.ts', { cwd: FOLDER, exclude: ['index.ts'] })
			.sort()
			.map(entriesOfFile),
	)
).flat();

async function entriesOfFile(file: string): Promise<Entry[]> {
	const exported: unknown = await import(join(FOLDER, file));
	if (!isRecord(exported)) throw new Error(`${file} exports nothing`);
	return Object.entries(exported).flatMap(([name, texts]) =>
		isRecord(texts) ? entriesOf(name, texts) : [],
	);
}

function entriesOf(name: string, texts: Record<string, unknown>): Entry[] {
	return Object.entries(texts).flatMap(([entry, text]) => {
		const { message, description = '', one, several } = isRecord(text) ? text : { message: text };
		return (message === undefined ? [one, several] : [message]).map((each) => {
			if (typeof each !== 'string' || typeof description !== 'string')
				throw new Error(`${name}.${entry} is no text`);
			return { catalog: name, name: entry, message: each, description };
		});
	});
}

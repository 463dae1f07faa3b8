import { readFile } from 'node:fs/promises';
import { cpus, release, totalmem, type } from 'node:os';
import { join } from 'node:path';

import { projectFolder } from '../../test/support/n8n/installedPackage.mts';
import { asRecord, asText } from '../../test/support/unknownJson.mts';

/** What the figures were measured on. */
export interface Machine {
	readonly processors: string;
	readonly memory: string;
	readonly system: string;
	readonly node: string;
	readonly n8n: string;
}

export async function machine(): Promise<Machine> {
	const manifest = await readFile(join(projectFolder, 'test', 'n8n', 'node_modules', 'n8n', 'package.json'), 'utf8');
	const [first] = cpus();
	return {
		processors: `${cpus().length} × ${first?.model.trim() ?? 'unknown'}`,
		memory: `${Math.round(totalmem() / 1024 ** 3)} GB`,
		system: `${type()} ${release().split('.').slice(0, 2).join('.')}`,
		node: process.version,
		n8n: asText(asRecord(JSON.parse(manifest), 'The manifest of n8n').version, 'The version of n8n'),
	};
}

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { INodeExecutionData } from 'n8n-workflow';

import { projectFolder } from '../../../harness/installedPackage.mts';
import { joinFiles } from '../../../nodes/LegalAiEmail/email.ts';
import type { FileStore } from '../../../nodes/LegalAiEmail/files.ts';
import { prepareEmail } from '../../../nodes/LegalAiEmail/prepareEmail.ts';

const folder = join(projectFolder, 'test', 'unit', 'email', 'emails');

/** Raw emails by name, as mail servers store them. */
export const emails = new Map(
	readdirSync(folder).map((file) => [file.replace('.eml', ''), readFileSync(join(folder, file))]),
);

type Settings = Parameters<typeof prepareEmail>[1];

/** Prepares items in the mailbox of a legal team, as the node does. */
export async function prepare(items: INodeExecutionData[], given: Partial<Settings> = {}) {
	const settings = {
		...{ ourAddresses: 'legal@example.com', emailsFromOthers: 'question' },
		...given,
	};
	const store: FileStore = {
		getBinaryDataBuffer: async (_, file) => {
			const { data = '' } = typeof file === 'string' ? {} : file;
			return await Promise.resolve(Buffer.from(data, 'base64'));
		},
		prepareBinaryData: async (data, fileName, mimeType = '') =>
			await Promise.resolve({
				data: Buffer.isBuffer(data) ? data.toString() : '',
				mimeType,
				fileName,
			}),
	};
	const prepared: INodeExecutionData[] = [];
	for (const email of joinFiles(items))
		prepared.push((await prepareEmail(email, settings, store)).item);
	return prepared;
}

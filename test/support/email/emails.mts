import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { INodeExecutionData } from 'n8n-workflow';

import { projectFolder } from '../../../harness/installedPackage.mts';
import { prepareEmails, type PreparedEmail } from '../../../nodes/LegalAi/email/prepareEmail.ts';

const folder = join(projectFolder, 'test', 'unit', 'email', 'emails');

/** Raw emails by name, as mail servers store them. */
export const emails = new Map(
	readdirSync(folder).map((file) => [file.replace('.eml', ''), readFileSync(join(folder, file))]),
);

/** What the node makes of items in the mailbox of a legal team. */
export async function prepare(items: INodeExecutionData[]): Promise<PreparedEmail[]> {
	return await prepareEmails(
		items,
		{ ourAddresses: ['legal@example.com'], colleagues: [] },
		{
			read: async (index, field) =>
				await Promise.resolve(Buffer.from(items[index]?.binary?.[field]?.data ?? '', 'base64')),
			storeText: async (text, fileName) =>
				await Promise.resolve({
					data: Buffer.from(text).toString('base64'),
					mimeType: 'text/plain',
					fileName,
				}),
		},
	);
}

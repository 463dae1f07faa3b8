import { createHash } from 'node:crypto';

import type { INodeParameters } from 'n8n-workflow';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';

import type { Sandbox } from '../../sandbox/sandbox.mts';
import { bundledContract } from '../../../harness/examples.mts';
import type { N8nClient, StoredCredential } from '../../../harness/n8nClient.mts';
import { MailServer } from '../mailServer.mts';
import { mimeMessage } from '../mimeMessage.mts';
import { openService } from '../service.mts';
import { connectToSharedN8n } from '../sharedN8n.mts';
import { chain, legalAi, node } from '../../../harness/workflows.mts';

interface Attached {
	readonly fileName: string;
	/** What it has to be uploaded as. */
	readonly contentType: string;
	readonly content: Buffer;
}

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

let n8n: N8nClient;
let sandbox: Sandbox;
let mail: MailServer;
let credential: StoredCredential;
beforeAll(async () => {
	n8n = connectToSharedN8n(inject('n8n'));
	mail = await MailServer.start();
	({ sandbox, credential } = await openService(n8n));
});
afterAll(async () => {
	await mail.close();
	await sandbox.close();
});

/** An e-mail as mail servers pass it on: every file is just octets to it. */
function email(subject: string, files: readonly Attached[]): string {
	const attached = files.map(({ fileName, content }) => ({ type: 'application/octet-stream', fileName, content }));
	return mimeMessage(subject, [{ type: 'text/plain; charset=utf-8', content: 'May we sign these?' }, ...attached]);
}

// Side by side: n8n's trigger looks for new mail 15 s after it connected.
test.concurrent.each<[string, INodeParameters]>([
	['simple', { format: 'simple', downloadAttachments: true }],
	['resolved', { format: 'resolved' }],
])('an e-mail with three files becomes a question with three attachments (format %s)', async (user, parameters) => {
	const [pdf, docx] = await Promise.all([bundledContract('mutual-nda.pdf'), bundledContract('services-agreement.docx')]);
	const files: Attached[] = [
		{ ...pdf, fileName: 'Geheimhaltung & "NDA" für 契約.pdf' },
		docx,
		{ fileName: 'Signature page.PNG', contentType: 'image/png', content: Buffer.from(PIXEL, 'base64') },
	];
	const imap = await n8n.createCredential('imap', `Mailbox of ${user}`, { ...mail.credentialOf(user) });
	const workflow = await n8n.publish(
		chain(`E-mail, ${user}`, [
			node('E-mail', 'n8n-nodes-base.emailReadImap', parameters, {
				typeVersion: 2.1,
				credentials: { imap: { id: imap.id, name: imap.name } },
			}),
			legalAi('Ask', credential, {
				resource: 'question',
				operation: 'ask',
				question: '={{ $json.subject }}',
				attachments: { attachment: [{ source: 'allBinary' }] },
			}),
		]),
	);
	try {
		await mail.deliver(user, email(`Contracts for ${user}`, files));

		const question = await sandbox.waitForQuestion(({ text }) => text === `Contracts for ${user}`, 60_000);
		expect(question.attachments).toMatchObject(
			files.map(({ fileName, contentType, content }) => ({
				fileName,
				contentType,
				contentLength: content.length,
				sha256: createHash('sha256').update(content).digest('hex'),
			})),
		);
	} finally {
		await n8n.deactivate(workflow);
	}
});

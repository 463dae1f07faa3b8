import type { AddressInfo, Server } from 'node:net';

import { readItems } from '../../../harness/executions.mts';
import { until } from '../../../harness/polling.mts';
import { chain, node } from '../../../harness/workflows.mts';
import { emails } from '../../support/email/emails.mts';
import { test } from '../../support/n8n/fixtures.mts';
import { requireForStores } from '../../support/stores/clients.mts';

const startServer = requireForStores('hoodiecrow-imap') as (settings: object) => {
	server: Server;
	listen: (port: number, ready: () => void) => void;
	appendMessage: (mailbox: string, flags: string[], date: Date, message: string) => void;
	close: (closed: () => void) => void;
};

test('emails of a mail server come out where they belong, in a real n8n', async ({ n8n }) => {
	const mailServer = startServer({ plugins: ['IDLE'], storage: { INBOX: {} } });
	await new Promise<void>((ready) => {
		mailServer.listen(0, ready);
	});
	const imap = await n8n.createCredential('imap', 'Mailbox', {
		...{ user: 'testuser', password: 'testpass', secure: false },
		...{ host: '127.0.0.1', port: (mailServer.server.address() as AddressInfo).port },
	});
	const trigger = node(
		'Emails',
		'n8n-nodes-base.emailReadImap',
		{ format: 'resolved', postProcessAction: 'nothing', options: {} },
		{ typeVersion: 2, credentials: { imap } },
	);
	const email = node(
		'Legal AI Email',
		'n8n-nodes-legal-ai.legalAiEmail',
		{ ourAddresses: 'legal@example.com' },
		{ typeVersion: 1 },
	);
	const workflow = await n8n.publish(chain('Emails', [trigger, email]));
	const names = ['gmail-question', 'apple-mail-inline-pdf', 'encrypted-pdf', 'bounce-postfix'];
	for (const name of names) {
		const message = String(emails.get(name)).replaceAll(/\r?\n/g, '\r\n');
		mailServer.appendMessage('INBOX', [], new Date(), message);
	}
	const outputs = await until('all emails', async () => {
		const stored = await n8n.executions(workflow.id);
		const ended = await Promise.all(stored.map(({ id }) => n8n.waitForExecution(id)));
		const found = [0, 1, 2].map((output) =>
			ended.flatMap((execution) => readItems(execution, 'Legal AI Email', output)),
		);
		return found.flat().length < names.length ? undefined : found;
	});
	await n8n.deactivate(workflow);
	mailServer.close(() => undefined);
	expect(
		outputs.map((items) => items.map(({ json }) => [json.subject, json.attached]).sort()),
	).toEqual([
		[
			['Lease', ['Lease.pdf']],
			['NDA with Meridian', ['Mutual NDA.pdf']],
		],
		[['NDA', []]],
		[['Undelivered Mail Returned to Sender', []]],
	]);
});

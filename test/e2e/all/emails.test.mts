import type { AddressInfo, Server } from 'node:net';

import { itemsOf } from '../../../harness/executions.mts';
import { until } from '../../../harness/polling.mts';
import { chain, node } from '../../../harness/workflows.mts';
import { emails } from '../../support/email/emails.mts';
import { sharedN8n } from '../../support/n8n/service.mts';
import { requireForStores } from '../../support/stores/clients.mts';
import expected from '../../unit/email/expected.json' with { type: 'json' };

const startServer = requireForStores('hoodiecrow-imap') as (settings: object) => {
	server: Server;
	listen: (port: number, ready: () => void) => void;
	appendMessage: (mailbox: string, flags: string[], date: Date, message: string) => void;
	close: (closed: () => void) => void;
};
const names = [
	'gmail-question',
	'apple-mail-inline-pdf',
	'encrypted-pdf',
	'html-beside-a-plain-part',
];

test('emails of a mail server come out where they belong, in a real n8n', async () => {
	const messages = [...names, 'bounce-postfix'].map(
		(name) => emails.get(name)?.toString('latin1').replaceAll(/\r?\n/g, '\r\n') ?? '',
	);
	const mailServer = startServer({ plugins: ['IDLE'], storage: { INBOX: {} } });
	await new Promise<void>((ready) => {
		mailServer.listen(0, ready);
	});
	const { port } = mailServer.server.address() as AddressInfo;
	const n8n = sharedN8n();
	const account = {
		user: 'testuser',
		password: 'testpass',
		host: '127.0.0.1',
		port,
		secure: false,
	};
	const imap = await n8n.createCredential('imap', 'Mailbox', account);
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
	for (const message of messages) mailServer.appendMessage('INBOX', [], new Date(), message);
	const outputs = await until('all emails', async () => {
		const stored = await n8n.executions(workflow.id);
		const ended = await Promise.all(stored.map(async ({ id }) => await n8n.waitForExecution(id)));
		const found = [0, 1, 2].map((output) =>
			ended.flatMap((execution) => itemsOf(execution, 'Legal AI Email', output)),
		);
		return found.flat().length < messages.length ? undefined : found;
	});
	await n8n.deactivate(workflow);
	mailServer.close(() => undefined);
	const attachedTo = new Map(
		outputs.flat().map(({ json }) => [json.message_id, [json.kind, json.attached]]),
	);
	for (const name of names as (keyof typeof expected)[])
		expect(attachedTo.get(`<${name}@mail.example>`)).toEqual([
			expected[name].kind,
			expected[name].attached,
		]);
	expect(outputs.map((items) => items.length)).toEqual([3, 1, 1]);
});

import type { AddressInfo, Server } from 'node:net';

import type { INodeExecutionData } from 'n8n-workflow';
import { expect, test } from 'vitest';

import { requireAsN8n } from '../../../harness/versions.mts';
import { emails, prepare } from '../../support/email/emails.mts';
import { fromImap } from '../../support/email/programs.mts';
import { requireForStores } from '../../support/stores/clients.mts';
import expected from '../../unit/email/expected.json' with { type: 'json' };

const startServer = requireForStores('hoodiecrow-imap') as (settings: object) => {
	server: Server;
	listen: (port: number, ready: () => void) => void;
	close: (closed: () => void) => void;
};
const { ImapSimple } = requireAsN8n('@n8n/imap') as {
	ImapSimple: { connect: (server: object, mailbox: object) => Promise<{ end: () => void }> };
};

/** What n8n's Email Trigger (IMAP) makes of a mailbox with all the emails, on a real server. */
async function receive(format: 'resolved' | 'simple'): Promise<INodeExecutionData[]> {
	const messages = [...emails.values()].map((email) => ({
		raw: email.toString('latin1').replaceAll(/\r?\n/g, '\r\n'),
	}));
	const mailServer = startServer({ storage: { INBOX: { messages } } });
	await new Promise<void>((ready) => {
		mailServer.listen(0, ready);
	});
	const { port } = mailServer.server.address() as AddressInfo;
	const account = { user: 'testuser', password: 'testpass', host: '127.0.0.1', port, tls: false };
	const connection = await ImapSimple.connect(account, { mailbox: 'INBOX' });
	const items = await fromImap(connection, format);
	connection.end();
	await new Promise<void>((closed) => {
		mailServer.close(closed);
	});
	return items;
}

/** What becomes of each email, by its name. */
async function received(format: 'resolved' | 'simple') {
	const prepared = await prepare(await receive(format));
	return Object.fromEntries(
		[...emails.keys()].map((name, index) => {
			const { kind, attached, unread } = prepared[index]?.item.json ?? {};
			return [name, { kind, attached, unread }];
		}),
	);
}

test('emails from a mail server, format Resolved, are what the table says', async () => {
	const table = Object.entries(expected).map(([name, { kind, attached, unread }]) => [
		name,
		{ kind, attached, unread },
	]);
	expect(await received('resolved')).toEqual(Object.fromEntries(table));
});

test('emails from a mail server, format Simple, which leaves out some files, are not passed over', async () => {
	const needsAnswer = (kind: unknown): boolean => /question|unreadable/.test(String(kind));
	const made = await received('simple');
	const passedOver = Object.entries(expected).filter(
		([name, { kind }]) => needsAnswer(kind) && !needsAnswer(made[name]?.kind),
	);
	expect(passedOver).toEqual([]);
	expect(made['apple-mail-inline-pdf']?.kind).toBe('unreadable');
	expect(made['encrypted-with-pgp']?.kind).toBe('unreadable');
});

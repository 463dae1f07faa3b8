import type { AddressInfo, Server } from 'node:net';

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

/** What n8n's Email Trigger (IMAP), format Simple, makes of a mailbox with all the emails, on a real server. */
async function receive() {
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
	const items = await fromImap(connection, 'simple');
	connection.end();
	await new Promise<void>((closed) => {
		mailServer.close(closed);
	});
	return items;
}

test('emails from a mail server, format Simple, which leaves out some files, are not passed over', async () => {
	const prepared = await prepare(await receive());
	const names = [...emails.keys()];
	const made = new Map(names.map((name, index) => [name, prepared[index]?.item.json.kind]));
	const needsAnswer = (kind: unknown) => /question|unreadable/.test(String(kind));
	const passedOver = Object.entries(expected).filter(
		([name, { kind }]) => needsAnswer(kind) && !needsAnswer(made.get(name)),
	);
	expect(passedOver).toEqual([]);
	expect(made.get('apple-mail-inline-pdf')).toBe('unreadable');
	expect(made.get('encrypted-with-pgp')).toBe('unreadable');
});

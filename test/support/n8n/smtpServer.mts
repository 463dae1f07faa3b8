import { createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';

import { listenLocally } from '../../../harness/localServer.mts';
import { requireAsN8n } from '../../../harness/versions.mts';

/** Addresses of an email: as a text, and each. */
export interface Addresses {
	text: string;
	value: readonly { address?: string; name: string }[];
}

/** An email, decoded. */
interface Email {
	subject?: string;
	text?: string;
	html?: string | false;
	messageId?: string;
	date?: Date;
	from?: Addresses;
	to?: Addresses;
	cc?: Addresses;
	replyTo?: Addresses;
	headerLines: readonly { key: string; line: string }[];
	attachments: readonly {
		filename?: string;
		contentType: string;
		cid?: string;
		content: Buffer;
	}[];
}

/** The library that n8n's own email nodes read messages with. */
export const { simpleParser } = requireAsN8n('mailparser') as {
	simpleParser: (source: string | Buffer, options?: object) => Promise<Email>;
};

/** An SMTP server. */
export type SmtpServer = Awaited<ReturnType<typeof startSmtpServer>>;

/** Starts an SMTP server (RFC 5321, as far as a client needs it). It keeps what is sent through it. */
export async function startSmtpServer() {
	const emails: Email[] = [];
	/** The clients that it takes nothing from, by their names. */
	const refused = new Set<string>();
	const serve = async (socket: Socket) => {
		const reply = (line: string): void => void socket.write(`${line}\r\n`);
		let message: string[] | undefined;
		reply('220 localhost');
		for await (const line of createInterface({ input: socket, crlfDelay: Infinity })) {
			if (message !== undefined && line !== '.') {
				message.push(line.replace(/^\./, ''));
			} else if (message !== undefined) {
				emails.push(await simpleParser(message.join('\r\n')));
				message = undefined;
				reply('250 Kept');
			} else if (/^DATA/i.test(line)) {
				message = [];
				reply('354 Go ahead');
			} else if (refused.has(/^(?:EHLO|HELO) (.+)/i.exec(line)?.[1] ?? '')) {
				reply('550 You have no access');
			} else if (/^QUIT/i.test(line)) {
				reply('221 Bye');
				socket.end();
			} else {
				reply('250 localhost');
			}
		}
	};
	const server = createServer((socket) => void serve(socket));
	const port = await listenLocally(server);
	return {
		emails,
		refused,
		/** What the SMTP credential of a client holds. */
		credential: (hostName: string) => ({
			hostName,
			user: '',
			password: '',
			host: '127.0.0.1',
			port,
			secure: false,
			disableStartTls: true,
		}),
		close: () => {
			server.close();
		},
	};
}

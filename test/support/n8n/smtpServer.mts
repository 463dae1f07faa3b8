import { createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';

import { listenLocally } from '../../../harness/localServer.mts';
import { requireAsN8n } from '../../../harness/versions.mts';

/** An email that was sent, decoded. */
export interface Email {
	to: { text: string };
	cc?: { text: string };
	subject: string;
	text?: string;
	html: string | false;
	attachments: readonly { filename: string; content: Buffer }[];
}

// The library that n8n's own email nodes read messages with.
export const { simpleParser } = requireAsN8n('mailparser') as {
	simpleParser: (source: string) => Promise<Email>;
};

/** An SMTP server (RFC 5321, as far as a client needs it) that keeps what is sent through it. */
export class SmtpServer {
	emails: Email[] = [];
	/** The clients that it takes nothing from, by their names. */
	refused = new Set<string>();
	readonly #server = createServer((socket) => void this.#serve(socket));
	#port = 0;

	/** Starts it for the tests of a file. */
	static async ofThisFile() {
		const smtp = new SmtpServer();
		smtp.#port = await listenLocally(smtp.#server);
		afterAll(() => {
			smtp.#server.close();
		});
		return smtp;
	}

	/** What the SMTP credential of a client holds. */
	credential(hostName: string): Record<string, unknown> {
		return {
			hostName,
			user: '',
			password: '',
			host: '127.0.0.1',
			port: this.#port,
			secure: false,
			disableStartTls: true,
		};
	}

	async #serve(socket: Socket) {
		const reply = (line: string): void => void socket.write(`${line}\r\n`);
		let message: string[] | undefined;
		reply('220 localhost');
		for await (const line of createInterface({ input: socket, crlfDelay: Infinity })) {
			if (message !== undefined && line !== '.') {
				message.push(line.replace(/^\./, ''));
			} else if (message !== undefined) {
				this.emails.push(await simpleParser(message.join('\r\n')));
				message = undefined;
				reply('250 Kept');
			} else if (/^DATA/i.test(line)) {
				message = [];
				reply('354 Go ahead');
			} else if (this.refused.has(/^(?:EHLO|HELO) (.+)/i.exec(line)?.[1] ?? '')) {
				reply('550 You have no access');
			} else if (/^QUIT/i.test(line)) {
				reply('221 Bye');
				socket.end();
			} else {
				reply('250 localhost');
			}
		}
	}
}

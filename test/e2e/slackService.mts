import { createHmac, randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { TLSSocket } from 'node:tls';

import { fastify, type FastifyInstance } from 'fastify';

import { listenLocally } from '../support/localServer.mts';
import { certificate, privateKey } from '../support/selfSigned.mts';
import type { Environment } from '../support/n8n/n8nProcess.mts';
import { asRecord, type JsonRecord } from '../support/unknownJson.mts';

const signingSecret = 'slack-signing-secret';

/**
 * As much of Slack as n8n's Slack nodes call in the example. Their address is fixed, so n8n reaches this through a
 * proxy that answers for every host.
 */
export class SlackService {
	/** The calls of its API, in order. */
	readonly calls: { readonly method: string; readonly body: JsonRecord }[] = [];
	readonly #app: FastifyInstance = fastify({ forceCloseConnections: true });
	readonly #proxy: Server = createServer();
	#port = 0;

	static async start(): Promise<SlackService> {
		const slack = new SlackService();
		slack.#app.post<{ Params: { method: string } }>('/api/:method', ({ params: { method }, body }) => {
			slack.calls.push({ method, body: asRecord(body, 'The body of a call') });
			return { ok: true, ts: '2.0', channel: 'C1', message: {} };
		});
		await slack.#app.ready();
		slack.#proxy.on('connect', (_request, socket) => {
			socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
			slack.#app.server.emit('connection', new TLSSocket(socket as TLSSocket, { isServer: true, key: privateKey, cert: certificate }));
		});
		slack.#port = await listenLocally(slack.#proxy);
		return slack;
	}

	/** What n8n has to be started with to take this for Slack. */
	get environment(): Environment {
		return {
			HTTPS_PROXY: `http://127.0.0.1:${this.#port}`,
			NO_PROXY: 'localhost,127.0.0.1',
			NODE_TLS_REJECT_UNAUTHORIZED: '0',
		};
	}

	/** What n8n's Slack credential holds. */
	get credential(): Readonly<Record<string, unknown>> {
		return { accessToken: 'xoxb-token', signatureSecret: signingSecret };
	}

	/** Reports an event to an address, signed as Slack signs. */
	async report(url: string, event: JsonRecord): Promise<number> {
		const body = JSON.stringify({ type: 'event_callback', event_id: randomUUID(), event });
		const time = String(Math.floor(Date.now() / 1000));
		const signature = createHmac('sha256', signingSecret).update(`v0:${time}:${body}`).digest('hex');
		const headers = {
			'content-type': 'application/json',
			'x-slack-request-timestamp': time,
			'x-slack-signature': `v0=${signature}`,
		};
		return (await fetch(url, { method: 'POST', headers, body })).status;
	}

	async close(): Promise<void> {
		this.#proxy.close();
		await this.#app.close();
	}
}

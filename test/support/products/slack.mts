import { createHmac } from 'node:crypto';

import type { FastifyInstance } from 'fastify';

import { asRecord, asText, type JsonRecord } from '../../../harness/unknownJson.mts';

const signatureSecret = 'slack-signing-secret';

/** Slack: keeps what is posted, and reports events. */
export class Slack {
	/** What was posted, with the thread that it is in. */
	posts: { text: string; thread: unknown }[] = [];
	/** What n8n's Slack credential holds. */
	credential = { accessToken: 'token', signatureSecret };

	constructor(app: FastifyInstance) {
		app.post('/api/chat.postMessage', { constraints: { host: 'slack.com' } }, ({ body }) => {
			const { text, thread_ts: thread } = asRecord(body, 'A message');
			this.posts.push({ text: asText(text, 'Its text'), thread });
			return { ok: true, ts: '2.0', message: {} };
		});
	}

	/** Forgets all messages. */
	reset() {
		this.posts.length = 0;
	}

	/** Reports an event to an address, signed as Slack signs. */
	async report(url: string, event: JsonRecord) {
		const body = JSON.stringify({ type: 'event_callback', event });
		const time = String(Math.floor(Date.now() / 1000));
		const signature = createHmac('sha256', signatureSecret)
			.update(`v0:${time}:${body}`)
			.digest('hex');
		const headers = {
			'content-type': 'application/json',
			'x-slack-request-timestamp': time,
			'x-slack-signature': `v0=${signature}`,
		};
		expect((await fetch(url, { method: 'POST', headers, body })).status).toBe(200);
	}
}

import { createHmac, randomUUID } from 'node:crypto';

import type { FastifyInstance } from 'fastify';

import { asRecord, type JsonRecord } from '../../../harness/unknownJson.mts';

const signingSecret = 'slack-signing-secret';

/** Slack: keeps what its API is called with, and reports events. */
export class Slack {
	/** The names of people, by their IDs. */
	people: Record<string, string> = { U0LEGAL: 'Legal', U0CFO: 'CFO', U1: 'Ada' };
	/** The calls of its API, in order. */
	calls: { method: string; body: JsonRecord }[] = [];
	/** What n8n's Slack credential holds. */
	credential = { accessToken: 'xoxb-token', signatureSecret: signingSecret };

	constructor(app: FastifyInstance) {
		app.get<{ Querystring: { user: string } }>(
			'/api/users.info',
			{ constraints: { host: 'slack.com' } },
			({ query: { user: id } }) => ({ ok: true, user: { id, real_name: this.people[id] ?? id } }),
		);
		app.post<{ Params: { method: string } }>(
			'/api/:method',
			{ constraints: { host: 'slack.com' } },
			({ params: { method }, body }) => {
				this.calls.push({ method, body: asRecord(body, 'The body of a call') });
				return { ok: true, ts: '2.0', channel: 'C1', message: {} };
			},
		);
	}

	/** The texts of all messages, oldest first; in a thread, if one is given. */
	posted(thread?: string): string[] {
		const messages = this.calls.filter(
			({ method, body }) =>
				method === 'chat.postMessage' && (thread ?? body.thread_ts) === body.thread_ts,
		);
		return messages.map(({ body }) => JSON.stringify(body.blocks ?? body.text));
	}

	/** Forgets all calls. */
	reset(): void {
		this.calls.length = 0;
	}

	/** Reports an event to an address, signed as Slack signs; with the ID that it had before, if Slack tries again. */
	async report(url: string, event: JsonRecord, eventId: string = randomUUID()): Promise<number> {
		const body = JSON.stringify({ type: 'event_callback', event_id: eventId, event });
		const time = String(Math.floor(Date.now() / 1000));
		const signature = createHmac('sha256', signingSecret)
			.update(`v0:${time}:${body}`)
			.digest('hex');
		const headers = {
			'content-type': 'application/json',
			'x-slack-request-timestamp': time,
			'x-slack-signature': `v0=${signature}`,
		};
		return (await fetch(url, { method: 'POST', headers, body })).status;
	}
}

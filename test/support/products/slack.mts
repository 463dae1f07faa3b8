import { createHmac } from 'node:crypto';

import type { FastifyInstance } from 'fastify';

import { asRecord, asText, type JsonRecord, optionalText } from '../../../harness/unknownJson.mts';
import type { Written } from './written.mts';

export const signatureSecret = 'slack-signing-secret';

/** Slack: keeps what is posted, with the thread that it is in. */
export function addSlack(app: FastifyInstance, written: Written[]) {
	app.post('/api/chat.postMessage', { constraints: { host: 'slack.com' } }, ({ body }) => {
		const { text, thread_ts: thread } = asRecord(body, 'A message');
		const to = optionalText(thread) ?? '';
		written.push({ title: 'Slack', to, text: asText(text, 'Its text'), files: [] });
		return { ok: true, ts: '2.0', message: {} };
	});
}

/** Reports an event to an address, signed as Slack signs. */
export async function reportAsSlack(url: string, event: JsonRecord) {
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

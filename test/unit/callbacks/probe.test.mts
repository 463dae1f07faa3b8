import { expect, test } from 'vitest';

import type { LegalAiClient } from '../../../nodes/LegalAi/api/client.ts';
import type { HttpRequest } from '../../../nodes/LegalAi/api/http.ts';
import { isProbe, probeTrigger } from '../../../nodes/LegalAi/callbacks/probe.ts';
import { checkSignature } from '../../../nodes/LegalAi/callbacks/signature.ts';

const URL = 'https://n8n.example.com/webhook/legal-ai/w1';
const NOT_REGISTERED =
	'{"code":404,"message":"The requested webhook \\"POST legal-ai/w1\\" is not registered."}';
const INVALID = '{"error_code":"invalid_signature"}';

type Client = Pick<LegalAiClient, 'probe'>;

const answering = (status: number, body: string, sent: HttpRequest[] = []): Client => ({
	probe: async (request) => {
		sent.push(request);
		return await Promise.resolve({ status, headers: {}, body, responseMs: 0 });
	},
});

test.each([
	[404, NOT_REGISTERED, 'notRegistered'],
	[404, '<pre>Cannot POST /webhook/legal-ai/w1</pre>', 'notRegistered'],
	[404, 'Nothing here, says a proxy', 'listening'],
	[404, '{"message":7}', 'listening'],
	[404, '{"message":"No such page, says a proxy"}', 'listening'],
	[401, INVALID, 'otherSecret'],
	[401, '{"message":"Log in first, says a proxy"}', 'listening'],
	[409, '{"error_code":"no_webhook_secret"}', 'noSecret'],
	[409, '{"message":"Conflict, says a proxy"}', 'listening'],
	[503, '{"error_code":"no_credential"}', 'noCredential'],
	[503, '{"message":"Not now, says a proxy"}', 'listening'],
	[403, INVALID, 'listening'],
	[200, NOT_REGISTERED, 'listening'],
	[200, '{"message":"This trigger is listening."}', 'listening'],
	[502, 'Bad gateway', 'listening'],
])('the answer %i %s to a signed probe means %s', async (statusCode, body, expected) => {
	expect(await probeTrigger(answering(statusCode, body), URL, 'whsec')).toBe(expected);
});

test("a probe of an address that n8n can't reach counts as listening", async () => {
	expect(
		await probeTrigger({ probe: () => Promise.reject(new Error('no route')) }, URL, 'whsec'),
	).toBe('listening');
});

test.each(['whsec', undefined])(
	'a probe is signed with the secret %s, and is no callback',
	async (secret) => {
		const sent: HttpRequest[] = [];
		await probeTrigger(answering(200, '', sent), URL, secret);

		// n8n keeps the bytes of what comes as JSON.
		expect(sent).toMatchObject([
			{ method: 'POST', url: URL, headers: { 'Content-Type': 'application/json' } },
		]);
		const [probe] = sent;
		const rawBody = Buffer.from(typeof probe?.body === 'string' ? probe.body : '');
		const signature: unknown = probe?.headers?.['Service-Signature'];
		expect(isProbe({ rawBody, signature })).toBe(true);
		expect(checkSignature(signature, rawBody, ['whsec'], Date.now())).toBe(
			secret === undefined ? 'missing' : 'valid',
		);
	},
);

test.each([
	'',
	'{}',
	'{"probe":"webhook_secret" }',
	'{"probe":"webhook_secret","id":"q","status":"completed"}',
])('%j is no probe', (body) => {
	expect(isProbe({ rawBody: Buffer.from(body), signature: undefined })).toBe(false);
});

import { Readable } from 'node:stream';

import type { IHttpRequestOptions } from 'n8n-workflow';
import { expect, test } from 'vitest';

import type { LegalAiClient } from '../../../nodes/LegalAi/api/client.ts';
import { sendRequest } from '../../../nodes/LegalAi/api/http.ts';
import { isProbe, probeTrigger } from '../../../nodes/LegalAi/callbacks/probe.ts';
import { checkSignature } from '../../../nodes/LegalAi/callbacks/signature.ts';

const URL = 'https://n8n.example.com/webhook/legal-ai/w1';
const NOT_REGISTERED = '{"code":404,"message":"The requested webhook \\"POST legal-ai/w1\\" is not registered."}';
const INVALID = '{"error_code":"invalid_signature"}';

type Client = Pick<LegalAiClient, 'probe'>;

const answering = (statusCode: number, body: string, sent: IHttpRequestOptions[] = []): Client => ({
	probe: async (request) =>
		await sendRequest((options) => {
			sent.push(options);
			return Promise.resolve({ statusCode, headers: {}, body: Readable.from([Buffer.from(body)]) });
		}, request),
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

test('without a secret to compare, a trigger that rejects the probe listens', async () => {
	expect(await probeTrigger(answering(401, INVALID), URL, undefined)).toBe('listening');
});

test('an address that can not be reached from within proves nothing', async () => {
	expect(await probeTrigger({ probe: () => Promise.reject(new Error('no route')) }, URL, 'whsec')).toBe('listening');
});

test.each(['whsec', undefined])('a probe is signed with the secret %s, goes to no other address, and is no callback', async (secret) => {
	const sent: IHttpRequestOptions[] = [];
	await probeTrigger(answering(200, '', sent), URL, secret);

	// n8n keeps the bytes of what comes as JSON.
	const headers = { 'Content-Type': 'application/json' };
	expect(sent).toMatchObject([{ method: 'POST', url: URL, headers, disableFollowRedirect: true }]);
	const [probe] = sent;
	const rawBody = Buffer.from(typeof probe?.body === 'string' ? probe.body : '');
	const signature: unknown = probe?.headers?.['Service-Signature'];
	expect(isProbe({ rawBody, signature })).toBe(true);
	expect(checkSignature(signature, rawBody, ['whsec'], Date.now())).toBe(secret === undefined ? 'missing' : 'valid');
});

test.each(['', '{}', '{"probe":"webhook_secret" }', '{"probe":"webhook_secret","id":"q","status":"completed"}'])(
	'%j is no probe',
	(body) => {
		expect(isProbe({ rawBody: Buffer.from(body), signature: undefined })).toBe(false);
	},
);

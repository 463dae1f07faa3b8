import { gzipSync } from 'node:zlib';

import { WebhookContext } from 'n8n-core';

import { logs, MEGABYTE, test } from '../../support/fixtures.mts';
import { callbackPayload, signed } from '../../support/engine/publishedTrigger.mts';
afterEach(() => {
	vi.restoreAllMocks();
});

/** Sent as bytes, which n8n itself neither reads nor parses. */
const asBytes = { headers: { 'content-type': 'application/octet-stream' } };

/** What is parsed from now on that is longer than a megabyte. */
function longParsed() {
	const parse = vi.spyOn(JSON, 'parse');
	return () => parse.mock.calls.filter(([text]) => text.length > MEGABYTE);
}

test('a body far larger than an answer is rejected before anything else is done', async ({
	listen,
}) => {
	const { deliver, begun } = await listen({ parameters: { options: { verifySignature: false } } });
	const body = JSON.stringify(callbackPayload('q', { answer: 'x'.repeat(15 * MEGABYTE) }));
	const parsed = longParsed();
	const read = vi.spyOn(WebhookContext.prototype, 'getCredentials');
	const headers = { 'content-encoding': 'gzip', ...asBytes.headers };
	for (const posting of [asBytes, { headers, bytes: gzipSync(body) }])
		expect(await deliver(body, posting)).toMatchObject([413, { error_code: 'invalid_payload' }]);
	expect([parsed(), begun()]).toEqual([[], 0]);
	expect(read).not.toHaveBeenCalled();
});

test('what is not signed is not parsed', async ({ service, listen }) => {
	const { deliver, begun } = await listen();
	const parsed = longParsed();
	const body = JSON.stringify(callbackPayload('q', { answer: 'x'.repeat(3 * MEGABYTE) }));
	const minutesAgo = (minutes: number) => Math.floor(Date.now() / 1000) - minutes * 60;
	for (const signature of [
		undefined,
		signed('forged', body),
		signed(service.webhookSecret, body, minutesAgo(1.5)),
		signed(service.webhookSecret, body, minutesAgo(-1.5)),
	])
		expect(await deliver(body, { ...asBytes, signature })).toMatchObject([
			401,
			{ error_code: 'invalid_signature' },
		]);
	expect(parsed()).toEqual([]);
	expect(begun()).toBe(0);
});

test('a flood of forged and unsigned callbacks is logged once a minute', async ({ listen }) => {
	const { deliver } = await listen();
	const lines = () => logs.filter(({ level }) => level === 'warn').map(({ message }) => message);
	const before = lines().length;
	const body = JSON.stringify(callbackPayload('q'));
	const forged = { signature: signed('forged', body) };
	for (let count = 0; count < 50; count++)
		for (const posting of [forged, { signature: undefined }]) await deliver(body, posting);
	const now = Date.now();
	vi.spyOn(Date, 'now').mockImplementation(() => now + 60_000);
	await deliver(body, forged);

	const said =
		'Legal AI rejected a callback: The signature does not match the body and the webhook secret of this trigger.';
	expect(lines().slice(before)).toEqual([said, said]);
});

test('a form is rejected, though it is signed: n8n keeps no bytes of it', async ({ listen }) => {
	const { deliver, begun } = await listen();
	const headers = { 'content-type': 'multipart/form-data; boundary=x' };
	expect((await deliver(callbackPayload('q'), { headers }))[0]).toBe(401);
	expect(begun()).toBe(0);
});

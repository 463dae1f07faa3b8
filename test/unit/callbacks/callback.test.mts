import { createHmac } from 'node:crypto';

import fc from 'fast-check';
import { expect, test } from 'vitest';

import { readCallback, readSignedCallback } from '../../../nodes/LegalAi/callbacks/callback.ts';
import { callbackResponses } from '../../../nodes/LegalAi/messages/callbackMessages.ts';

test('a callback is read as it came, with fields that are not known yet', () => {
	const text = '{"id":"q","status":"filtered","answer":null,"reason":"No.","later":{"x":[1]},"__proto__":{"bad":1}}';
	const received = readCallback(Buffer.from(text));
	expect(received).toEqual({
		callback: { id: 'q', status: 'filtered', answer: null, reason: 'No.', later: { x: [1] } },
	});
	expect(readCallback(Buffer.from('{"id":"q","status":"error"}'))).toEqual({ callback: { id: 'q', status: 'error' } });
	const attachments = [{ file_name: 'a.pdf' }, { file_name: 'b.pdf' }];
	expect(readCallback(Buffer.from(JSON.stringify({ id: 'q', status: 'completed', attachments })))).toEqual({
		callback: { id: 'q', status: 'completed', attachments },
	});
});

test.each(['', 'null', '7', '"x"', '[]', '{', '{}', '{"id":"q"}', '{"status":"completed"}', '{"id":"","status":"completed"}',
	'{"id":"q","status":"in_progress"}', '{"id":"q","status":"COMPLETED"}', '{"id":"q","status":["completed"]}',
	'{"id":"q","status":"completed","answer":7}', '{"id":"q","status":"completed","session_id":{}}',
	'{"id":"q","status":"completed","attachments":{}}', '{"id":"q","status":"completed","attachments":["x"]}',
	'{"id":"q","status":"completed","attachments":[{},"x"]}',
	'{"id":"q","status":"filtered","reason":false}'])('%s is no callback', (text) => {
	expect(readCallback(Buffer.from(text))).toEqual({
		rejection: { status: 400, error_code: 'invalid_payload', message: expect.any(String) as string },
	});
});

test.each(['session_id', 'session_url', 'answer', 'reason'])('whoever sends a "%s" that is no text is told which field it is', (field) => {
	expect(readCallback(Buffer.from(JSON.stringify({ id: 'q', status: 'completed', [field]: 7 })))).toMatchObject({
		rejection: { message: expect.stringContaining(field) as string },
	});
});

test('nothing that can be sent makes reading it throw', () => {
	fc.assert(
		fc.property(fc.oneof(fc.uint8Array().map((bytes) => Buffer.from(bytes)), fc.json().map((text) => Buffer.from(text))), (body) => {
			expect(Object.keys(readCallback(body))).toHaveLength(1);
		}),
		{ numRuns: 2_000 },
	);
});

test('a signed callback is read, and nothing unsigned is', () => {
	const now = 1_760_000_000_000;
	const rawBody = Buffer.from('{"id":"q","status":"completed"}');
	const time = String(now / 1000);
	const signature = `t=${time},v1=${createHmac('sha256', 'secret').update(`${time}.`).update(rawBody).digest('hex')}`;
	expect(readSignedCallback({ rawBody, signature }, ['other', 'secret'], now)).toEqual({
		callback: { id: 'q', status: 'completed' },
	});
	for (const [request, secrets, message] of [
		[{ rawBody, signature: undefined }, ['secret'], callbackResponses.signatureMissing],
		[{ rawBody, signature: 'x' }, ['secret'], callbackResponses.signatureMalformed],
		[{ rawBody, signature }, ['other'], callbackResponses.signatureWrong],
		[{ rawBody: Buffer.from('{'), signature }, ['secret'], callbackResponses.signatureWrong],
		[{ rawBody, signature }, [], callbackResponses.noSecret],
	] as const) {
		expect(readSignedCallback(request, [...secrets], now)).toEqual({
			rejection: { status: 401, error_code: 'invalid_signature', message },
		});
	}
	const stale = { rejection: { message: callbackResponses.signatureStale } };
	expect(readSignedCallback({ rawBody, signature }, ['secret'], now + 60_001)).toMatchObject(stale);
});

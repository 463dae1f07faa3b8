import { createHmac } from 'node:crypto';
import { gzipSync, gunzipSync } from 'node:zlib';

import fc from 'fast-check';
import { expect, test } from 'vitest';

import { checkSignature, webhookSecretsOf } from '../../../nodes/LegalAi/callbacks/signature.ts';

const secret = 'whsec-5f0c2d';
const time = 1_760_000_000;
const now = time * 1000;
const body = Buffer.from('{"id":"q-1","answer":"Schö\\u00f6n \\/ ⚖️ ","status":"completed"}\n');

const hexOf = (key: string, stamp: string, bytes: Buffer): string =>
	createHmac('sha256', key).update(Buffer.concat([Buffer.from(`${stamp}.`), bytes])).digest('hex');
const sign = (key: string, stamp: string | number, bytes: Buffer): string =>
	`t=${stamp},v1=${hexOf(key, String(stamp), bytes)}`;
const hex = hexOf(secret, String(time), body);

test('a signature over the very bytes is valid, whatever they are', () => {
	expect(checkSignature(sign(secret, time, body), body, [secret], now)).toBe('valid');
	const none = Buffer.alloc(0);
	expect(checkSignature(sign(secret, time, none), none, [secret], now)).toBe('valid');
	const noText = Buffer.from([0xff, 0xfe, 0x00, 0x80]);
	expect(checkSignature(sign(secret, time, noText), noText, [secret], now)).toBe('valid');
	expect(checkSignature(sign('Schlüssel ⚖️', time, body), body, ['Schlüssel ⚖️'], now)).toBe('valid');
});

test('a known signature, computed elsewhere', () => {
	// printf '1760000000.{"id":"q-1"}' | openssl dgst -sha256 -hmac whsec-5f0c2d
	const known = '5981ed3d232a5c4556af6440733146f388aee7fa0848ff94f620c3d1436391de';
	expect(checkSignature(`t=1760000000,v1=${known}`, Buffer.from('{"id":"q-1"}'), [secret], now)).toBe('valid');
});

test('the same JSON in other bytes is not what was signed', () => {
	const text = body.toString();
	for (const other of [
		JSON.stringify(JSON.parse(text)),
		text.trimEnd(),
		text.replace('\\u00f6', 'ö'),
		text.replace('\\/', '/'),
		text.normalize('NFD'),
		`\uFEFF${text}`,
		text.replace('\n', '\r\n'),
	]) {
		expect(checkSignature(sign(secret, time, body), Buffer.from(other), [secret], now), other).toBe('wrong');
	}
	expect(checkSignature(sign(secret, time, body), gzipSync(body), [secret], now)).toBe('wrong');
	expect(checkSignature(sign(secret, time, body), gunzipSync(gzipSync(body)), [secret], now)).toBe('valid');
});

test('sixty seconds either way, to the millisecond', () => {
	const header = sign(secret, time, body);
	for (const [at, verdict] of [
		[now - 60_001, 'stale'],
		[now - 60_000, 'valid'],
		[now + 60_000, 'valid'],
		[now + 60_001, 'stale'],
	] as const) {
		expect(checkSignature(header, body, [secret], at), String(at - now)).toBe(verdict);
	}
	expect(checkSignature(sign(secret, 0, body), body, [secret], now)).toBe('stale');
	expect(checkSignature(sign(secret, 999_999_999_999_999, body), body, [secret], now)).toBe('stale');
	expect(checkSignature(sign(secret, time * 1000, body), body, [secret], now)).toBe('stale');
});

test('no header at all is told apart from one that is not the service’s', () => {
	expect(checkSignature(undefined, body, [secret], now)).toBe('missing');
	expect(checkSignature('', body, [secret], now)).toBe('missing');
});

test.each([
	['a time without a signature', `t=${time}`],
	['a signature without a time', `v1=${hex}`],
	['the parts swapped', `v1=${hex},t=${time}`],
	['the time twice', `t=${time},t=${time},v1=${hex}`],
	['the signature twice', `t=${time},v1=${hex},v1=${hex}`],
	['the header twice', `t=${time},v1=${hex}, t=${time},v1=${hex}`],
	['a further part', `t=${time},v1=${hex},v0=${hex}`],
	['another scheme', `t=${time},v2=${hex}`],
	['a blank between the parts', `t=${time}, v1=${hex}`],
	['a blank before', ` t=${time},v1=${hex}`],
	['a line after', `t=${time},v1=${hex}\n`],
	['a blank within', `t= ${time},v1=${hex}`],
	['uppercase hex', `t=${time},v1=${hex.toUpperCase()}`],
	['an uppercase name', `T=${time},V1=${hex}`],
	['a short signature', `t=${time},v1=${hex.slice(1)}`],
	['a long signature', `t=${time},v1=${hex}0`],
	['hex that is none', `t=${time},v1=${'g'.repeat(64)}`],
	['base64', `t=${time},v1=${Buffer.from(hex, 'hex').toString('base64')}`],
	['no signature', `t=${time},v1=`],
	['no time', `t=,v1=${hex}`],
	['nothing but a comma', ','],
	['lists in place of text', [`t=${time},v1=${hex}`]],
	['a number', 12],
	['null', null],
])('malformed: %s', (_what, header) => {
	expect(checkSignature(header, body, [secret], now)).toBe('malformed');
});

test.each(['-1', '+1', '1760000000.0', '1.76e9', '0x68e77800', '01760000000', ' 1', '1_000', '', 'NaN', 'Infinity',
	'1760000000000000', '9'.repeat(400), '１７６００００００００'])('a time that is none, signed all the same: %j', (stamp) => {
	expect(checkSignature(sign(secret, stamp, body), body, [secret], now)).toBe('malformed');
});

test('without a secret nothing is valid, not even what was signed with none', () => {
	expect(checkSignature(sign('', time, body), body, [], now)).toBe('noSecret');
	expect(checkSignature(undefined, body, [], now)).toBe('noSecret');
});

test('either secret of a key that was replaced will do, and no third', () => {
	for (const one of ['current', 'previous']) {
		expect(checkSignature(sign(one, time, body), body, ['current', 'previous'], now), one).toBe('valid');
	}
	expect(checkSignature(sign('third', time, body), body, ['current', 'previous'], now)).toBe('wrong');
	expect(checkSignature(sign('previous', time, body), body, ['current', 'previous'], now + 60_001)).toBe('stale');
});

test.each([
	[{}, []],
	[{ webhookSecret: ' \n', previousWebhookSecret: '' }, []],
	[{ webhookSecret: 7, previousWebhookSecret: null }, []],
	[{ webhookSecret: ` ${secret}\n` }, [secret]],
	[{ webhookSecret: '', previousWebhookSecret: secret }, [secret]],
	[{ webhookSecret: 'current', previousWebhookSecret: 'previous' }, ['current', 'previous']],
])('the secrets of the credential %j are %j', (credential, secrets) => {
	expect(webhookSecretsOf(credential)).toEqual(secrets);
});

const delivery = fc.record({
	secret: fc.string({ minLength: 1 }).filter((text) => text.trim() === text),
	body: fc.oneof(
		fc.json().map((text) => Buffer.from(text)),
		fc.uint8Array({ minLength: 1, maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
	),
	time: fc.integer({ min: 1_000_000_000, max: 4_000_000_000 }),
	driftMs: fc.integer({ min: -60_000, max: 60_000 }),
});

interface Altered {
	header: string;
	body: Buffer;
	secret: string;
	now: number;
}

/** What somebody who lacks the secret, or comes too late, can do to a delivery. */
type Alteration = (given: Altered, stamp: number, pick: number, other: Buffer) => Altered;

const flipped = (bytes: Buffer, pick: number): Buffer => {
	const at = (pick >> 3) % bytes.length;
	return Buffer.from(bytes.map((byte, index) => (index === at ? byte ^ (1 << (pick & 7)) : byte)));
};

const alterations: Record<string, Alteration> = {
	'a flipped bit in the body': (given, _stamp, pick) => ({ ...given, body: flipped(given.body, pick) }),
	'a flipped bit in the header': (given, _stamp, pick) => ({
		...given,
		header: flipped(Buffer.from(given.header, 'latin1'), pick).toString('latin1'),
	}),
	'a body cut short': (given, _stamp, pick) => ({ ...given, body: given.body.subarray(0, pick % given.body.length) }),
	'a longer body': (given, _stamp, _pick, other) => ({ ...given, body: Buffer.concat([given.body, other, Buffer.from(' ')]) }),
	'a fresher time written over the old one': (given, stamp, pick) => ({
		...given,
		header: given.header.replace(/^t=\d+/, `t=${stamp + 1 + (pick % 60)}`),
	}),
	'received too late': (given, stamp, pick) => ({ ...given, now: stamp * 1000 + 60_001 + pick }),
	'the header of another delivery': (given, stamp, _pick, other) => ({
		...given,
		header: sign(given.secret, stamp, Buffer.concat([other, given.body])),
	}),
	'digits moved from the time to the body': (given, stamp) => ({
		...given,
		header: given.header.replace(`t=${stamp}`, `t=${String(stamp).slice(0, -1)}`),
		body: Buffer.concat([Buffer.from(String(stamp).slice(-1)), given.body]),
	}),
	'a signature of the body alone': (given, stamp) => ({
		...given,
		header: `t=${stamp},v1=${createHmac('sha256', given.secret).update(given.body).digest('hex')}`,
	}),
};

test('of thousands of altered deliveries none is accepted, of untouched ones all', () => {
	const altered: Record<string, number> = {};
	fc.assert(
		fc.property(
			delivery,
			fc.nat({ max: 1_000_000 }),
			fc.uint8Array({ minLength: 1, maxLength: 20 }).map((bytes) => Buffer.from(bytes)),
			(given, pick, other) => {
				const header = sign(given.secret, given.time, given.body);
				const original = { header, body: given.body, secret: given.secret, now: given.time * 1000 + given.driftMs };
				expect(checkSignature(header, original.body, [original.secret], original.now)).toBe('valid');
				for (const [name, alter] of Object.entries(alterations)) {
					const now = alter(original, given.time, pick, other);
					if (now.header === header && now.body.equals(original.body) && now.now === original.now) continue;
					expect(checkSignature(now.header, now.body, [now.secret], now.now), name).not.toBe('valid');
					altered[name] = (altered[name] ?? 0) + 1;
				}
			},
		),
		{ numRuns: 2_000 },
	);
	expect(Object.keys(altered)).toHaveLength(Object.keys(alterations).length);
});

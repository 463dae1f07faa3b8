import { createHmac } from 'node:crypto';

import {
	checkSignature,
	signBody,
	readWebhookSecrets,
} from '../../../nodes/LegalAi/trigger/signature.ts';

const secret = 'whsec-5f0c2d';
const time = 1_760_000_000;
const now = time * 1000;
const body = Buffer.from('{"id":"q-1","answer":"Schö\\u00f6n \\/ ⚖️ ","status":"completed"}\n');

const hexOf = (key: string, stamp: string, bytes: Buffer) =>
	createHmac('sha256', key)
		.update(Buffer.concat([Buffer.from(`${stamp}.`), bytes]))
		.digest('hex');
const sign = (key = secret, stamp: string | number = time, bytes = body) =>
	`t=${stamp},v1=${hexOf(key, String(stamp), bytes)}`;
const hex = hexOf(secret, String(time), body);

beforeEach(() => vi.useFakeTimers({ toFake: ['Date'], now }));
afterEach(() => vi.useRealTimers());

/** The sentences that say what is wrong, by a word of each. */
const WORDS = {
	missing: 'missing',
	malformed: 'form',
	wrong: 'match',
	stale: '60 seconds',
	noSecret: 'no webhook secret',
};

/** What is found of a header, with the secret, now, unless told otherwise. */
function check(header: unknown, bytes = body, secrets = [secret], at = now) {
	vi.setSystemTime(at);
	const problem = checkSignature(header, bytes, secrets);
	if (problem === undefined) return 'valid';
	const fitting = Object.entries(WORDS).filter(([, word]) => problem.includes(word));
	return fitting.map(([verdict]) => verdict).join();
}

test('a signature over the very bytes is valid, whatever they are', () => {
	expect(check(sign())).toBe('valid');
	const none = Buffer.alloc(0);
	expect(check(sign(secret, time, none), none)).toBe('valid');
	const noText = Buffer.from([0xff, 0xfe, 0x00, 0x80]);
	expect(check(sign(secret, time, noText), noText)).toBe('valid');
	expect(check(sign('Schlüssel ⚖️'), body, ['Schlüssel ⚖️'])).toBe('valid');
});

test('a signature that was computed elsewhere is valid', () => {
	// printf '1760000000.{"id":"q-1"}' | openssl dgst -sha256 -hmac whsec-5f0c2d
	const known = '5981ed3d232a5c4556af6440733146f388aee7fa0848ff94f620c3d1436391de';
	expect(check(`t=1760000000,v1=${known}`, Buffer.from('{"id":"q-1"}'))).toBe('valid');
});

test('a body is signed as the service signs it', () => {
	expect(signBody(body.toString(), secret)).toBe(sign());
});

test('the same JSON in other bytes is not what was signed', () => {
	const text = body.toString();
	for (const other of [
		JSON.stringify(JSON.parse(text)),
		text.trimEnd(),
		text.replace('\\/', '/'),
		text.normalize('NFD'),
		`\uFEFF${text}`,
	])
		expect(check(sign(), Buffer.from(other)), other).toBe('wrong');
});

test('a signature is valid for sixty seconds either way, to the millisecond', () => {
	const header = sign();
	for (const [at, verdict] of [
		[now - 60_001, 'stale'],
		[now - 60_000, 'valid'],
		[now + 60_000, 'valid'],
		[now + 60_001, 'stale'],
	] as const) {
		expect(check(header, body, [secret], at), String(at - now)).toBe(verdict);
	}
	expect(check(sign(secret, 0))).toBe('stale');
	expect(check(sign(secret, 999_999_999_999_999))).toBe('stale');
	expect(check(sign(secret, time * 1000))).toBe('stale');
});

test('a signature that is missing is told apart from one that is not the service’s', () => {
	expect(check(undefined)).toBe('missing');
	expect(check('')).toBe('missing');
});

test.each([
	['a time without a signature', `t=${time}`],
	['a signature without a time', `v1=${hex}`],
	['the parts swapped', `v1=${hex},t=${time}`],
	['the header twice', `t=${time},v1=${hex}, t=${time},v1=${hex}`],
	['another scheme', `t=${time},v2=${hex}`],
	['a blank between the parts', `t=${time}, v1=${hex}`],
	['a line after', `t=${time},v1=${hex}\n`],
	['uppercase hex', `t=${time},v1=${hex.toUpperCase()}`],
	['a short signature', `t=${time},v1=${hex.slice(1)}`],
	['characters that are not hex', `t=${time},v1=${'g'.repeat(64)}`],
	['lists in place of text', [`t=${time},v1=${hex}`]],
	['null', null],
])('a signature is malformed with %s', (_what, header) => {
	expect(check(header)).toBe('malformed');
});

test.each([
	'-1',
	'1760000000.0',
	'1.76e9',
	'0x68e77800',
	'01760000000',
	'',
	'1760000000000000',
	'１７６００００００００',
])('a signature is malformed with the time %j, although it was made with it', (stamp) => {
	expect(check(sign(secret, stamp))).toBe('malformed');
});

test('without a secret no signature is valid, not even one that was made with none', () => {
	expect(check(sign(''), body, [])).toBe('noSecret');
	expect(check(undefined, body, [])).toBe('noSecret');
});

test('after a key was replaced, a signature with either of its two secrets is valid, and no other', () => {
	for (const one of ['current', 'previous']) {
		expect(check(sign(one), body, ['current', 'previous']), one).toBe('valid');
	}
	expect(check(sign('third'), body, ['current', 'previous'])).toBe('wrong');
	expect(check(sign('previous'), body, ['current', 'previous'], now + 60_001)).toBe('stale');
});

test.each([
	[{}, []],
	[{ webhookSecret: ' \n', previousWebhookSecret: '' }, []],
	[{ webhookSecret: 7, previousWebhookSecret: null }, []],
	[{ webhookSecret: ` ${secret}\n` }, [secret]],
	[{ webhookSecret: '', previousWebhookSecret: secret }, [secret]],
	[{ webhookSecret: 'current', previousWebhookSecret: 'previous' }, ['current', 'previous']],
])('the secrets of the credential %j are %j', (credential, secrets) => {
	expect(readWebhookSecrets(credential)).toEqual(secrets);
});

test('a fresher time written over the old one, or a signature of the body alone, does not match', () => {
	expect(check(sign().replace(`t=${time}`, `t=${time + 1}`))).toBe('wrong');
	const ofBody = createHmac('sha256', secret).update(body).digest('hex');
	expect(check(`t=${time},v1=${ofBody}`)).toBe('wrong');
});

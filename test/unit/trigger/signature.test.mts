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

const computeHex = (key: string, stamp: string, bytes: Buffer) =>
	createHmac('sha256', key)
		.update(Buffer.concat([Buffer.from(`${stamp}.`), bytes]))
		.digest('hex');
const sign = (key = secret, stamp: string | number = time, bytes = body) =>
	`t=${stamp},v1=${computeHex(key, String(stamp), bytes)}`;
const hex = computeHex(secret, String(time), body);
const ofBody = createHmac('sha256', secret).update(body).digest('hex');
// printf '1760000000.{"id":"q-1"}' | openssl dgst -sha256 -hmac whsec-5f0c2d
const ofOpenssl = '5981ed3d232a5c4556af6440733146f388aee7fa0848ff94f620c3d1436391de';

const noBytes = Buffer.alloc(0);
const noText = Buffer.from([0xff, 0xfe, 0x00, 0x80]);
const text = body.toString();
const both = ['current', 'previous'];

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

/** A header, what is found of it, and what is checked beside it, unless it is the body, with the secret, now. */
type Row = [
	what: string,
	header: unknown,
	verdict: keyof typeof WORDS | 'valid',
	beside?: { bytes?: Buffer; secrets?: string[]; at?: number },
];

test.each<Row>([
	['over the very bytes', sign(), 'valid'],
	['over no bytes', sign(secret, time, noBytes), 'valid', { bytes: noBytes }],
	['over bytes that are no text', sign(secret, time, noText), 'valid', { bytes: noText }],
	[
		'with any characters in its secret',
		sign('Schlüssel ⚖️'),
		'valid',
		{ secrets: ['Schlüssel ⚖️'] },
	],
	['of openssl', `t=${time},v1=${ofOpenssl}`, 'valid', { bytes: Buffer.from('{"id":"q-1"}') }],
	...[
		JSON.stringify(JSON.parse(text)),
		text.trimEnd(),
		text.replace('\\/', '/'),
		text.normalize('NFD'),
		`\uFEFF${text}`,
	].map((other): Row => {
		return ['of the same JSON in other bytes', sign(), 'wrong', { bytes: Buffer.from(other) }];
	}),
	['with a fresher time written over it', sign().replace(`t=${time}`, `t=${time + 1}`), 'wrong'],
	['of the body alone', `t=${time},v1=${ofBody}`, 'wrong'],

	['of more than a minute ahead', sign(), 'stale', { at: now - 60_001 }],
	['of a minute ahead', sign(), 'valid', { at: now - 60_000 }],
	['of a minute ago', sign(), 'valid', { at: now + 60_000 }],
	['of more than a minute ago', sign(), 'stale', { at: now + 60_001 }],
	['of 1970', sign(secret, 0), 'stale'],
	['of the farthest future', sign(secret, 999_999_999_999_999), 'stale'],
	['with a time in ms', sign(secret, time * 1000), 'stale'],

	['that is not there', undefined, 'missing'],
	['that is empty', '', 'missing'],
	['with a time alone', `t=${time}`, 'malformed'],
	['without a time', `v1=${hex}`, 'malformed'],
	['with its parts swapped', `v1=${hex},t=${time}`, 'malformed'],
	['with the header twice', `t=${time},v1=${hex}, t=${time},v1=${hex}`, 'malformed'],
	['of another scheme', `t=${time},v2=${hex}`, 'malformed'],
	['with a blank between the parts', `t=${time}, v1=${hex}`, 'malformed'],
	['with a line after it', `t=${time},v1=${hex}\n`, 'malformed'],
	['in uppercase hex', `t=${time},v1=${hex.toUpperCase()}`, 'malformed'],
	['that is short', `t=${time},v1=${hex.slice(1)}`, 'malformed'],
	['of characters that are not hex', `t=${time},v1=${'g'.repeat(64)}`, 'malformed'],
	['that is a list', [`t=${time},v1=${hex}`], 'malformed'],
	['that is null', null, 'malformed'],
	...[
		...['-1', '1760000000.0', '1.76e9', '0x68e77800', '01760000000', '', '1760000000000000'],
		'１７６００００００００',
	].map((stamp): Row => [`with the time "${stamp}"`, sign(secret, stamp), 'malformed']),

	['with no secret', sign(''), 'noSecret', { secrets: [] }],
	['that is not there, with no secret', undefined, 'noSecret', { secrets: [] }],
	['with the current one of two secrets', sign('current'), 'valid', { secrets: both }],
	['with the previous one', sign('previous'), 'valid', { secrets: both }],
	['with a third one', sign('third'), 'wrong', { secrets: both }],
	[
		'with the previous one, too late',
		sign('previous'),
		'stale',
		{ secrets: both, at: now + 60_001 },
	],
])('a signature %s, %j, is %s', (_what, header, verdict, beside = {}) => {
	const { bytes = body, secrets = [secret], at = now } = beside;
	vi.setSystemTime(at);
	const problem = checkSignature(header, bytes, secrets) ?? '';
	const found = Object.entries(WORDS).filter(([, word]) => problem.includes(word));
	expect(found.map(([name]) => name)).toEqual(verdict === 'valid' ? [] : [verdict]);
	expect(problem === '').toBe(verdict === 'valid');
});

test('a body is signed as the service signs it', () => {
	expect(signBody(text, secret)).toBe(sign());
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

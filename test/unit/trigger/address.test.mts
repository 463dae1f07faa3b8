import fc from 'fast-check';

import {
	addPassedAlong,
	readPassedAlong,
	buildTriggerUrl,
} from '../../../nodes/LegalAi/trigger/address.ts';

const URL_OF_TRIGGER = 'https://n8n.example.com/webhook/legal-ai/wx7Yk2Lq?assistant_id=default';

/** The address with values that travel along. */
function addressWith(values: object, secret: string) {
	const url = new URL(URL_OF_TRIGGER);
	addPassedAlong(url, values, secret);
	return url.href;
}

/** What a trigger reads of the query of an address. */
function read(address: string, ...secrets: string[]) {
	return readPassedAlong(Object.fromEntries(new URL(address).searchParams), secrets);
}

test('whatever texts are passed along, they come out again, with the same secret alone', () => {
	// Any character but half of one. Of the library's own, the tables take seconds.
	const code = fc.oneof(
		fc.integer({ max: 0xd7ff, min: 0 }),
		fc.integer({ max: 0x10ffff, min: 0xe000 }),
	);
	const text = fc.string({ unit: code.map((each) => String.fromCodePoint(each)) });
	fc.assert(
		fc.property(fc.dictionary(text, text), text, text, (values, secret, other) => {
			fc.pre(secret !== other);
			const address = addressWith(values, secret);
			expect(address).toMatch(
				/^https:\/\/n8n\.example\.com\/webhook\/legal-ai\/wx7Yk2Lq\?assistant_id=default&pass_along=[\w-]+$/,
			);
			expect(read(address, secret)).toEqual({ ...values });
			expect(read(address, other, secret)).toEqual({ ...values });
			expect(read(address, other)).toBeNull();
			expect(read(address)).toBeNull();
		}),
	);
});

test('an address with any character changed or cut has no values', () => {
	const address = addressWith({ to: 'ben@example.com' }, 'whsec');
	const start = address.indexOf('pass_along=') + 'pass_along='.length;
	// The last character also has bits that no byte takes.
	for (let at = start; at < address.length - 1; at++) {
		const [before, after] = [address.slice(0, at), address.slice(at + 1)];
		for (const each of [before, `${before}${address[at] === 'A' ? 'B' : 'A'}${after}`])
			expect(read(each, 'whsec')).toBeNull();
	}
	for (const given of ['', ['a', 'b'], {}, null])
		expect(readPassedAlong({ pass_along: given }, ['whsec'])).toBeNull();
});

test('the same values look different each time, and do not show', () => {
	const [one, other] = ['', ''].map(() => addressWith({ to: 'ben@example.com' }, 'whsec'));
	expect(one).not.toBe(other);
	expect(
		Buffer.from(new URL(one ?? '').searchParams.get('pass_along') ?? '', 'base64url').toString(),
	).not.toContain('ben');
});

test('an address without values has none', () => {
	expect(read(URL_OF_TRIGGER, 'whsec')).toBeUndefined();
});

test.each([
	['http://localhost:5678/webhook-waiting/12', 'w1', 'http://localhost:5678/webhook/legal-ai/w1'],
	['http://n8n/webhook-waiting/12', 'a/../b?c', 'http://n8n/webhook/legal-ai/a%2F..%2Fb%3Fc'],
	[
		'https://n8n.example.com/base/webhook-waiting/12?signature=s',
		'w1',
		'https://n8n.example.com/base/webhook/legal-ai/w1',
	],
	['https://n8n.example.com/renamed-waiting/12', 'w1', undefined],
])(
	'from the resume address %j, the trigger of the workflow %j is expected at %j',
	(resumeUrl, workflowId, expected) => {
		expect(buildTriggerUrl(new URL(resumeUrl), workflowId)?.href).toBe(expected);
	},
);

test('values that are on their way stay readable after an update of the package', () => {
	const sent = 'MO0LFj_nzmJOOGSYFCt4S8BgzlS5r58R-6e7ynkvQX6EstnkVl9NPTCr7BO2zIWLGB_DyaiaJFyFllY';
	expect(readPassedAlong({ pass_along: sent }, ['whsec-1'])).toEqual({
		requester: 'ben@example.com',
	});
});

test('a list that was encrypted with the secret is not taken for values', () => {
	const sent = 'gbcQ73q80cqldhBle_TPIHRJ_kZE_CPdQDZygHISsLqy-jk';
	expect(readPassedAlong({ pass_along: sent }, ['whsec-1'])).toBeNull();
});

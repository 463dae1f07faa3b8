import fc from 'fast-check';

import { addPassedAlong, passedAlongOf } from '../../../nodes/LegalAi/callbacks/passAlong.ts';

const URL_OF_TRIGGER = 'https://n8n.example.com/webhook/legal-ai/wx7Yk2Lq?assistant_id=default';

/** What a trigger reads of the query of an address. */
function read(address: string, ...secrets: string[]) {
	return passedAlongOf(Object.fromEntries(new URL(address).searchParams), secrets);
}

test('whatever texts are passed along, they come out again, with the same secret alone', () => {
	const text = fc.string({ unit: 'binary' });
	fc.assert(
		fc.property(fc.dictionary(text, text), text, text, (values, secret, other) => {
			fc.pre(secret !== other);
			const address = addPassedAlong(URL_OF_TRIGGER, values, secret);
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

test('an address with any character changed, cut or added has no values', () => {
	const address = addPassedAlong(URL_OF_TRIGGER, { to: 'ben@example.com' }, 'whsec');
	const start = address.indexOf('pass_along=') + 'pass_along='.length;
	// The last character also has bits that no byte takes.
	for (let at = start; at < address.length - 1; at++) {
		const changed =
			address.slice(0, at) + (address[at] === 'A' ? 'B' : 'A') + address.slice(at + 1);
		for (const each of [
			changed,
			address.slice(0, at),
			`${address.slice(0, at)}AAAA${address.slice(at)}`,
		])
			expect(read(each, 'whsec')).toBeNull();
	}
	for (const given of ['', ['a', 'b'], {}, null])
		expect(passedAlongOf({ pass_along: given }, ['whsec'])).toBeNull();
});

test('the same values look different each time, and do not show', () => {
	const [one, other] = ['', ''].map(() =>
		addPassedAlong(URL_OF_TRIGGER, { to: 'ben@example.com' }, 'whsec'),
	);
	expect(one).not.toBe(other);
	expect(
		Buffer.from(new URL(one ?? '').searchParams.get('pass_along') ?? '', 'base64url').toString(),
	).not.toContain('ben');
});

test('an address without values has none', () => {
	expect(read(URL_OF_TRIGGER, 'whsec')).toBeUndefined();
});

import { describe, expect, it } from 'vitest';

import { ApiFailure } from '../../../nodes/LegalAi/api/failure.ts';
import { failureOfStore, isAddressGone, presignedAddress, wordsOfXml } from '../../../nodes/LegalAi/files/fileStore.ts';

const FACTS = { subject: 'upload', fileName: 'NDA.pdf' } as const;

describe('a presigned address', () => {
	it.each(['https://files.example/a?signature=b', 'http://127.0.0.1:8787/a', 'http://localhost/a', 'http://[::1]:80/a'])(
		'%s may be used',
		(address) => {
			expect(presignedAddress(address, FACTS)).toBe(new URL(address).href);
		},
	);

	it.each(['http://files.example/a', 'ftp://files.example/a', 'file:///etc/passwd', 'files.example/a', '', null, 7, {}])(
		'%j may not',
		(address) => {
			expect(() => presignedAddress(address, FACTS)).toThrow(ApiFailure);
		},
	);
});

describe('what a file store answers', () => {
	const xml = (inner: string): string => `<?xml version="1.0" encoding="UTF-8"?>\n<Error>${inner}</Error>`;

	it.each([
		[xml('<Code>AccessDenied</Code><Message>Request has expired</Message>'), 'AccessDenied: Request has expired'],
		[xml('<Code>EntityTooLarge</Code>'), 'EntityTooLarge'],
		[xml('<Message>a &lt;b&gt; &amp;lt; c</Message>'), 'a <b> &lt; c'],
		[xml('<Code><![CDATA[Odd]]></Code>'), 'Odd'],
		['<html><body>Bad gateway</body></html>', undefined],
		['', undefined],
	])('%j is read as %j', (text, expected) => {
		expect(wordsOfXml(text)).toBe(expected);
	});

	it('is told without signatures and signed addresses', () => {
		const body = xml(
			'<Code>SignatureDoesNotMatch</Code><Message>No match for https://files.example/a?X-Signature=secret1</Message>' +
				'<StringToSign>secret2</StringToSign><SignatureProvided>secret3</SignatureProvided>',
		);
		const { facts } = failureOfStore({ status: 403, headers: {}, body }, FACTS);
		expect(facts.serviceMessage).toBe('SignatureDoesNotMatch: No match for https://files.example/a');
		expect(facts.fileName).toBe('NDA.pdf');
	});

	it.each([
		[403, 'refused', true],
		[404, 'refused', true],
		[410, 'refused', true],
		[400, 'refused', false],
		[307, 'refused', false],
		[429, 'interrupted', false],
		[503, 'interrupted', false],
	])('with %i means %s', (status, kind, isGone) => {
		const failure = failureOfStore({ status, headers: {}, body: '' }, FACTS);
		expect(failure.kind).toBe(kind);
		expect(isAddressGone(failure)).toBe(isGone);
	});
});

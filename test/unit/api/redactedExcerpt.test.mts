import { gzipSync, zstdCompressSync } from 'node:zlib';

import { redactedExcerpt } from '../../../nodes/LegalAi/api/json.ts';

test.each([
	['odd: sk-svc-api1-1f2e-3d, SK-SVC-API1-1F2E', 'odd: …, …'],
	['authorization: Bearer eyJhbGciOi.J9 was refused', 'authorization: Bearer … was refused'],
	['authorization: Bearer  eyJhbGciOi.J9 was refused', 'authorization: Bearer … was refused'],
	[
		'see https://store.example.com/f.pdf?X-Amz-Date=1&X-Amz-Signature=5ec3et now',
		'see https://store.example.com/f.pdf now',
	],
	['see store.example.com/f.pdf?v=1&amp;sig=5ec3et now', 'see store.example.com/f.pdf now'],
	['GET /f.pdf ? sig=5ec3et', 'GET /f.pdf ? sig…'],
	['f.pdf&X-Amz-Signature=5ec3et&x=1', 'f.pdf&X-Amz-Signature…'],
	['https://id.example.com/f%3Fsig%3D5ec3et%26x', 'https://id.example.com/f…'],
	['x.example.com/#access_token=5ec3et', 'x.example.com/#access_token…'],
	['{"sig":"5ec3et","id":7}', '{"sig":"…","id":7}'],
	[`ID ${'5ec3et'.repeat(7)}, unknown`, 'ID …, unknown'],
	['{"url":"https:\\/\\/x.example.com\\/f?sig=5ec3et"}', '{"url":"https:\\/\\/x.example.com\\/f'],
	['Really? 2 + 2 = 4, question 123e4567-e89b-12d3-a456-426614174000 is not known', undefined],
	['The key is not valid: ask for another token.', undefined],
	['Error: token: 5ec3et was refused', 'Error: token: … was refused'],
	['auth:key:5ec3et', 'auth:key:…'],
	['{"password":"hunting","user":"b7"}', '{"password":"…","user":"b7"}'],
	['{"password":"hunting","next":"longer"}', '{"password":"…","next":"longer"}'],
])('an answer that says %s is shown as %s', (text, shown) => {
	expect(redactedExcerpt(text)).toBe(shown ?? text);
});

test.each([
	...[
		'X-Amz-Signature\\u003dSECRET',
		'X-Amz-Signature%253DSECRET',
		'X-Amz-Signature%25253dSECRET',
		'X-Amz-Signature&#61;SECRET',
		'sig&#x3d;SECRET',
	],
	...[
		'{"X-Amz-Signature":"SECRET"}',
		'{\\"sig\\":\\"SECRET\\"}',
		'X-Amz-Signature: SECRET',
		"Signature : 'SECRET'",
		'AWSAccessKeyId: SECRET',
		'sig = SECRET',
	],
	...['signed with SECRETSECRET0000000000', 'https://files.example/SECRETSECRET0000000000/a'],
])('no signature is shown, however it is written: %s', (text) => {
	const secret = '5ec3eta1b2c3d4e5f6a7';
	const shown = redactedExcerpt(`No access (${text.replaceAll('SECRET', secret)}) to it`);
	expect(shown).toContain('No access (');
	expect(shown).not.toContain(secret);
});

const page = Buffer.from('{"message":"Not now, says a proxy"}');
test.each([
	['zstd', zstdCompressSync(page)],
	['gzip, without a header that says so', gzipSync(page)],
	['UTF-16', Buffer.from(page.toString(), 'utf16le')],
])('bytes in an encoding that was not read are named in words: %s', (_, bytes) => {
	expect(redactedExcerpt(bytes.toString())).toContain('a response that is not text');
});

test('the excerpt of an HTML page shows its words, up to 200 characters', () => {
	expect(
		redactedExcerpt(
			'<html><style>a { b: c }</style><h1>Not\n\n found</h1><script>var a = "<b>";</script>',
		),
	).toBe('Not found');
	expect(redactedExcerpt('word '.repeat(100))).toBe(`${'word '.repeat(40)}…`);
	expect(redactedExcerpt('x '.repeat(100))).toBe('x '.repeat(100).trim());
	expect(redactedExcerpt('Not<br>found<style></style>here<script>var a = 1;')).toBe(
		'Not found here',
	);
	expect(redactedExcerpt(' <br> ')).toBe('');
	expect(redactedExcerpt(`${'<br>'.repeat(5_000)}after 20,000 characters`)).toBe('');
});

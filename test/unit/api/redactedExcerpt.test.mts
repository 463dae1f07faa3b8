import { expect, test } from 'vitest';

import { redactedExcerpt } from '../../../nodes/LegalAi/api/redactedExcerpt.ts';

test.each([
	['odd: sk-svc-api1-1f2e-3d, SK-SVC-API1-1F2E', 'odd: …, …'],
	['authorization: Bearer eyJhbGciOi.J9 was refused', 'authorization: Bearer … was refused'],
	['see https://store.example.com/f.pdf?X-Amz-Date=1&X-Amz-Signature=5ec3et now', 'see https://store.example.com/f.pdf now'],
	['see store.example.com/f.pdf?v=1&amp;sig=5ec3et now', 'see store.example.com/f.pdf now'],
	['authorization: Bearer  eyJhbGciOi.J9 was refused', 'authorization: Bearer … was refused'],
	['GET /f.pdf ? sig=5ec3et', 'GET /f.pdf ? sig=…'],
	['policy=eyJhbGciOiJIUzI1 is over', '… is over'],
	['f.pdf&X-Amz-Signature=5ec3et&x=1', 'f.pdf…'],
	['https://id.example.com/f%3Fsig%3D5ec3et%26x', 'https://id.example.com/f%3Fsig%3D…'],
	['x.example.com/#access_token=5ec3et', 'x.example.com/#access_token=…'],
	['{"url":"https:\\/\\/x.example.com\\/f?sig=5ec3et"}', '{"url":"https:\\/\\/x.example.com\\/f'],
])('%s is shown as %s', (text, shown) => {
	expect(redactedExcerpt(text)).toBe(shown);
});

test('of a page, its words are shown, up to 200 characters of them', () => {
	expect(redactedExcerpt('<html><style>a { b: c }</style><h1>Not\n\n found</h1><script>var a = "<b>";</script>')).toBe('Not found');
	expect(redactedExcerpt('word '.repeat(100))).toBe(`${'word '.repeat(40)}…`);
	expect(redactedExcerpt('x'.repeat(200))).toBe('x'.repeat(200));
	expect(redactedExcerpt('Not<br>found<style></style>here<script>var a = 1;')).toBe('Not found here');
	expect(redactedExcerpt(' <br> ')).toBeUndefined();
	expect(redactedExcerpt(`${'<br>'.repeat(5_000)}after 20,000 characters`)).toBeUndefined();
});

const HOSTILE = [
	...['<script ', '<', '<a', '<script>', '</script', '?', '?a', '?=', '? ', 'a-', 'bearer ', 'bearer', ' ', 'sig', 'sig=', 'sig%3D', 'sk-svc-api1-'],
	...['token_', '%3F', '=', '&', '\n', '<!--', '-->', '"', 'key=?'],
];

// At the 150 ms that such a text once took, this would take minutes.
test('texts that are made to be slow to search are as quick as any', () => {
	for (const part of HOSTILE) {
		const text = part.repeat(Math.ceil(20_000 / part.length));
		for (let times = 0; times < 20; times += 1) {
			redactedExcerpt(`${text}x`);
			redactedExcerpt(`x?${text}`);
			redactedExcerpt(`<script>${text}`);
		}
	}
});

import { parseBaseUrl } from '../../../nodes/LegalAi/api/baseUrl.ts';
import { InvalidInputError } from '../../../nodes/LegalAi/messages/template.ts';

const SERVICE = 'https://legal-ai.example.com/api/v1';

test.each([
	[SERVICE, SERVICE],
	[` ${SERVICE}/ `, SERVICE],
	[`${SERVICE}///`, SERVICE],
	['https://legal-ai.example.com/eu/api/v1', 'https://legal-ai.example.com/eu/api/v1'],
	['http://localhost:8787/api/v1', 'http://localhost:8787/api/v1'],
	['http://[::1]:8787/api/v1', 'http://[::1]:8787/api/v1'],
])('%j may be the Base URL', (text, expected) => {
	expect(parseBaseUrl(text).href).toBe(expected);
});

test.each([
	[/has no "Base URL"/, [undefined, '', '  ', 7]],
	[/not a web address/, ['legal-ai.example.com/api/v1', 'ftp://legal-ai.example.com/api/v1']],
	[
		/not a plain address/,
		['me:pw', 'me', ':pw'].map((user) => `https://${user}@legal-ai.example.com/api/v1`),
	],
	[/unencrypted/, ['http://legal-ai.example.com/api/v1', 'http://192.168.1.2/api/v1']],
	[/not a plain address/, [`${SERVICE}?key=1`, `${SERVICE}#top`, `${SERVICE}/x/..`]],
	[
		/not a plain address/,
		['x/../api/v1', 'x/%2E%2e/api/v1'].map((path) => `https://legal-ai.example.com/${path}`),
	],
	[
		/must end in \/api\/v1/,
		['https://legal-ai.example.com', 'https://legal-ai.example.com/api/v2'],
	],
])('a Base URL is refused with a message like %s: %j', (message, texts) => {
	for (const text of texts) {
		expect(() => parseBaseUrl(text)).toThrow(InvalidInputError);
		expect(() => parseBaseUrl(text)).toThrow(message);
	}
});

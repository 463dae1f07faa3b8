import { expect, test } from 'vitest';

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
	[undefined, /has no "Base URL"/],
	['', /has no "Base URL"/],
	['  ', /has no "Base URL"/],
	[7, /has no "Base URL"/],
	['legal-ai.example.com/api/v1', /not a web address/],
	['ftp://legal-ai.example.com/api/v1', /not a web address/],
	['https://me:pw@legal-ai.example.com/api/v1', /user name or a password/],
	['https://me@legal-ai.example.com/api/v1', /user name or a password/],
	['https://:pw@legal-ai.example.com/api/v1', /user name or a password/],
	['http://legal-ai.example.com/api/v1', /unencrypted/],
	['http://192.168.1.2/api/v1', /unencrypted/],
	[`${SERVICE}?key=1`, /not a plain address/],
	[`${SERVICE}#top`, /not a plain address/],
	['https://legal-ai.example.com/x/../api/v1', /not a plain address/],
	['https://legal-ai.example.com/x/%2E%2e/api/v1', /not a plain address/],
	['https://legal-ai.example.com/api/v1/x/..', /not a plain address/],
	['https://legal-ai.example.com', /must end in \/api\/v1/],
	['https://legal-ai.example.com/api/v2', /must end in \/api\/v1/],
])('%j may not be the Base URL', (text, message) => {
	expect(() => parseBaseUrl(text)).toThrow(InvalidInputError);
	expect(() => parseBaseUrl(text)).toThrow(message);
});

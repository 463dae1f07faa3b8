import { describe, expect, test } from 'vitest';

import { AddressNotAllowedError, NotFoundError } from '../../../nodes/LegalAi/api/errors.ts';
import type { Reach } from '../../../nodes/LegalAi/api/reach.ts';
import { allowedAddress, errorOfStorage, isLinkExpired, messageOfXml, sendToStorage } from '../../../nodes/LegalAi/files/fileStorage.ts';

const DETAILS = { subject: 'upload', fileName: 'NDA.pdf' } as const;

type Service = Parameters<typeof allowedAddress>[0];

/** A service, and what names resolve to. */
const serviceAt = (baseUrl: string, names: Readonly<Record<string, Reach>> = {}): Service => ({
	baseUrl,
	transport: {
		authenticated: sendsNothing,
		anonymous: sendsNothing,
		resolveReach: async (url: string) => await Promise.resolve(names[new URL(url).hostname] ?? 'public'),
	},
});

const sendsNothing = (): never => {
	throw new Error('Nothing is to be sent');
};

const PUBLIC = serviceAt('https://legal-ai.example.com/api/v1');
const LOCAL = serviceAt('http://127.0.0.1:8787/api/v1');
const PRIVATE = serviceAt('https://10.0.0.5/api/v1');

describe('the address of a file', () => {
	test.each([
		[PUBLIC, 'https://files.example/a?signature=b'],
		[PUBLIC, 'https://8.8.8.8/a'],
		[LOCAL, 'https://files.example/a'],
		[LOCAL, 'http://127.0.0.1:8787/a'],
		[LOCAL, 'http://localhost/a'],
		[LOCAL, 'https://[::1]:80/a'],
		[PRIVATE, 'https://192.168.1.1/a'],
		[PRIVATE, 'https://storage/a'],
		[serviceAt('https://legal.corp.example/api/v1', { 'legal.corp.example': 'private' }), 'https://10.0.0.7/a'],
		[
			serviceAt('https://legal.corp.example/api/v1', { 'legal.corp.example': 'private', 'files.corp.example': 'private' }),
			'https://files.corp.example/a',
		],
	])('of $baseUrl may be %s', async (service, address) => {
		expect(await allowedAddress(service, address, DETAILS)).toBe(new URL(address).href);
	});

	test.each<readonly [Service, unknown]>([
		...['http://files.example/a', 'ftp://files.example/a', 'file:///etc/passwd', 'files.example/a', '', null, 7, {}, ['https://files.example/a']].map(
			(address) => [PUBLIC, address] as const,
		),
		...['http://127.0.0.1/a', 'https://localhost/a', 'https://0.0.0.0/a', 'https://[::ffff:127.0.0.1]/a', 'https://169.254.169.254/a',
			'https://10.0.0.1/a', 'https://storage/a', 'https://n8n.internal/a', 'https://[fd00::1]/a', 'https://0x7f000001/a',
		].map((address) => [PUBLIC, address] as const),
		[LOCAL, 'https://10.0.0.1/a'],
		[LOCAL, 'https://169.254.169.254/a'],
		[LOCAL, 'http://10.0.0.1/a'],
		[LOCAL, 'ftp://127.0.0.1/a'],
		[PRIVATE, 'https://127.0.0.1/a'],
		[PRIVATE, 'https://169.254.169.254/a'],
		[PRIVATE, 'http://10.0.0.5/a'],
		[serviceAt(PUBLIC.baseUrl, { 'files.example': 'loopback' }), 'https://files.example/a'],
		[serviceAt(PUBLIC.baseUrl, { 'files.example': 'private' }), 'https://files.example/a'],
		[serviceAt(PRIVATE.baseUrl, { 'files.example': 'linkLocal' }), 'https://files.example/a'],
		[serviceAt(LOCAL.baseUrl, { 'files.example': 'loopback' }), 'http://files.example/a'],
	])('of $baseUrl may not be %j', async (service, address) => {
		await expect(allowedAddress(service, address, DETAILS)).rejects.toThrow(AddressNotAllowedError);
	});
});

describe('what the file storage answers', () => {
	const xml = (inner: string): string => `<?xml version="1.0" encoding="UTF-8"?>\n<Error>${inner}</Error>`;

	test.each([
		[xml('<Code>AccessDenied</Code><Message>Request has expired</Message>'), 'AccessDenied: Request has expired'],
		[xml('<Code>EntityTooLarge</Code>'), 'EntityTooLarge'],
		[xml('<Message>a &lt;b&gt; &amp;lt; c</Message>'), 'a <b> &lt; c'],
		[xml('<Message>&quot;a&quot; isn&apos;t there</Message>'), '"a" isn\'t there'],
		[xml('<Code>\n\tAccessDenied\n</Code>\n<Message> Not for you \n</Message>'), 'AccessDenied: Not for you'],
		[xml('<Code><![CDATA[Odd]]></Code>'), 'Odd'],
		['<html><body>Bad gateway</body></html>', undefined],
		['', undefined],
	])('%j is read as %j', (text, expected) => {
		expect(messageOfXml(text)).toBe(expected);
	});

	test('is shown without signatures and signed addresses', () => {
		const body = xml(
			'<Code>SignatureDoesNotMatch</Code><Message>No match for https://files.example/a?X-Signature=secret1</Message>' +
				'<StringToSign>secret2</StringToSign><SignatureProvided>secret3</SignatureProvided>',
		);
		const { details } = errorOfStorage({ status: 403, headers: {}, body }, DETAILS);
		expect(details.serviceMessage).toBe('SignatureDoesNotMatch: No match for https://files.example/a');
		expect(details.fileName).toBe('NDA.pdf');
	});

	test.each([
		[403, 'rejected', true],
		[404, 'rejected', true],
		[410, 'rejected', true],
		[400, 'rejected', false],
		[307, 'rejected', false],
		[429, 'outcomeUnknown', false],
		[503, 'outcomeUnknown', false],
	])('with %i means %s', (status, kind, isExpired) => {
		const error = errorOfStorage({ status, headers: {}, body: '' }, DETAILS);
		expect(error.kind).toBe(kind);
		expect(error.details).toMatchObject({ ...DETAILS, status });
		expect(isLinkExpired(error)).toBe(isExpired);
	});

	test.each([
		[400, '<Code>ExpiredToken</Code>', true],
		[400, '<Code>RequestExpired</Code><Message>Too late.</Message>', true],
		[400, '<Code>InvalidArgument</Code><Message>ExpiredToken is no header.</Message>', false],
		[500, '<Code>ExpiredToken</Code>', false],
		[503, '<Code>AuthenticationFailed</Code>', false],
	])('with %i and %s means that the link has expired: %s', (status, inner, isExpired) => {
		expect(isLinkExpired(errorOfStorage({ status, headers: {}, body: xml(inner) }, DETAILS))).toBe(isExpired);
	});

	test.each([
		['what the service answers', new NotFoundError({ subject: 'question', status: 404 })],
		['a failure within n8n', new Error('No space left on device')],
		['nothing', undefined],
	])('is told from %s: no link has expired then', (_what, error) => {
		expect(isLinkExpired(error)).toBe(false);
	});

	test('is told from no answer at all, which says which file was not sent or fetched', async () => {
		const failure = Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' });
		const transport = { ...PUBLIC.transport, anonymous: async () => await Promise.reject(failure) };
		const sent = sendToStorage(transport, DETAILS, { url: 'https://files.example/a' });
		await expect(sent).rejects.toMatchObject({ kind: 'connectionFailed', details: { ...DETAILS, networkCode: 'ENOTFOUND' } });
	});
});

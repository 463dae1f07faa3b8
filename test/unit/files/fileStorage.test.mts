import type { ApiErrorKind } from '../../../nodes/LegalAi/api/errors.ts';
import {
	addressFromOutside,
	addressFromService,
	errorOfStorage,
	isLinkExpired,
	messageOfXml,
} from '../../../nodes/LegalAi/files/fileStorage.ts';

const DETAILS = { transfer: 'upload', fileName: 'NDA.pdf' } as const;

const PUBLIC = { baseUrl: 'https://legal-ai.example.com/api/v1' };
const LOCAL = { baseUrl: 'http://127.0.0.1:8787/api/v1' };
const PRIVATE = { baseUrl: 'https://10.0.0.5/api/v1' };

const WITHIN_THE_NETWORK = [
	'https://10.0.0.1/a',
	'https://storage/a',
	'https://n8n.internal/a',
	'https://[fd00::1]/a',
];
const WITHIN_THE_MACHINE = [
	'https://localhost/a',
	'https://0.0.0.0/a',
	'https://[::ffff:127.0.0.1]/a',
	'https://0x7f000001/a',
];
const METADATA = ['https://169.254.169.254/a', 'https://[fe80::1]/a'];
const NO_ADDRESSES = [
	'http://files.example/a',
	'http://10.0.0.5/a',
	'ftp://files.example/a',
	'file:///etc/passwd',
	'files.example/a',
	'',
	null,
	7,
	{},
	['https://a.example'],
];

describe('the address of a file', () => {
	test.each([PUBLIC, LOCAL, PRIVATE])(
		'can be any https address if the service at $baseUrl gives it',
		(service) => {
			for (const address of [
				'https://files.example/a?signature=b',
				...WITHIN_THE_NETWORK,
				...WITHIN_THE_MACHINE,
				...METADATA,
			]) {
				expect(addressFromService(service, address, DETAILS)).toBe(new URL(address).href);
			}
		},
	);

	test.each([PUBLIC, LOCAL, PRIVATE])(
		"can't lead to this machine or its metadata if others give it, unless %j is this machine, too",
		(service) => {
			for (const address of [
				'https://files.example/a',
				'https://8.8.8.8/a',
				...WITHIN_THE_NETWORK,
			]) {
				expect(addressFromOutside(service, address, DETAILS)).toBe(new URL(address).href);
			}
			for (const address of WITHIN_THE_MACHINE) {
				if (service === LOCAL)
					expect(addressFromOutside(service, address, DETAILS)).toBe(new URL(address).href);
				else
					expect(() => addressFromOutside(service, address, DETAILS)).toThrow('addressNotAllowed');
			}
			for (const address of METADATA)
				expect(() => addressFromOutside(service, address, DETAILS)).toThrow('addressNotAllowed');
		},
	);

	test.each([addressFromService, addressFromOutside])(
		'must be encrypted, unless it and the service are on this machine: $name',
		(read) => {
			for (const address of NO_ADDRESSES)
				expect(() => read(PUBLIC, address, DETAILS)).toThrow('addressNotAllowed');
			for (const address of ['http://127.0.0.1:8787/a', 'http://localhost/a']) {
				expect(read(LOCAL, address, DETAILS)).toBe(address);
				expect(() => read(PUBLIC, address, DETAILS)).toThrow('addressNotAllowed');
				expect(() => read(PRIVATE, address, DETAILS)).toThrow('addressNotAllowed');
			}
		},
	);
});

describe('what the file storage answers', () => {
	const xml = (inner: string) => `<?xml version="1.0" encoding="UTF-8"?>\n<Error>${inner}</Error>`;

	test.each([
		[
			xml('<Code>AccessDenied</Code><Message>Request has expired</Message>'),
			'AccessDenied: Request has expired',
		],
		[xml('<Code>EntityTooLarge</Code>'), 'EntityTooLarge'],
		[
			xml('<Code>\n\tAccessDenied\n</Code>\n<Message> Not for you \n</Message>'),
			'AccessDenied: Not for you',
		],
		[xml('<Code><![CDATA[Odd]]></Code>'), 'Odd'],
		['<html><body>Bad gateway</body></html>', undefined],
		['', undefined],
	])('%j is read as %j', (text, expected) => {
		expect(messageOfXml(text)).toBe(expected);
	});

	const json = (body: object) => JSON.stringify(body);

	/** As the documentation of stores and their users show it; real stores are in `test/stores/`. */
	test.each<[string, number, string]>([
		['Amazon S3', 403, xml('<Code>AccessDenied</Code><Message>Request has expired</Message>')],
		['Amazon S3, key that is valid for a time', 400, xml('<Code>ExpiredToken</Code>')],
		['Amazon S3, clock that is wrong', 403, xml('<Code>RequestTimeTooSkewed</Code>')],
		['S3 of others, clock that is wrong', 400, xml('<Code>RequestTimeTooSkewed</Code>')],
		['Cloudflare R2', 400, xml('<Code>ExpiredRequest</Code>')],
		['Azure Blob Storage', 403, xml('<Code>AuthenticationFailed</Code>')],
		['Azure Blob Storage, file that is gone', 404, xml('<Code>BlobNotFound</Code>')],
		['OpenStack TempURL', 401, '<html><h1>Unauthorized: Temp URL invalid</h1></html>'],
		['Backblaze B2', 401, json({ code: 'expired_auth_token', status: 401 })],
		['Supabase', 400, json({ statusCode: '400', error: 'InvalidJWT' })],
		[
			'one that explains itself',
			400,
			xml('<Code>InvalidArgument</Code><Message>SlowDown is no header.</Message>'),
		],
		['one that does not know its own signature', 403, xml('<Code>SignatureDoesNotMatch</Code>')],
		...[400, 401, 402, 403, 404, 405, 407, 409, 410, 412, 416, 418, 422, 451].map(
			(status): [string, number, string] => ['any other', status, ''],
		),
	])('may mean that the address has expired: %s, with %i and %j', (_store, status, body) => {
		const error = errorOfStorage({ status, headers: {}, body });
		expect(error).toMatchObject({ kind: 'rejected', details: { status } });
		expect(isLinkExpired(error.with(DETAILS))).toBe(true);
	});

	test.each<[number, string, ApiErrorKind]>([
		[413, '', 'rejected'],
		[307, '', 'redirected'],
		[500, xml('<Code>ExpiredToken</Code>'), 'outcomeUnknown'],
	])('with %i and %j means %s, and not that the address has expired', (status, body, kind) => {
		const error = errorOfStorage({ status, headers: {}, body });
		expect(error).toMatchObject({ kind, details: { status } });
		expect(isLinkExpired(error.with(DETAILS))).toBe(false);
	});

	const passing: [codes: string[], status: number, bodyOf: (code: string) => string][] = [
		[
			[
				'RequestTimeout',
				'RequestTimeoutException',
				'IncompleteBody',
				'BadDigest',
				'InternalError',
				'Md5Mismatch',
			],
			400,
			(code) => xml(`<Code>${code}</Code>`),
		],
		[
			['RequestLimitExceeded', 'BandwidthLimitExceeded', 'TemporarilyUnavailable'],
			400,
			(code) => xml(`<Code>${code}</Code>`),
		],
		[
			['OperationAborted', 'ConditionalRequestConflict'],
			409,
			(code) => xml(`<Code>${code}</Code>`),
		],
		[
			[
				'SlowDown',
				'ServiceUnavailable',
				'ServerBusy',
				'OperationTimedOut',
				'Throttling',
				'TooManyRequests',
			],
			403,
			(code) => xml(`<Code>${code}</Code>`),
		],
		[['RequestTimeout', 'service-unavailable'], 401, (code) => json({ code, message: 'Later.' })],
		[['slow_down'], 400, (Code) => json({ Code })],
		[['InternalError'], 400, (code) => json({ error: { code } })],
		[['too_many_requests'], 400, (error_code) => json({ error_code })],
	];

	test.each<[number, string]>([
		...[408, 429, 500, 503].map((status): [number, string] => [status, '']),
		...passing.flatMap(([codes, status, bodyOf]) =>
			codes.map((code): [number, string] => [status, bodyOf(code)]),
		),
	])('with %i and %j passes', (status, body) => {
		const error = errorOfStorage({ status, headers: {}, body });
		expect(error.kind).toBe('outcomeUnknown');
		expect(isLinkExpired(error.with(DETAILS))).toBe(false);
	});
});

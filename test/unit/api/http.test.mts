import { Readable } from 'node:stream';

import {
	toResponseError,
	toTransportError,
	readResponse,
	sendRequest,
	streamResponse,
} from '../../../nodes/LegalAi/api/http.ts';

const errorWith = (properties: object) => Object.assign(new Error('odd'), properties);

const response = (statusCode: number, body: unknown = '', headers = {}) => ({
	statusCode,
	headers,
	body: typeof body === 'string' ? body : JSON.stringify(body),
});

describe('a request without a response', () => {
	test.each([
		['connectionFailed', ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN']],
		[
			'outcomeUnknown',
			[
				'EHOSTUNREACH',
				'ENETUNREACH',
				'ENETDOWN',
				'ECONNRESET',
				'ECONNABORTED',
				'ETIMEDOUT',
				'EPIPE',
			],
		],
		[
			'outcomeUnknown',
			['EPROTO', 'ERR_SSL_TLSV1_ALERT_CERTIFICATE_REQUIRED', 'ERR_SSL_WRONG_VERSION_NUMBER'],
		],
		[
			'tlsFailed',
			['DEPTH_ZERO_SELF_SIGNED_CERT', 'CERT_HAS_EXPIRED', 'ERR_TLS_CERT_ALTNAME_INVALID'],
		],
		['tlsFailed', ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY']],
		['invalidResponse', ['HPE_INVALID_CONSTANT']],
		['canceled', ['ERR_CANCELED']],
	])('is %s with the code %j', (kind, codes) => {
		for (const networkCode of codes) {
			const error = toTransportError(errorWith({ cause: errorWith({ code: networkCode }) }));
			expect(error).toMatchObject({ kind, details: { networkCode } });
		}
	});

	test.each([
		['connect', 'connectionFailed'],
		['getaddrinfo', 'connectionFailed'],
		['read', 'outcomeUnknown'],
		['write', 'outcomeUnknown'],
	])(
		'may have arrived, unless the system call that failed comes before sending: %s',
		(syscall, kind) => {
			for (const code of ['ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ECONNRESET']) {
				const cause = errorWith({ code, syscall });
				const ofTwoAddresses = Object.assign(new AggregateError([cause, cause]), { code });
				for (const error of [cause, errorWith({ cause, code }), ofTwoAddresses]) {
					expect(toTransportError(error)).toMatchObject({ kind, details: { networkCode: code } });
				}
			}
		},
	);

	test.each([
		['has written nothing yet', { bytesWritten: 90, writableLength: 90 }, 'connectionFailed'],
		['has written a part', { bytesWritten: 90, writableLength: 10 }, 'outcomeUnknown'],
		['does not exist yet', null, 'connectionFailed'],
		['is not known', undefined, 'outcomeUnknown'],
	])('may have arrived, unless its connection %s', (_what, socket, kind) => {
		for (const code of ['ECONNABORTED', 'ECONNRESET', undefined]) {
			const cause = errorWith({ code, request: { socket } });
			expect(toTransportError(errorWith({ cause })).kind).toBe(kind);
		}
	});

	test('has a certificate that was not accepted, though nothing was written', () => {
		const request = { socket: { bytesWritten: 90, writableLength: 90 } };
		const cause = errorWith({ code: 'CERT_HAS_EXPIRED', request });
		expect(toTransportError(errorWith({ cause })).kind).toBe('tlsFailed');
	});

	test('is blocked by n8n if the first cause says so', () => {
		const cause = errorWith({ name: 'SsrfBlockedIpError' });
		expect(toTransportError(errorWith({ cause })).kind).toBe('blockedByN8n');
	});

	test('of which nothing is known may have arrived, and its message holds no key', () => {
		const error = toTransportError(
			new Error('odd: Bearer sk-svc-api1-abc at https://x.example/y?sig=abc'),
		);
		expect(error).toMatchObject({
			kind: 'outcomeUnknown',
			details: { said: 'odd: Bearer … at https://x.example/y' },
		});
	});
});

describe('a response', () => {
	test.each<[unknown, string]>([
		[{ message: 'a', error: 'b' }, 'a'],
		[{ error: 'b', status: 401 }, 'b'],
		['<h1>Bad</h1>', 'Bad'],
		[{ message: 'NDA \u0096 Acme is locked' }, 'NDA Acme is locked'],
	])('of %j is quoted as "%s"', (body, quoted) => {
		expect(toResponseError(response(400, body)).details.said).toBe(quoted);
	});

	test('shows a code only if it looks like one', () => {
		expect(
			toResponseError(response(400, { svc_api_error_code: 'unsupported_file_type' })).details
				.errorCode,
		).toBe('unsupported_file_type');
		for (const code of ['', 'a b', '<b>', 7, null, 'x'.repeat(65)]) {
			expect(
				toResponseError(response(400, { error_code: code })).details.errorCode,
			).toBeUndefined();
		}
	});

	test('has the first code and the first words that are not empty', () => {
		const body = {
			error_code: '',
			svc_api_error_code: 'unsupported_file_type',
			message: ' ',
			error: 'No such type',
		};
		expect(toResponseError(response(400, body)).details).toMatchObject({
			errorCode: 'unsupported_file_type',
			said: 'No such type',
		});
		expect(toResponseError(response(400, { ...body, error: '' })).details.said).toContain(
			'unsupported_file_type',
		);
	});

	test('says by its code, and not by its status, that a session is busy', () => {
		const readKind = (error_code: string) => toResponseError(response(409, { error_code })).kind;
		expect(['session_still_processing', 'other'].map(readKind)).toEqual([
			'sessionBusy',
			'rejected',
		]);
	});

	test('below 400 is a redirect', () => {
		expect([302, 399, 400].map((status) => toResponseError(response(status, {})).kind)).toEqual([
			...['redirected', 'redirected', 'rejected'],
		]);
	});

	test('of JSON that is no object or list is none of the API', () => {
		for (const body of ['null', '7', '"text"'])
			expect(() => readResponse(response(200, body))).toThrow('invalidResponse');
	});

	test('is closed, also if whoever reads it fails', async () => {
		const body = Readable.from([Buffer.from('a')]);
		const send = () => Promise.resolve({ statusCode: 200, headers: {}, body });
		const fail = () => Promise.reject(new Error('odd'));
		await expect(streamResponse(send, { url: 'u' }, fail)).rejects.toThrow('odd');
		expect(body.destroyed).toBe(true);
	});

	test('is decoded correctly even if its characters arrive in parts', async () => {
		const bytes = Buffer.from('\ufeff"§ 5, 10 €"');
		const body = Readable.from([...bytes].map((byte) => Buffer.from([byte])));
		const send = () => Promise.resolve({ statusCode: 200, headers: {}, body });
		expect((await sendRequest(send, { url: 'u' })).body).toBe('"§ 5, 10 €"');
	});
});

const now = Date.parse('2026-01-01T00:00:00Z');

describe('Retry-After', () => {
	beforeEach(() => {
		vi.useFakeTimers({ now });
	});
	afterEach(() => {
		vi.useRealTimers();
	});

	const read = (header: unknown) =>
		toResponseError(response(429, '', { 'retry-after': header, date: new Date(0).toUTCString() }))
			.details.retryAfterMs;

	test.each([
		['30', 30_000],
		['0', 0],
		['86400', 86_400_000],
		['Wed, 21 Oct 2015 07:28:00 GMT', 0],
		['Thu, 01 Jan 2026 00:15:01 GMT', 901_000],
	])('%j means %j ms, by the clock of this machine', (header, ms) => {
		expect(read(header)).toBe(ms);
	});

	test.each([
		...['86401', 'Fri, 02 Jan 2026 00:00:01 GMT', 'Thu, 41 Jan 2026'],
		...['wait 40', '-5', '1e3', '2026-01-01T00:01:00Z', '', undefined, 30],
	])('%j is no time to wait', (header) => {
		expect(read(header)).toBeUndefined();
	});
});

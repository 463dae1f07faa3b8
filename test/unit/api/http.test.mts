import { Readable } from 'node:stream';
import { inspect } from 'node:util';

import { describe, expect, test } from 'vitest';

import { errorOfResponse, errorOfTransport, parseRetryAfter, sendRequest, type SendHttp } from '../../../nodes/LegalAi/api/http.ts';

const response = (status: number, body: unknown = '', headers = {}): Parameters<typeof errorOfResponse>[0] => ({
	status,
	headers,
	body: typeof body === 'string' ? body : JSON.stringify(body),
	responseMs: 0,
});

describe('a request without a response', () => {
	test.each([
		['connectionFailed', ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN']],
		['outcomeUnknown', ['EHOSTUNREACH', 'ENETUNREACH', 'ENETDOWN', 'ECONNRESET', 'ECONNABORTED', 'ETIMEDOUT', 'EPIPE']],
		['outcomeUnknown', ['EPROTO', 'ERR_SSL_TLSV1_ALERT_CERTIFICATE_REQUIRED', 'ERR_SSL_WRONG_VERSION_NUMBER']],
		['tlsFailed', ['DEPTH_ZERO_SELF_SIGNED_CERT', 'CERT_HAS_EXPIRED', 'ERR_TLS_CERT_ALTNAME_INVALID']],
		['tlsFailed', ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY']],
		['invalidResponse', ['HPE_INVALID_CONSTANT']],
		['canceled', ['ERR_CANCELED']],
	])('is %s with the code %j', (kind, codes) => {
		for (const code of codes) {
			const cause = Object.assign(new Error('inner'), { code });
			expect(errorOfTransport(new Error('outer', { cause }))).toMatchObject({ kind, details: { networkCode: code } });
		}
	});

	test.each([
		['connect', 'connectionFailed'],
		['getaddrinfo', 'connectionFailed'],
		['read', 'outcomeUnknown'],
		['write', 'outcomeUnknown'],
	])('may have arrived, unless that broke which comes before it: %s', (syscall, kind) => {
		for (const code of ['ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ECONNRESET']) {
			const cause = Object.assign(new Error('inner'), { code, syscall });
			expect(errorOfTransport(cause)).toMatchObject({ kind, details: { networkCode: code } });
			expect(errorOfTransport(Object.assign(new Error('outer', { cause }), { code })).kind).toBe(kind);
			const ofTwo = Object.assign(new AggregateError([cause, cause]), { code });
			expect(errorOfTransport(ofTwo).kind).toBe(kind);
		}
	});

	test('is told by the code of the network, not by a number that some wrapper adds', () => {
		const cause = Object.assign(new Error('inner'), { code: 'ECONNREFUSED' });
		expect(errorOfTransport(Object.assign(new Error('outer', { cause }), { code: 7 })).kind).toBe('connectionFailed');
	});

	test('of which nothing is known may have arrived, and its message holds no key', () => {
		const error = errorOfTransport(new Error('odd: Bearer sk-svc-api1-abc at https://x.example/y?sig=abc'));
		expect(error).toMatchObject({
			kind: 'outcomeUnknown',
			details: { serviceMessage: 'odd: Bearer … at https://x.example/y' },
		});
	});

	test('keeps the network\'s own error as its cause, also with more details, and never the request, which holds the key', () => {
		const cause = Object.assign(new Error('inner'), { code: 'ECONNRESET' });
		const ofClient = Object.assign(new Error('outer', { cause }), { config: { headers: { Authorization: 'Bearer sk-svc-api1-abc' } } });
		expect(errorOfTransport(ofClient).with({ subject: 'task' }).cause).toBe(cause);
		const timedOut = Object.assign(new Error('timeout'), { code: 'ECONNABORTED', config: ofClient.config });
		expect(inspect(errorOfTransport(new Error('wrapped', { cause: timedOut })), { depth: 9 })).not.toContain('sk-svc');
	});

	test('that fails with no error at all, or in a circle of causes, may have arrived', () => {
		const circle = new Error('round');
		circle.cause = circle;
		for (const odd of ['text', undefined, null, 7]) expect(errorOfTransport(odd)).toMatchObject({ kind: 'outcomeUnknown', details: {} });
		expect(errorOfTransport(circle)).toMatchObject({ kind: 'outcomeUnknown' });
	});
});

describe('a response', () => {
	test.each([
		[[429], 'rateLimited'],
		[[408, 500, 503], 'outcomeUnknown'],
		[[302], 'redirected'],
		[[400, 401, 404, 409], 'rejected'],
	])('with %j means %s', (statuses, kind) => {
		for (const status of statuses) expect(errorOfResponse(response(status))).toMatchObject({ kind, details: { status } });
	});

	test('says that the session is busy by its code, whatever else it says', () => {
		const body = { error_code: 'session_still_processing', message: 'Busy.' };
		expect(errorOfResponse(response(400, body))).toMatchObject({
			kind: 'sessionBusy',
			details: { status: 400, errorCode: 'session_still_processing', serviceMessage: 'Busy.' },
		});
	});

	test('is quoted by its message, else its error, else its beginning', () => {
		expect(errorOfResponse(response(400, { message: 'a', error: 'b' })).details.serviceMessage).toBe('a');
		expect(errorOfResponse(response(400, { error: 'b' })).details.serviceMessage).toBe('b');
		expect(errorOfResponse(response(400, { message: ' ', error: 'b' })).details.serviceMessage).toBe('b');
		expect(errorOfResponse(response(400, '<h1>Bad</h1>')).details.serviceMessage).toBe('Bad');
	});

	test('shows a code only if it looks like one', () => {
		expect(errorOfResponse(response(400, { svc_api_error_code: 'unsupported_file_type' })).details.errorCode).toBe('unsupported_file_type');
		for (const code of ['', 'a b', '<b>', 7, null, 'x'.repeat(65)]) {
			expect(errorOfResponse(response(400, { error_code: code })).details.errorCode).toBeUndefined();
		}
	});

	test('brings along how long to wait', () => {
		expect(errorOfResponse(response(429, '', { 'retry-after': '7' })).details.retryAfterMs).toBe(7_000);
	});

	test('of 32 MB is read, and of one byte more is not', async () => {
		const megabytes = (count: number, more = 0): Readable =>
			Readable.from([...Array.from({ length: count }, () => Buffer.alloc(1024 * 1024, 'x')), Buffer.alloc(more)]);
		expect((await sendRequest(answering(megabytes(32)), { url: 'u' })).body).toHaveLength(32 * 1024 * 1024);
		const body = megabytes(40, 1);
		await expect(sendRequest(answering(body), { url: 'u' })).rejects.toMatchObject({ kind: 'responseTooLarge' });
		expect(body.destroyed).toBe(true);
	});

	test('is text, also if its characters come in parts', async () => {
		const bytes = Buffer.from('\ufeff"§ 5, 10 €"');
		const body = Readable.from([...bytes].map((byte) => Buffer.from([byte])));
		expect((await sendRequest(answering(body), { url: 'u' })).body).toBe('"§ 5, 10 €"');
	});

	test.each([[undefined], ['text'], [{}], [{ statusCode: '200' }], [{ statusCode: 200, body: 'text' }]])('%j is not one', async (odd) => {
		await expect(sendRequest(async () => await Promise.resolve(odd), { url: 'u' })).rejects.toMatchObject({ kind: 'invalidResponse' });
	});
});

test('a request ends with its time, or when it is stopped, also while its response comes in', async () => {
	const stalled = (): Readable => new Readable({ read: () => undefined });
	const late = sendRequest(answering(stalled()), { url: 'u', timeoutMs: 5 });
	await expect(late).rejects.toMatchObject({ kind: 'outcomeUnknown', details: { networkCode: 'ETIMEDOUT' } });

	const stop = new AbortController();
	const aborted = (error: unknown) => (options: { abortSignal?: unknown }): Promise<never> =>
		new Promise((_resolve, reject) => {
			if (options.abortSignal instanceof AbortSignal) options.abortSignal.addEventListener('abort', () => { reject(error as Error); });
		});
	const canceled = Object.assign(new Error('canceled'), { code: 'ERR_CANCELED' });
	const stopped = sendRequest(aborted(canceled), { url: 'u', signal: stop.signal });
	stop.abort();
	await expect(stopped).rejects.toMatchObject({ kind: 'canceled' });
	await expect(sendRequest(aborted(canceled), { url: 'u', timeoutMs: 5 })).rejects.toMatchObject({ details: { networkCode: 'ETIMEDOUT' } });
});

/** n8n's helper, with a response of this body. */
function answering(body: Readable): SendHttp {
	return async () => await Promise.resolve({ statusCode: 200, headers: {}, body });
}

const now = Date.parse('2026-01-01T00:00:00Z');

test.each([
	['30', 30_000],
	[' 30 ', 30_000],
	['0', 0],
	['1.5', 1500],
	['901', 901_000],
	['86400', 86_400_000],
	['Wed, 21 Oct 2015 07:28:00 GMT', 0],
	['Thu, 01 Jan 2026 00:15:01 GMT', 901_000],
	[' Thu, 01 Jan 2026 00:01:00 GMT', 60_000],
])('Retry-After %j means %j ms', (header, ms) => {
	expect(parseRetryAfter(header, now)).toBe(ms);
});

test.each([
	...['86401', 'Fri, 02 Jan 2026 00:00:01 GMT', 'after Thu, 01 Jan 2026 00:01:00 GMT', 'Thu, 41 Jan 2026'],
	...['soon', 'wait 40', '-5', '1e3', '', undefined, 30],
])('Retry-After %j is no time to wait', (header) => {
	expect(parseRetryAfter(header, now)).toBeUndefined();
});

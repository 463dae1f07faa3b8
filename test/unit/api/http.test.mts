import { describe, expect, test } from 'vitest';

import {
	AuthenticationError,
	NotFoundError,
	PermissionError,
	RejectedError,
} from '../../../nodes/LegalAi/api/errors.ts';
import { errorOfResponse, errorOfTransport, sendRequest } from '../../../nodes/LegalAi/api/http.ts';

const response = (status: number, body: unknown = '', headers = {}): Parameters<typeof errorOfResponse>[0] => ({
	status,
	headers,
	body: typeof body === 'string' ? body : JSON.stringify(body),
});

describe('a request without a response', () => {
	test.each([
		['ECONNREFUSED', 'connectionFailed'],
		['ENOTFOUND', 'connectionFailed'],
		['EAI_AGAIN', 'connectionFailed'],
		['EHOSTUNREACH', 'connectionFailed'],
		['ENETUNREACH', 'connectionFailed'],
		['ENETDOWN', 'connectionFailed'],
		['ECONNRESET', 'outcomeUnknown'],
		['ECONNABORTED', 'outcomeUnknown'],
		['ETIMEDOUT', 'outcomeUnknown'],
		['EPIPE', 'outcomeUnknown'],
		['DEPTH_ZERO_SELF_SIGNED_CERT', 'tlsFailed'],
		['CERT_HAS_EXPIRED', 'tlsFailed'],
		['ERR_TLS_CERT_ALTNAME_INVALID', 'tlsFailed'],
		['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'tlsFailed'],
		['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'tlsFailed'],
		['EPROTO', 'tlsFailed'],
		['HPE_INVALID_CONSTANT', 'invalidResponse'],
		['ERR_CANCELED', 'canceled'],
	])('with code %s is %s', (code, kind) => {
		const cause = Object.assign(new Error('inner'), { code });
		expect(errorOfTransport(new Error('outer', { cause }))).toMatchObject({ kind, details: { networkCode: code } });
	});

	test('that timed out while connecting never arrived', () => {
		const error = Object.assign(new Error('timed out'), { code: 'ETIMEDOUT', syscall: 'connect' });
		expect(errorOfTransport(error)).toMatchObject({ kind: 'connectionFailed', details: { networkCode: 'ETIMEDOUT' } });
	});

	test('that timed out later may have arrived', () => {
		const error = Object.assign(new Error('timed out'), { code: 'ETIMEDOUT', syscall: 'read' });
		expect(errorOfTransport(error).kind).toBe('outcomeUnknown');
	});

	test('is told by the code of the network, not by a number that some wrapper adds', () => {
		const cause = Object.assign(new Error('inner'), { code: 'ECONNREFUSED' });
		expect(errorOfTransport(Object.assign(new Error('outer', { cause }), { code: 7 })).kind).toBe('connectionFailed');
	});

	test.each([
		[4, 'connectionFailed'],
		[5, 'outcomeUnknown'],
	])('and whose code is wrapped %i times is %s', (times, kind) => {
		let error: Error = Object.assign(new Error('inner'), { code: 'ECONNREFUSED' });
		for (let wrapped = 0; wrapped < times; wrapped += 1) error = new Error('outer', { cause: error });
		expect(errorOfTransport(error).kind).toBe(kind);
	});

	test('of which nothing is known may have arrived, and its message holds no key', () => {
		const error = errorOfTransport(new Error('odd: Bearer sk-svc-api1-abc at https://x.example/y?sig=abc'));
		expect(error).toMatchObject({
			kind: 'outcomeUnknown',
			details: { serviceMessage: 'odd: Bearer … at https://x.example/y' },
		});
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
		[429, 'rateLimited'],
		[408, 'outcomeUnknown'],
		[500, 'outcomeUnknown'],
		[503, 'outcomeUnknown'],
		[302, 'rejected'],
		[400, 'rejected'],
		[409, 'rejected'],
	])('with %i means %s', (status, kind) => {
		expect(errorOfResponse(response(status))).toMatchObject({ kind, details: { status } });
	});

	test.each([
		[401, AuthenticationError],
		[403, PermissionError],
		[404, NotFoundError],
	])('with %i is rejected in a way of its own', (status, error) => {
		expect(errorOfResponse(response(status))).toBeInstanceOf(error);
		expect(errorOfResponse(response(status))).toBeInstanceOf(RejectedError);
	});

	test('of any other kind is just rejected', () => {
		expect(errorOfResponse(response(400))).not.toBeInstanceOf(NotFoundError);
	});

	test.each([
		[{ error: { message: 'a' } }],
		[{ errors: { message: 'a' } }],
		[{ errors: [null, { message: 'a' }, { message: 'b' }] }],
		[{ error: { message: 'a' }, errors: [{ message: 'b' }] }],
	])('is quoted from within %j', (body) => {
		expect(errorOfResponse(response(400, body)).details.serviceMessage).toBe('a');
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
		expect(errorOfResponse({ status: 400, headers: {}, body: Buffer.from('{"message":"a"}') }).details.serviceMessage).toBeUndefined();
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

	test('is asked for whole and given whatever its status', async () => {
		const headers = { 'x-a': 'b' };
		const given = await sendRequest(
			async (options) => {
				expect(options).toMatchObject({ url: 'u', returnFullResponse: true, ignoreHttpStatusErrors: true });
				return await Promise.resolve({ statusCode: 500, headers, body: 'x' });
			},
			{ url: 'u' },
		);
		expect(given).toEqual({ status: 500, headers, body: 'x' });
	});

	test.each([[undefined], ['text'], [{}], [{ statusCode: '200' }]])('%j is not one', async (odd) => {
		await expect(sendRequest(async () => await Promise.resolve(odd), { url: 'u' })).rejects.toMatchObject({ kind: 'invalidResponse' });
	});
});

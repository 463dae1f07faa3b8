import { describe, expect, test } from 'vitest';

import { ApiError, InvalidResponseError, RejectedError } from '../../../nodes/LegalAi/api/errors.ts';
import { readResponse } from '../../../nodes/LegalAi/api/response.ts';

const QUESTION = { id: 'q1', session_id: 's1', session_url: 'u', status: 'error', answer: 'Too long.', attachments: null, reason: null };

const read = (body: unknown): unknown => readResponse({ status: 200, headers: {}, body: typeof body === 'string' ? body : JSON.stringify(body) });

function errorOf(body: unknown): ApiError {
	try {
		read(body);
	} catch (error) {
		if (error instanceof ApiError) return error;
		throw error;
	}
	throw new Error(`${JSON.stringify(body)} was taken for good`);
}

describe('a response with status 200', () => {
	test.each<[unknown, string, object]>([
		[{ error_code: 'unauthorized', message: 'No.' }, 'rejected', { status: 401, errorCode: 'unauthorized', serviceMessage: 'No.' }],
		[{ svc_api_error_code: 'resource_not_found', message: 'No.' }, 'rejected', { status: 404, serviceMessage: 'No.' }],
		[{ error: 'Invalid API key', status: 401 }, 'rejected', { status: 401, serviceMessage: 'Invalid API key' }],
		[{ error: 'Down for maintenance', status: 503 }, 'outcomeUnknown', { status: 503, serviceMessage: 'Down for maintenance' }],
		[{ error: { code: 'quota', message: 'Used up.' } }, 'rejected', { status: 400, errorCode: 'quota', serviceMessage: 'Used up.' }],
		[{ data: null, errors: [{ title: 'No access' }] }, 'rejected', { status: 400, serviceMessage: 'No access' }],
		[{ tasks: [], error_code: 'search_failed', message: 'No.' }, 'rejected', { errorCode: 'search_failed' }],
		[{ tasks: [{ id: 't1' }], next_cursor: null, error: 'Only some were found' }, 'rejected', { serviceMessage: 'Only some were found' }],
		[[{ error_code: 'unauthorized', message: 'No.' }], 'rejected', { status: 401 }],
		[{ error_code: 'rate_limit_exceeded', message: 'Slow down' }, 'rateLimited', { status: 429 }],
		[{ id: 'request-7', error_code: 'forbidden' }, 'rejected', { errorCode: 'forbidden' }],
		[{ error: 'No.', length: 1 }, 'rejected', { status: 400, serviceMessage: 'No.' }],
	])('and the error body %j is an error', (body, kind, details) => {
		expect(errorOf(body)).toMatchObject({ kind, details });
	});

	test.each([
		[{ status: 200, statusCode: 403 }, 403],
		[{ status: '500', statusCode: 403 }, 403],
		[{ status: 400, statusCode: 403 }, 400],
		[{ status: 399 }, 400],
		[{ status: 599 }, 599],
		[{ status: 600 }, 400],
		[{ status: 'failed' }, 400],
	])('and an error that names %j would have come with status %i', (said, status) => {
		expect(errorOf({ error: 'No.', ...said }).details.status).toBe(status);
	});

	test.each([
		[{ ...QUESTION, error_code: '' }],
		[{ ...QUESTION, error_code: null, message: null, error: null }],
		[{ ...QUESTION, error_code: '', message: 'OK', error: false }],
		[{ ...QUESTION, error_code: 'document_too_long', error: 'Too long.' }],
		[{ id: 't1', title: 'Task', error: 'shown by the service', errors: [] }],
		[{ user_id: 'u1', message: null, error: '' }],
		[{ tasks: [], errors: [], error: {} }],
		[{ tasks: [], errors: null, error: ' ' }],
		[[]],
		[[{ id: 'a1', error_code: '' }]],
		[[{ error_code: 'first_failed' }, { id: 'a2' }]],
	])('and the body %j is no error', (body) => {
		expect(read(body)).toEqual(body);
	});

	test.each(['', 'null', '7', '"text"', '<h1>Sign in</h1>', '{"a":'])('and the body %j is not of this service', (body) => {
		expect(errorOf(body).kind).toBe('invalidResponse');
	});

	test.each([[undefined], [null], [{}], [Buffer.from('{"id":"a1"}')]])('and the body %j, which is no text, is not of this service, and is not quoted', (body) => {
		expect(() => readResponse({ status: 200, headers: {}, body })).toThrow(InvalidResponseError);
		expect(() => readResponse({ status: 200, headers: {}, body })).toThrow(expect.objectContaining({ details: { status: 200 } }) as Error);
	});
});

test('a response with any other status than one of success is an error', () => {
	expect(() => readResponse({ status: 300, headers: {}, body: '{"id":"a1"}' })).toThrow(RejectedError);
	expect(readResponse({ status: 299, headers: {}, body: '{"id":"a1"}' })).toEqual({ id: 'a1' });
});

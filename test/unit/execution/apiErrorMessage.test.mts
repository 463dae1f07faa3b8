import { describe, expect, test } from 'vitest';

import { ApiError } from '../../../nodes/LegalAi/api/errors.ts';
import { apiErrorMessage } from '../../../nodes/LegalAi/execution/apiErrorMessage.ts';
import { serviceMessages } from '../../../nodes/LegalAi/messages/serviceMessages.ts';

const messageOf = (error: ApiError): string => apiErrorMessage(error).message;
const descriptionOf = (error: ApiError): string => apiErrorMessage(error).description;

const FILE_ERRORS = ['connectionFailed', 'tlsFailed', 'outcomeUnknown', 'rejected'] as const;

describe('an error of a file transfer', () => {
	test.each(['upload', 'download'] as const)('names the file of an %s', (subject) => {
		for (const kind of FILE_ERRORS) {
			expect(messageOf(new ApiError(kind, { subject, fileName: 'nda.pdf' }))).toContain('"nda.pdf"');
		}
	});

	test.each(['upload', 'download'] as const)('is a sentence if the file of an %s has no name', (subject) => {
		for (const kind of FILE_ERRORS) {
			const message = messageOf(new ApiError(kind, { subject }));
			expect(message).toMatch(/^[A-Z]/);
			expect(message).toMatch(/^The file |^[^<>]+ the file\b/);
		}
	});

	test('says that a link has expired only if the status can mean that', () => {
		for (const status of [403, 404, 410]) {
			expect(messageOf(new ApiError('rejected', { subject: 'download', status }))).toBe(`The file is no longer available at this address (${status})`);
		}
		for (const status of [400, 401, 405, 451]) {
			const error = new ApiError('rejected', { subject: 'download', status });
			expect(messageOf(error)).toBe(`The file was not downloaded: the server at its address rejected the request (${status})`);
			expect(descriptionOf(error)).not.toContain('24 hours');
		}
	});

	test('that is no matter of files says what it is', () => {
		expect(messageOf(new ApiError('invalidResponse', { subject: 'upload', serviceMessage: 'x' }))).toBe(
			'The response did not come from the Legal AI service: x',
		);
	});
});

test('the status and the words of the service follow, if there are any', () => {
	expect(messageOf(new ApiError('rejected', { status: 409, serviceMessage: 'No.' }))).toBe('The service did not accept the request (409): No.');
	expect(messageOf(new ApiError('rejected', { serviceMessage: 'No.' }))).toBe('The service did not accept the request: No.');
	expect(messageOf(new ApiError('rejected', { status: 409 }))).toBe('The service did not accept the request (409)');
});

test('whoever is over the limit learns how long to wait, and nobody else', () => {
	expect(descriptionOf(new ApiError('rateLimited', { status: 429, retryAfterMs: 1_001 }))).toMatch(/ The service asks to wait 2 seconds\.$/);
	expect(descriptionOf(new ApiError('rateLimited', { status: 429 }))).not.toContain('asks to wait');
	expect(descriptionOf(new ApiError('outcomeUnknown', { status: 503, retryAfterMs: 1_000 }))).not.toContain('asks to wait');
});

test('whoever asks or creates may not do it again without a look', () => {
	for (const subject of ['assistant', 'session', 'syncQuestion', 'task'] as const) {
		expect(descriptionOf(new ApiError('outcomeUnknown', { subject, maybeAccepted: true }))).toContain('may still have');
		expect(descriptionOf(new ApiError('outcomeUnknown', { subject }))).not.toContain('may still have');
	}
});

test('a question that was asked can be found', () => {
	const question = { id: 'q1', assistant_id: 'default', session_url: 'https://legal-ai.example.com/s/1?token=x' };
	expect(descriptionOf(new ApiError('questionFailed', { question }))).toMatch(
		/ Question ID: q1, assistant: default\. You can see it at https:\/\/legal-ai\.example\.com\/s\/1\.$/,
	);
	expect(descriptionOf(new ApiError('questionFailed', { question: { ...question, session_url: null } }))).toMatch(/assistant: default\.$/);
});

test('codes and messages named like what every object has are not known', () => {
	for (const name of ['constructor', '__proto__', 'toString']) {
		expect(messageOf(new ApiError('rejected', { status: 400, errorCode: name }))).toBe('The service did not accept the request (400)');
		expect(messageOf(new ApiError('connectionFailed', { networkCode: name }))).toBe('Could not connect to the service');
		expect(messageOf(new ApiError('rejected', { status: 401, serviceMessage: name }))).toMatch(/^The service does not know this API key/);
	}
});

test('a 404 says what was not found', () => {
	expect(messageOf(new ApiError('rejected', { status: 404, subject: 'task' }))).toBe('The task was not found (404)');
	expect(messageOf(new ApiError('rejected', { status: 404 }))).toBe('The service has nothing at this address (404)');
});

test.each(['upload', 'download'] as const)('a 404 on the %s of a file that is no refusal says what it is', (subject) => {
	expect(messageOf(new ApiError('invalidResponse', { status: 404, subject }))).toBe(`${serviceMessages.invalidResponse.message} (404)`);
});

test.each<[errorCode: string, message: keyof typeof serviceMessages]>([
	['invalid_request_body', 'invalidRequest'],
	['invalid_upload_job', 'invalidUploadJob'],
	['session_still_processing', 'sessionBusy'],
	['unsupported_file_type', 'unsupportedFileType'],
	['rate_limit_exceeded', 'rateLimited'],
])('the code %s says more than the status: %s', (errorCode, message) => {
	expect(messageOf(new ApiError('rejected', { status: 409, errorCode }))).toBe(`${serviceMessages[message].message} (409)`);
});

test.each<[serviceMessage: string, message: keyof typeof serviceMessages]>([
	['Missing Authorization header', 'authorizationMissing'],
	['Invalid API key format', 'invalidKeyFormat'],
	['Invalid API key', 'invalidKey'],
	['Go away', 'invalidKey'],
])('a 401 with "%s" says what to do about the key: %s', (serviceMessage, message) => {
	const error = new ApiError('rejected', { status: 401, serviceMessage });
	expect(descriptionOf(error)).toBe(serviceMessages[message].description);
});

test.each<[networkCode: string, message: keyof typeof serviceMessages]>([
	['ECONNREFUSED', 'connectionRefused'],
	['ENOTFOUND', 'unknownHost'],
	['EAI_AGAIN', 'hostLookupFailed'],
	['EPROTO', 'noTls'],
	['ECONNABORTED', 'timedOut'],
	['ETIMEDOUT', 'timedOut'],
	['EHOSTUNREACH', 'connectionFailed'],
])('the code %s of the network says why the service was not reached: %s', (networkCode, message) => {
	expect(messageOf(new ApiError('connectionFailed', { networkCode }))).toBe(serviceMessages[message].message);
});

test.each<[status: number, message: keyof typeof serviceMessages]>([
	[200, 'invalidRequest'],
	[299, 'invalidRequest'],
	[400, 'invalidRequest'],
	[403, 'forbidden'],
])('a refusal with the status %i says what it means: %s', (status, message) => {
	const refusal = status === 403 ? new ApiError('rejected', { status }) : new ApiError('rejected', { status });
	expect(messageOf(refusal)).toBe(`${serviceMessages[message].message} (${status})`);
});

test('whoever was not told the outcome learns whether the service was cut off or gave up', () => {
	expect(messageOf(new ApiError('outcomeUnknown'))).toBe(serviceMessages.interrupted.message);
	expect(messageOf(new ApiError('outcomeUnknown', { status: 500 }))).toBe(`${serviceMessages.serverError.message} (500)`);
	expect(messageOf(new ApiError('outcomeUnknown', { status: 500, maybeAccepted: true }))).toBe(`${serviceMessages.serverError.message} (500)`);
	expect(messageOf(new ApiError('rejected', { status: 400, maybeAccepted: true }))).toBe(`${serviceMessages.timedOut.message} (400)`);
	expect(messageOf(new ApiError('invalidResponse', { status: 500 }))).toBe(`${serviceMessages.invalidResponse.message} (500)`);
});

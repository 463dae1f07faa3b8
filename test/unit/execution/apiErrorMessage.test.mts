import { describe, expect, test } from 'vitest';

import { ApiError } from '../../../nodes/LegalAi/api/errors.ts';
import { apiErrorMessage } from '../../../nodes/LegalAi/execution/apiErrorMessage.ts';
import { serviceMessages } from '../../../nodes/LegalAi/messages/serviceMessages.ts';

const messageOf = (...error: ConstructorParameters<typeof ApiError>): string => apiErrorMessage(new ApiError(...error)).message;
const descriptionOf = (...error: ConstructorParameters<typeof ApiError>): string =>
	apiErrorMessage(new ApiError(...error)).description;

const FILE_ERRORS = ['connectionFailed', 'tlsFailed', 'outcomeUnknown', 'rejected'] as const;

describe('an error of a file transfer', () => {
	test.each(['upload', 'download'] as const)('names the file of an %s', (subject) => {
		for (const kind of FILE_ERRORS) {
			expect(messageOf(kind, { subject, fileName: 'nda.pdf' })).toContain('"nda.pdf"');
		}
	});

	test.each(['upload', 'download'] as const)('is a sentence if the file of an %s has no name', (subject) => {
		for (const kind of FILE_ERRORS) {
			const message = messageOf(kind, { subject });
			expect(message).toMatch(/^[A-Z]/);
			expect(message).toMatch(/^The file |^[^<>]+ the file\b/);
		}
	});

	test('shows no key that the name of the file or the words of the service contain', () => {
		const details = { subject: 'download', fileName: 'sk-svc-api1-abc.pdf', serviceMessage: 'No sk-svc-api1-abc' } as const;
		expect(messageOf('rejected', details)).toMatch(/"….pdf".*: No …$/);
	});

	test('says that a link has expired only if the status can mean that', () => {
		for (const status of [403, 404, 410]) {
			const message = `The file is no longer available at this address (${status})`;
			expect(messageOf('rejected', { subject: 'download', status })).toBe(message);
		}
		for (const status of [400, 401, 405, 451]) {
			const error = ['rejected', { subject: 'download', status }] as const;
			expect(messageOf(...error)).toBe(`The file was not downloaded: the server at its address rejected the request (${status})`);
			expect(descriptionOf(...error)).not.toContain('24 hours');
		}
		expect(descriptionOf('rejected', { subject: 'upload', status: 403 })).not.toContain('24 hours');
	});

	test('that is no matter of files says what it is', () => {
		expect(messageOf('invalidResponse', { subject: 'upload', serviceMessage: 'x' })).toBe(
			'The response could not be read: x',
		);
	});
});

test('the status and the words of the service follow, if there are any', () => {
	expect(messageOf('rejected', { status: 409, serviceMessage: 'No.' })).toBe('The service did not accept the request (409): No.');
	expect(messageOf('rejected', { serviceMessage: 'No.' })).toBe('The service did not accept the request: No.');
	expect(messageOf('rejected', { status: 409 })).toBe('The service did not accept the request (409)');
});

test.each([
	[900, '1 second'],
	[119_999, '120 seconds'],
	[120_000, '2 minutes'],
	[5_400_001, '91 minutes'],
])('says for how long the service asks to wait: %i ms are %s', (retryAfterMs, time) => {
	expect(descriptionOf('rateLimited', { status: 429, retryAfterMs })).toMatch(new RegExp(` The service asks you to wait ${time}\\.$`));
	expect(descriptionOf('outcomeUnknown', { status: 503, retryAfterMs })).toContain(`The service asks you to wait ${time}.`);
	expect(descriptionOf('rateLimited', { status: 429 })).not.toContain('asks you to wait');
});

test('the code of a certificate that was not accepted is shown, and no other that n8n would put into its own words', () => {
	expect(messageOf('connectionFailed', { networkCode: 'ENOTFOUND' })).toBe(serviceMessages.unknownHost.message);
	expect(messageOf('tlsFailed', { networkCode: 'CERT_HAS_EXPIRED' })).toBe(`${serviceMessages.tlsFailed.message} (CERT_HAS_EXPIRED)`);
	expect(messageOf('tlsFailed', { subject: 'download', networkCode: 'CERT_HAS_EXPIRED' })).toMatch(/ \(CERT_HAS_EXPIRED\)$/);
});

test.each<[string | undefined, keyof typeof serviceMessages]>([
	['Missing Authorization header.', 'authorizationMissing'],
	['Invalid API key format.', 'invalidKeyFormat'],
	['invalid api key', 'invalidKey'],
	['Sign in first', 'unauthorized'],
	[undefined, 'unauthorized'],
])('a 401 that says %j is told by that alone: %s', (serviceMessage, name) => {
	expect(messageOf('rejected', { status: 401, serviceMessage })).toMatch(new RegExp(`^${serviceMessages[name].message} \\(401\\)`));
});

test('a session that is not found names the one reason for it that the service documents', () => {
	const error = ['rejected', { status: 404, errorCode: 'resource_not_found', subject: 'session' }] as const;
	expect(messageOf(...error)).toContain('does not accept questions through the API');
	expect(descriptionOf(...error)).toContain('API intake');
});

test('what may have been accepted is to be checked before it is sent again', () => {
	for (const subject of ['assistant', 'session', 'syncQuestion', 'task'] as const) {
		expect(descriptionOf('outcomeUnknown', { subject, maybeAccepted: true })).toContain('may still have');
		expect(descriptionOf('outcomeUnknown', { subject })).not.toContain('may still have');
	}
});

test('a question that was asked can be found', () => {
	const question = { id: 'q1', assistant_id: 'default', session_url: 'https://legal-ai.example.com/s/1?token=x' };
	expect(descriptionOf('questionFailed', { question })).toMatch(
		/ Question ID: q1, assistant: default\. You can see it at https:\/\/legal-ai\.example\.com\/s\/1\.$/,
	);
	expect(descriptionOf('questionFailed', { question: { ...question, session_url: null } })).toMatch(/assistant: default\.$/);
});

test('codes and messages that are named like methods of every object are unknown', () => {
	for (const name of ['constructor', '__proto__', 'toString']) {
		expect(messageOf('rejected', { status: 400, errorCode: name })).toBe('The service did not accept the request (400)');
		expect(messageOf('connectionFailed', { networkCode: name })).toBe('Could not connect to the service');
		expect(messageOf('rejected', { status: 401, serviceMessage: name })).toMatch(/^The API key was not accepted/);
	}
});

test.each(['upload', 'download'] as const)('a 404 on the %s of a file from something in between says so', (subject) => {
	expect(messageOf('invalidResponse', { status: 404, subject })).toBe(`${serviceMessages.invalidResponse.message} (404)`);
});

test('an unknown outcome says whether the connection or the service failed', () => {
	expect(messageOf('outcomeUnknown')).toBe(serviceMessages.outcomeUnknown.message);
	expect(messageOf('outcomeUnknown', { status: 500 })).toBe(`${serviceMessages.serverError.message} (500)`);
	expect(messageOf('outcomeUnknown', { status: 500, maybeAccepted: true })).toBe(`${serviceMessages.serverError.message} (500)`);
	expect(messageOf('rejected', { status: 400, maybeAccepted: true })).toBe(`${serviceMessages.timedOut.message} (400)`);
	expect(messageOf('invalidResponse', { status: 500 })).toBe(`${serviceMessages.invalidResponse.message} (500)`);
});

import { ApiError } from '../../../nodes/LegalAi/api/errors.ts';
import { apiErrorMessage } from '../../../nodes/LegalAi/errors/apiErrorMessage.ts';
import {
	serviceDetails,
	serviceMessages,
} from '../../../nodes/LegalAi/messages/serviceMessages.ts';

type ErrorParts = ConstructorParameters<typeof ApiError>;

const messageOf = (...error: ErrorParts) => apiErrorMessage(new ApiError(...error)).message;
const descriptionOf = (...error: ErrorParts) => apiErrorMessage(new ApiError(...error)).description;

describe('an error of a file transfer', () => {
	test.each(['upload', 'download'] as const)(
		'names the file of an %s, and is a sentence if it has no name',
		(transfer) => {
			for (const kind of ['connectionFailed', 'tlsFailed', 'outcomeUnknown', 'rejected'] as const) {
				expect(messageOf(kind, { transfer, fileName: 'nda.pdf' })).toContain('"nda.pdf"');
				expect(messageOf(kind, { transfer })).toMatch(/^The file |^[A-Z][^<>]+ the file\b/);
			}
		},
	);

	test('shows no key that the name of the file or the words of the service contain', () => {
		const details = {
			transfer: 'download',
			fileName: 'sk-svc-api1-abc.pdf',
			serviceMessage: 'No sk-svc-api1-abc',
		} as const;
		expect(messageOf('rejected', details)).toMatch(/"….pdf".*: No …$/);
	});

	test('says that a download link may have expired, whatever 4xx it gets but one that means the file itself', () => {
		for (const status of [400, 401, 403, 404, 410, 451]) {
			const error: ErrorParts = ['rejected', { transfer: 'download', status }];
			expect(messageOf(...error)).toBe(
				`The file is not, or no longer, available at this address (${status})`,
			);
			expect(descriptionOf(...error)).toMatch(/24 hours.*must open without signing in/);
		}
		const error: ErrorParts = ['rejected', { transfer: 'download', status: 413 }];
		expect(messageOf(...error)).toBe(
			'The file was not downloaded: the server at its address rejected the request (413)',
		);
		expect(descriptionOf(...error)).not.toContain('24 hours');
		expect(descriptionOf('rejected', { transfer: 'upload', status: 403 })).not.toContain(
			'24 hours',
		);
	});
});

test.each<[ErrorParts, string]>([
	[
		['rejected', { status: 409, serviceMessage: 'No.' }],
		'The service did not accept the request (409): No.',
	],
	[['rejected', { serviceMessage: 'No.' }], 'The service did not accept the request: No.'],
	[['rejected', { status: 409 }], 'The service did not accept the request (409)'],
	[
		['invalidResponse', { transfer: 'upload', serviceMessage: 'x' }],
		'The response could not be read: x',
	],
	[
		['invalidResponse', { transfer: 'upload', status: 404 }],
		`${serviceMessages.invalidResponse.message} (404)`,
	],
	[
		['invalidResponse', { transfer: 'download', status: 404 }],
		`${serviceMessages.invalidResponse.message} (404)`,
	],
	[['invalidResponse', { status: 500 }], `${serviceMessages.invalidResponse.message} (500)`],
	[['outcomeUnknown', {}], serviceMessages.outcomeUnknown.message],
	[['outcomeUnknown', { status: 500 }], `${serviceMessages.serverError.message} (500)`],
	[
		['outcomeUnknown', { status: 500, maybeAccepted: true }],
		`${serviceMessages.serverError.message} (500)`,
	],
	[['rejected', { status: 400, maybeAccepted: true }], `${serviceMessages.timedOut.message} (400)`],
	// Of the codes of the network, only that of a certificate: n8n would put the others into its own words.
	[['connectionFailed', { networkCode: 'ENOTFOUND' }], serviceMessages.unknownHost.message],
	[
		['tlsFailed', { networkCode: 'CERT_HAS_EXPIRED' }],
		`${serviceMessages.tlsFailed.message} (CERT_HAS_EXPIRED)`,
	],
	// The service's own code says more than the status.
	[
		['rejected', { status: 403, errorCode: 'quota_exceeded' }],
		'The service did not accept the request (403)',
	],
	[
		['rejected', { status: 403, errorCode: 'access_denied' }],
		`${serviceMessages.forbidden.message} (403)`,
	],
	[['rejected', { status: 403 }], `${serviceMessages.forbidden.message} (403)`],
	[
		['rejected', { status: 404, errorCode: 'invalid_upload_job' }],
		`${serviceMessages.invalidUploadJob.message} (404)`,
	],
	// Names of what every object has are no codes that are known.
	[
		['rejected', { status: 400, errorCode: 'constructor' }],
		'The service did not accept the request (400)',
	],
	[['connectionFailed', { networkCode: '__proto__' }], 'Could not connect to the service'],
])('an error of %j reads: %s', (error, message) => {
	expect(messageOf(...error)).toBe(message);
});

test.each<[string | undefined, keyof typeof serviceMessages]>([
	['Missing Authorization header.', 'authorizationMissing'],
	['Invalid API key format.', 'invalidKeyFormat'],
	['invalid api key', 'invalidKey'],
	['Sign in first', 'unauthorized'],
	['toString', 'unauthorized'],
	[undefined, 'unauthorized'],
])('a 401 with the message %j is explained by the text %s', (serviceMessage, name) => {
	expect(messageOf('rejected', { status: 401, serviceMessage })).toContain(
		`${serviceMessages[name].message} (401)`,
	);
});

test.each([
	[900, '1 second'],
	[119_999, '120 seconds'],
	[120_000, '2 minutes'],
	[5_400_001, '91 minutes'],
])('an error says for how long the service asks to wait: %i ms are %s', (retryAfterMs, time) => {
	expect(descriptionOf('rateLimited', { status: 429, retryAfterMs })).toMatch(
		new RegExp(` The service asks you to wait ${time}\\.$`),
	);
	expect(descriptionOf('outcomeUnknown', { status: 503, retryAfterMs })).toContain(
		`The service asks you to wait ${time}.`,
	);
	expect(descriptionOf('rateLimited', { status: 429 })).not.toContain('asks you to wait');
});

test('an error says where to look for what may have been accepted, only if that is possible', () => {
	const words = { maybeAccepted: serviceDetails.taskMaybeAccepted };
	expect(descriptionOf('outcomeUnknown', { words, maybeAccepted: true })).toBe(words.maybeAccepted);
	expect(descriptionOf('outcomeUnknown', { words })).not.toContain('may still have');
});

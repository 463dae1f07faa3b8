import { ApiError, ERROR_KINDS, type ErrorKind } from '../../../nodes/LegalAi/api/errors.ts';
import { describeApiError } from '../../../nodes/LegalAi/errors/errorText.ts';

type ErrorParts = ConstructorParameters<typeof ApiError>;

const writeMessage = (...error: ErrorParts) => describeApiError(new ApiError(...error))[0];
const writeDescription = (...error: ErrorParts) => describeApiError(new ApiError(...error))[1];

const kinds = Object.keys(ERROR_KINDS) as ErrorKind[];

test.each(
	kinds.flatMap((kind) => [undefined, 'upload', 'download'].map((subject) => ({ kind, subject }))),
)(
	'the error $kind ($subject) says in plain American words what happened and what to do',
	({ kind, subject }) => {
		const [message, description] = describeApiError(
			new ApiError(kind, { subject } as ErrorParts[1]),
		);
		const ownWords = `${message} ${description}`.replaceAll(/"[^"]*"/g, '');
		expect(message).toMatch(/^(n8n|[A-Z"]).*[^.]$/);
		expect(description).toMatch(/^(n8n|[A-Z]).*\.$/);
		expect(ownWords).not.toMatch(
			/\b(errors?|problems?|failures?|failed|illegal|fatal|payload|cancelled|polling|null|undefined)\b/i,
		);
		expect(ownWords).not.toMatch(/[<>“”‘’]/);
	},
);

test('an error of a file transfer shows no key that the name of the file or the words of the service contain', () => {
	const said = 'No sk-svc-api1-abc';
	const fileName = 'sk-svc-api1-abc.pdf';
	expect(writeMessage('rejected', { subject: 'download', fileName, said })).toMatch(
		/^"….pdf".*: No …$/,
	);
});

const [rejected, unreadable] = [
	'The service did not accept the request',
	'The response could not be read',
];

test.each<[ErrorParts, string]>([
	[['rejected', { status: 409, said: 'No.' }], `${rejected} (409): No.`],
	[['rejected', { said: 'No.' }], `${rejected}: No.`],
	// Of the response `<<a>>`, without its markup.
	[['rejected', { said: '< >' }], `${rejected}: < >`],
	[['invalidResponse', { status: 500 }], `${unreadable} (500)`],
	[['outcomeUnknown', {}], "The service's response was cut off"],
	[['outcomeUnknown', { status: 500 }], 'The service could not process the request (500)'],
	[['outcomeUnknown', { status: 400 }], 'The service could not process the request (400)'],
	[
		['connectionFailed', { networkCode: 'ENOTFOUND' }],
		'Could not connect to the service (ENOTFOUND)',
	],
	[
		['outcomeUnknown', { networkCode: 'ETIMEDOUT' }],
		'The service did not respond in time (ETIMEDOUT)',
	],
	[
		['tlsFailed', { networkCode: 'CERT_HAS_EXPIRED' }],
		"The service's certificate was not accepted, so nothing was sent (CERT_HAS_EXPIRED)",
	],
	[['invalidPage', { said: 'no list' }], 'The list could not be loaded completely: no list'],
	// The service's own code says more than the status.
	[
		['rejected', { status: 403, said: 'No.' }],
		'The API key does not have permission to do this (403): No.',
	],
	[['rejected', { status: 401 }], 'The API key was not accepted (401)'],
	[
		['rejected', { status: 404, errorCode: 'invalid_upload_job' }],
		'The service does not know an attached file, or its upload has expired (404)',
	],
	[['rejected', { status: 404 }], 'The service has nothing at this address (404)'],
	[['rejected', { status: 404, subject: 'task' }], 'The task was not found (404)'],
	[
		['rejected', { status: 404, subject: 'question' }],
		'The question was not found for this assistant (404)',
	],
	[
		['rejected', { status: 404, subject: 'assistant' }],
		'This assistant does not accept questions through the API (404)',
	],
	// Only a 404 says that something was not found.
	[['rejected', { status: 409, subject: 'task' }], `${rejected} (409)`],
	[
		['rejected', { status: 400, errorCode: 'unsupported_file_type' }],
		"The service can't read files of this type (400)",
	],
	[
		['connectionFailed', { networkCode: 'EPROTO' }],
		'The host in "Base URL" does not support https at this port (EPROTO)',
	],
	[
		['outcomeUnknown', { networkCode: 'ECONNABORTED' }],
		'The service did not respond in time (ECONNABORTED)',
	],
	// A file that is on its way to or from its storage is named.
	[
		['connectionFailed', { subject: 'upload', fileName: 'nda.pdf', networkCode: 'ENOTFOUND' }],
		'"nda.pdf" was not uploaded: could not connect to the file storage (ENOTFOUND)',
	],
	[
		['rejected', { subject: 'upload', fileName: 'Mutual_Non_Disclosure_Agreement_Acme_GmbH.pdf' }],
		'"Mutual_Non_Disclosure_Agreement_Acme_GmbH.pdf" was not uploaded: the file storage did not accept it',
	],
	[
		['addressNotAllowed', { subject: 'upload' }],
		'The file was not uploaded: the upload address is not allowed',
	],
	[
		['tlsFailed', { subject: 'download', fileName: 'nda.pdf' }],
		'"nda.pdf" was not downloaded: the certificate of its address was not accepted',
	],
	// Names of what every object has are no codes that are known.
	[['rejected', { status: 400, errorCode: 'constructor' }], `${rejected} (400)`],
	[
		['connectionFailed', { networkCode: '__proto__' }],
		'Could not connect to the service (__proto__)',
	],
])('an error of %j reads: %s', (error, message) => {
	expect(writeMessage(...error)).toBe(message);
});

test.each([
	[1_000, '1 s'],
	[119_999, '120 s'],
	[120_000, '2 min'],
	[5_400_001, '91 min'],
])('an error says for how long the service asks to wait: %i ms are %s', (retryAfterMs, time) => {
	expect(writeDescription('rateLimited', { status: 429, retryAfterMs })).toMatch(
		new RegExp(` The service asks you to wait ${time}\\.$`),
	);
	expect(writeDescription('rateLimited', { status: 429 })).not.toContain('asks you to wait');
});

test('an error says how long the limits that this n8n keeps last, and not that the service asks for it, if the service has said nothing', () => {
	expect(writeDescription('deferred', { retryAfterMs: 40_000 })).toMatch(
		/ The limit allows this request in 40 s\.$/,
	);
	expect(writeDescription('rateLimited', { retryAfterMs: 40_000 })).not.toContain(
		'The service asks',
	);
});

test('an error of a session that is not known begins with what the service said, and names the session before the assistant', () => {
	const details = { status: 404, subject: 'session', said: 'Session not found' } as const;
	expect(writeMessage('rejected', details)).toBe(
		'The service did not continue this session (404): Session not found',
	);
	expect(writeDescription('rejected', details)).toMatch(/^Check "Session ID"/);
});

test.each([
	['assistant', 'Check the web app before you ask again.'],
	['session', 'Check the web app before you ask again.'],
	['task', 'Look for its title'],
] as const)(
	'an error says where to look for what may have been accepted, only if that is possible: %s',
	(subject, where) => {
		expect(writeDescription('outcomeUnknown', { subject, maybeAccepted: true })).toContain(where);
		expect(writeDescription('outcomeUnknown', { subject })).not.toContain('may still have');
	},
);

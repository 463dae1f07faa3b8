import {
	AddressNotAllowedError,
	AuthenticationError,
	CanceledError,
	ConnectionError,
	FileTooLargeError,
	FilterIgnoredError,
	InvalidPageError,
	InvalidResponseError,
	NotFoundError,
	OutcomeUnknownError,
	PermissionError,
	QuestionFailedError,
	RateLimitError,
	RedirectedError,
	RejectedError,
	ResponseTooLargeError,
	SessionBusyError,
	TlsError,
	type ApiError,
	type Subject,
} from '../../../nodes/LegalAi/api/errors.ts';
import { apiErrorMessage } from '../../../nodes/LegalAi/execution/apiErrorMessage.ts';
import type { UserMessage } from '../../../nodes/LegalAi/messages/template.ts';
import type { Entry } from './catalog.mts';

const SUBJECTS: Record<Subject, string> = {
	assistant: 'when asking a question',
	question: 'for a question',
	session: 'when asking in a session',
	syncQuestion: 'when asking a synchronous question',
	task: 'for a task',
	taskList: 'for the list of tasks',
	upload: 'for the upload of a file',
	download: 'for the download of a file',
	other: 'for anything else',
};

const OF_FILES = Object.entries({
	'no connection': () => new ConnectionError(),
	'no trusted connection': () => new TlsError(),
	'cut off, 429 or 5xx': () => new OutcomeUnknownError(),
	'any other 4xx': () => new RejectedError(),
	'larger than the limit': () => new FileTooLargeError(),
	'not https, or on the machine of n8n': () => new AddressNotAllowedError(),
});

/** What can go wrong with a request, in the words of who sees it from outside; the more general comes last. */
const CAUSES: readonly (readonly [cause: string, error: ApiError])[] = [
	...['invalid_request_body', 'invalid_upload_job', 'unsupported_file_type'].map(
		(errorCode) => [`\`${errorCode}\``, new RejectedError({ status: 400, errorCode })] as const,
	),
	['`session_still_processing`', new SessionBusyError({ status: 400, errorCode: 'session_still_processing' })],
	...['Missing Authorization header', 'Invalid API key format', 'Invalid API key'].map(
		(serviceMessage) => [`401: ${serviceMessage}`, new AuthenticationError({ status: 401, serviceMessage })] as const,
	),
	['any other 401', new AuthenticationError({ status: 401 })],
	['403', new PermissionError({ status: 403 })],
	...Object.entries(SUBJECTS).map(
		([subject, words]) => [`404 ${words}`, new NotFoundError({ status: 404, subject: subject as Subject })] as const,
	),
	['429', new RateLimitError({ status: 429 })],
	['3xx', new RedirectedError({ status: 302 })],
	['any other 4xx', new RejectedError({ status: 409 })],
	['5xx', new OutcomeUnknownError({ status: 500 })],
	...['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'].map((networkCode) => [`\`${networkCode}\``, new ConnectionError({ networkCode })] as const),
	['`EPROTO`', new OutcomeUnknownError({ networkCode: 'EPROTO' })],
	...['ECONNABORTED', 'ETIMEDOUT'].map((networkCode) => [`\`${networkCode}\``, new OutcomeUnknownError({ networkCode })] as const),
	['no connection', new ConnectionError()],
	['no trusted connection', new TlsError()],
	['cut off', new OutcomeUnknownError()],
	['a response that the API does not describe', new InvalidResponseError()],
	['a response of more than 32 MB', new ResponseTooLargeError()],
	['a list without records', new InvalidPageError()],
	['a list whose end can not be reached', new InvalidPageError({ received: 3 })],
	['a list of tasks that a filter changes nothing in', new FilterIgnoredError()],
	['a question with the status `error`', new QuestionFailedError()],
	['the Stop button', new CanceledError()],
	...(['upload', 'download'] as const).flatMap((subject) =>
		OF_FILES.map(([cause, errorOf]) => [cause, errorOf().with({ subject })] as const),
	),
];

const shown = CAUSES.map(([cause, error]) => [cause, apiErrorMessage(error, error.details)] as const);

/** When an entry is shown, found out by having every error put into words; empty if none is by this one. */
export function causesOf(entry: Entry): string {
	return shown
		.filter(([, message]) => isFilledIn(entry, message))
		.map(([cause]) => cause)
		.join(', ');
}

/** After what the entry says come the status and the service's own words, if there are any. */
function isFilledIn(entry: Entry, { message, description }: UserMessage): boolean {
	const begin = entry.message.replace(/^<file>/, 'The file').replace('<file>', 'the file');
	return description === entry.description && (message === begin || [' (', ': '].some((next) => message.startsWith(begin + next)));
}

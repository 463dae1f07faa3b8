import { ERROR_CODES } from '../../../nodes/LegalAi/api/errorCodes.ts';
import { ApiError } from '../../../nodes/LegalAi/api/errors.ts';
import { things } from '../../../nodes/LegalAi/api/things.ts';
import { apiErrorMessage } from '../../../nodes/LegalAi/errors/apiErrorMessage.ts';
import { serviceMessages } from '../../../nodes/LegalAi/messages/serviceMessages.ts';
import type { UserMessage } from '../../../nodes/LegalAi/messages/template.ts';
import type { Entry } from './catalog.mts';

const NOT_FOUND = [
	['when asking a question', serviceMessages.assistantNotFound],
	['when asking in a session', serviceMessages.sessionNotFound],
	...Object.entries(things).map(([name, { notFound }]) => [`for a ${name}`, notFound] as const),
	['for anything else', undefined],
] as const;

const OF_FILES = Object.entries({
	'no connection': () => new ApiError('connectionFailed'),
	'no trusted connection': () => new ApiError('tlsFailed'),
	'cut off, 429 or 5xx': () => new ApiError('outcomeUnknown'),
	'413': () => new ApiError('rejected', { status: 413 }),
	'any other 4xx': () => new ApiError('rejected'),
	'larger than the limit': () => new ApiError('fileTooLarge'),
	'not https, or on the machine of n8n': () => new ApiError('addressNotAllowed'),
});

/** What can go wrong with a request, in the words of who sees it from outside; the more general comes last. */
const CAUSES: readonly (readonly [cause: string, error: ApiError])[] = [
	...[...ERROR_CODES].map(
		([errorCode, { status, cause, kind = 'rejected' }]) =>
			[`\`${errorCode ?? ''}\` (${cause})`, new ApiError(kind, { status, errorCode })] as const,
	),
	...['Missing Authorization header', 'Invalid API key format', 'Invalid API key'].map(
		(serviceMessage) =>
			[
				`401: ${serviceMessage}`,
				new ApiError('rejected', { status: 401, serviceMessage }),
			] as const,
	),
	['any other 401', new ApiError('rejected', { status: 401 })],
	['403', new ApiError('rejected', { status: 403 })],
	...NOT_FOUND.map(
		([what, notFound]) =>
			[`404 ${what}`, new ApiError('rejected', { status: 404, words: { notFound } })] as const,
	),
	['429', new ApiError('rateLimited', { status: 429 })],
	['3xx', new ApiError('redirected', { status: 302 })],
	['any other 4xx', new ApiError('rejected', { status: 409 })],
	['5xx', new ApiError('outcomeUnknown', { status: 500 })],
	...['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'].map(
		(networkCode) =>
			[`\`${networkCode}\``, new ApiError('connectionFailed', { networkCode })] as const,
	),
	['`EPROTO`', new ApiError('outcomeUnknown', { networkCode: 'EPROTO' })],
	...['ECONNABORTED', 'ETIMEDOUT'].map(
		(networkCode) =>
			[`\`${networkCode}\``, new ApiError('outcomeUnknown', { networkCode })] as const,
	),
	['no connection', new ApiError('connectionFailed')],
	['no trusted connection', new ApiError('tlsFailed')],
	[
		"stopped by n8n's own protection against requests to internal addresses",
		new ApiError('blockedByN8n'),
	],
	['cut off', new ApiError('outcomeUnknown')],
	[
		'a kill or restart of n8n while a question or a task is being sent',
		new ApiError('sendingInterrupted'),
	],
	['a retry after a kill, with texts that are others each time', new ApiError('sentUnclear')],
	[
		"n8n's store of what was sent can't be read or written in a retry",
		new ApiError('sentNotKnown'),
	],
	['a response that the API does not describe', new ApiError('invalidResponse')],
	['a response of more than 32 MB', new ApiError('responseTooLarge')],
	['a list without records', new ApiError('invalidPage')],
	['a list whose end can not be reached', new ApiError('invalidPage', { received: 3 })],
	['another credential while a list is read', new ApiError('credentialChanged')],
	['a list of tasks that a filter changes nothing in', new ApiError('filterIgnored')],
	['a question with the status `error`', new ApiError('questionFailed')],
	['an answer without the fields that the user requires', new ApiError('fieldsMissing')],
	['the Stop button', new ApiError('canceled')],
	...(['upload', 'download'] as const).flatMap((transfer) =>
		OF_FILES.map(([cause, errorOf]) => [cause, errorOf().with({ transfer })] as const),
	),
];

const shown = CAUSES.map(([cause, error]) => [cause, apiErrorMessage(error)] as const);

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
	return (
		description === entry.description &&
		(message === begin || [' (', ': '].some((next) => message.startsWith(begin + next)))
	);
}

import type { MessageTemplate } from '../messages';

/** What is said of a request that has failed, where that depends on what it was about. */
export interface RequestWords {
	/** If it was not found: the fields that name it. */
	readonly notFound?: MessageTemplate;
	/** If it must not be repeated, and may have been carried out: where to look for what was sent. */
	readonly maybeAccepted?: string;
}

/** What follows from an error: by default, the caller is told, and nothing was carried out. */
interface ErrorKind {
	/** If sending the request twice does no harm: try again after growing waits, or queue again at the rate limiter. */
	then?: 'backOff' | 'queueAgain';
	/** Whether the request may have been carried out. If it asks a question or creates a task, it is then not sent again. */
	mayBeDone?: true;
}

const kinds = {
	/** The request never reached the service: connection refused, unknown host. */
	connectionFailed: { then: 'backOff' },
	tlsFailed: {},
	/** 429. */
	rateLimited: { then: 'queueAgain' },
	/** Cut off, timed out or answered with 5xx. */
	outcomeUnknown: { then: 'backOff', mayBeDone: true },
	sendingInterrupted: { mayBeDone: true },
	/** What a retry would send is not what was sent before n8n stopped, and may be it in other words. */
	sentUnclear: { mayBeDone: true },
	/** A retry can't find out what was sent before: nothing was sent. */
	sentNotKnown: {},
	/** Its turn within the service's limits comes later than it can be waited for now: nothing was sent. */
	outOfTurn: {},
	/** Answered, but not with what the API describes. */
	invalidResponse: { then: 'backOff', mayBeDone: true },
	responseTooLarge: { mayBeDone: true },
	/** The service redirected the request. It is not followed, so that the key goes nowhere else. */
	redirected: { mayBeDone: true },
	/** A page whose records can't be found, or a list whose end can't be reached. */
	invalidPage: {},
	/** The credential is another one than when the list was begun. */
	credentialChanged: {},
	filterIgnored: {},
	/** The address of a file is one that n8n must not be sent to, e.g. on its own machine: nothing was sent. */
	addressNotAllowed: {},
	/** n8n's own protection of internal addresses has stopped it (`N8N_SSRF_PROTECTION_ENABLED`): nothing was sent. */
	blockedByN8n: {},
	fileTooLarge: {},
	/** The session is busy with its previous question, and nothing was accepted. */
	sessionBusy: {},
	/** Any other 4xx. */
	rejected: {},
	questionFailed: {},
	fieldsMissing: {},
	/** The execution was stopped, or another item has ended it. */
	canceled: {},
} satisfies Record<string, ErrorKind>;

export type ApiErrorKind = keyof typeof kinds;

/** Everything that can go wrong with a request, and what follows from it. */
export const ERROR_KINDS: Readonly<Record<ApiErrorKind, ErrorKind>> = kinds;

/** What is known about an error. All of it is safe to show: no key, no secret, no query of a presigned address. */
export interface ApiErrorDetails {
	words?: RequestWords;
	/** Which way a file was to go, to or from a presigned address. */
	transfer?: 'upload' | 'download';
	fileName?: string;
	/** HTTP status, if there was a response. */
	status?: number;
	/** The API's `error_code`. */
	errorCode?: string;
	/** What the service said, or the beginning of a response that is not the API's. */
	serviceMessage?: string;
	/** The network's own code, e.g. `ECONNREFUSED`. */
	networkCode?: string;
	/** How long the service asked to wait, in ms from its response. */
	retryAfterMs?: number;
	/** How many records of a list had arrived. */
	received?: number;
	/** Whether a request that must not be repeated may have been carried out. */
	maybeAccepted?: boolean;
}

/** An error of a request, as JSON. */
export interface ApiFailure {
	readonly kind: ApiErrorKind;
	readonly details: ApiErrorDetails;
}

/** A request that did not succeed. `errors/nodeError.ts` puts it into words. */
export class ApiError extends Error implements ApiFailure {
	readonly kind: ApiErrorKind;
	readonly details: ApiErrorDetails;

	constructor(kind: ApiErrorKind, details: ApiErrorDetails = {}) {
		super(kind);
		this.name = 'ApiError';
		this.kind = kind;
		this.details = details;
	}

	/** The same error, with what the caller knows about it. */
	with(details: ApiErrorDetails): ApiError {
		return new ApiError(this.kind, { ...this.details, ...details });
	}
}

/** Whether an error is one of a request, and of this kind. */
export function hasKind(error: unknown, kind: ApiErrorKind): error is ApiError {
	return error instanceof ApiError && error.kind === kind;
}

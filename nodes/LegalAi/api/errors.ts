/** What a request was about: the text of an error names the fields that belong to it. */
export type Subject = FileSubject | 'assistant' | 'question' | 'session' | 'syncQuestion' | 'task' | 'taskList' | 'other';

/** A file's way to or from the file storage behind presigned addresses, which gets no key. */
type FileSubject = 'download' | 'upload';

/** Everything that can go wrong with a request; the retry policy and the texts for the editor are chosen by it. */
export type ApiErrorKind =
	/** The request never reached the service: connection refused, unknown host. */
	| 'connectionFailed'
	/** The certificate was not accepted, so nothing was sent. */
	| 'tlsFailed'
	/** 429: the organization is over its limit. */
	| 'rateLimited'
	/** Cut off, timed out or answered with 5xx: the request may have been carried out. */
	| 'outcomeUnknown'
	/** n8n was stopped while the request was under way: it may have been carried out. */
	| 'sendingInterrupted'
	/** Its turn within the service's limits comes later than it can be waited for now: nothing was sent. */
	| 'outOfTurn'
	/** Answered, but not with what the API describes: the request may have been carried out. */
	| 'invalidResponse'
	/** The response is larger than any that the API has. */
	| 'responseTooLarge'
	/** The service redirected the request. It is not followed, so that the key goes nowhere else. */
	| 'redirected'
	/** A page whose records can't be found, or a list whose end can't be reached. */
	| 'invalidPage'
	/** A list for which the service ignored a filter. */
	| 'filterIgnored'
	/** The address of a file is one that n8n must not be sent to, e.g. on its own machine: nothing was sent. */
	| 'addressNotAllowed'
	/** n8n's own protection of internal addresses has stopped it (`N8N_SSRF_PROTECTION_ENABLED`): nothing was sent. */
	| 'blockedByN8n'
	/** A file is larger than the user allows. */
	| 'fileTooLarge'
	/** 400 `session_still_processing`: the session is busy with its previous question, and nothing was accepted. */
	| 'sessionBusy'
	/** Any other 4xx: the service said no, and why. */
	| 'rejected'
	/** The question itself ended in status `error`. */
	| 'questionFailed'
	/** The answer lacks fields that the user requires. */
	| 'fieldsMissing'
	/** The execution was stopped, or another item has ended it. */
	| 'canceled';

/** What is known about an error. All of it is safe to show: no key, no secret, no query of a presigned address. */
export interface ApiErrorDetails {
	subject?: Subject;
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
	/** How long the service took to respond, in ms. */
	responseMs?: number;
	/** Whether a request that must not be repeated may have been carried out. */
	maybeAccepted?: boolean;
}

/** A request that did not succeed. `execution/nodeError.ts` puts it into words. */
export class ApiError extends Error {
	readonly kind: ApiErrorKind;
	readonly details: ApiErrorDetails;

	/** @param cause what it was made from; never with a request in it, which would hold the key */
	constructor(kind: ApiErrorKind, details: ApiErrorDetails = {}, cause?: unknown) {
		super(kind, { cause });
		this.name = 'ApiError';
		this.kind = kind;
		this.details = details;
	}

	/** The same error, with what the caller knows about it. */
	with(details: ApiErrorDetails): ApiError {
		return new ApiError(this.kind, { ...this.details, ...details }, this.cause ?? this);
	}
}

/** Whether an error is one of a request, and of this kind. */
export function hasKind(error: unknown, kind: ApiErrorKind): error is ApiError {
	return error instanceof ApiError && error.kind === kind;
}

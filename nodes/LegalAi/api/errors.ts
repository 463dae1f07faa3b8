import type { IDataObject } from 'n8n-workflow';

/** What a request was about: the text of an error names the fields that belong to it. */
export type Subject = FileSubject | 'assistant' | 'question' | 'session' | 'syncQuestion' | 'task' | 'taskList' | 'other';

/** A file's way to or from the file storage behind presigned addresses, which gets no key. */
export type FileSubject = 'download' | 'upload';

/** Everything that can go wrong with a request; the retry policy and the texts for the editor are chosen by it. */
export type ApiErrorKind =
	| 'connectionFailed'
	| 'tlsFailed'
	| 'rateLimited'
	| 'outcomeUnknown'
	| 'invalidResponse'
	| 'responseTooLarge'
	| 'redirected'
	| 'invalidPage'
	| 'filterIgnored'
	| 'addressNotAllowed'
	| 'fileTooLarge'
	| 'sessionBusy'
	| 'rejected'
	| 'questionFailed'
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
	/** The question that had been asked already: how to find it. */
	question?: IDataObject & { id: string; assistant_id: string; session_url: string | null };
	/** How long the service took to respond, in ms. */
	responseMs?: number;
	/** Whether a request that must not be repeated may have been carried out. */
	maybeAccepted?: boolean;
}

/** A request that did not succeed. `execution/nodeError.ts` puts it into words. */
export abstract class ApiError extends Error {
	abstract readonly kind: ApiErrorKind;

	readonly details: ApiErrorDetails;

	constructor(details: ApiErrorDetails = {}) {
		super(new.target.name);
		this.name = new.target.name;
		this.details = details;
	}

	/** The same error, with what the caller knows about it. */
	with(details: ApiErrorDetails): this {
		const sameClass = this.constructor as new (details: ApiErrorDetails) => this;
		return new sameClass({ ...this.details, ...details });
	}
}

/** The request never reached the service: connection refused, unknown host. */
export class ConnectionError extends ApiError {
	readonly kind = 'connectionFailed';
}

/** The certificate was not accepted, so nothing was sent. */
export class TlsError extends ApiError {
	readonly kind = 'tlsFailed';
}

/** 429: the organization is over its limit. */
export class RateLimitError extends ApiError {
	readonly kind = 'rateLimited';
}

/** Cut off, timed out or answered with 5xx: the request may have been carried out. */
export class OutcomeUnknownError extends ApiError {
	readonly kind = 'outcomeUnknown';
}

/** Answered, but not with what the API describes: the request may have been carried out. */
export class InvalidResponseError extends ApiError {
	readonly kind = 'invalidResponse';
}

/** A page whose records can't be found, or a list whose end can't be reached. */
export class InvalidPageError extends ApiError {
	readonly kind = 'invalidPage';
}

/** A list came back without heeding one of its filters. */
export class FilterIgnoredError extends ApiError {
	readonly kind = 'filterIgnored';
}

/** The address of a file is one that n8n must not be sent to, e.g. in its own network: nothing was sent. */
export class AddressNotAllowedError extends ApiError {
	readonly kind = 'addressNotAllowed';
}

/** 400 `session_still_processing`: the session is busy with its previous question, and nothing was accepted. */
export class SessionBusyError extends ApiError {
	readonly kind = 'sessionBusy';
}

/** A file is larger than the user lets it be. */
export class FileTooLargeError extends ApiError {
	readonly kind = 'fileTooLarge';
}

/** The service redirected the request. It is not followed, so that the key goes nowhere else. */
export class RedirectedError extends ApiError {
	readonly kind = 'redirected';
}

/** The response is larger than any that the API has. */
export class ResponseTooLargeError extends ApiError {
	readonly kind = 'responseTooLarge';
}

/** Any other 4xx: the service said no, and why. */
export class RejectedError extends ApiError {
	readonly kind = 'rejected';
}

/** 401: the key is missing, malformed or unknown. */
export class AuthenticationError extends RejectedError {}

/** 403: the key has no permission. */
export class PermissionError extends RejectedError {}

/** 404. */
export class NotFoundError extends RejectedError {}

/** The question itself ended in status `error`. */
export class QuestionFailedError extends ApiError {
	readonly kind = 'questionFailed';
}

/** The execution was stopped, or another item has ended it. */
export class CanceledError extends ApiError {
	readonly kind = 'canceled';
}

import { quotation } from './quotation';

/**
 * What became of a request that did not succeed. The retry policy decides by it, and the words for the
 * person in the editor are chosen by it.
 *
 * - `unreached`: it never arrived (refused connection, unknown host).
 * - `untrusted`: no encrypted connection came about (mostly for its certificate), so nothing was sent.
 * - `throttled`: 429, the organisation is over its limit.
 * - `interrupted`: cut off, timed out or answered 5xx: it may have been carried out.
 * - `unreadable`: answered, but not with what the API describes: it may have been carried out.
 * - `unlistable`: a list whose records can't be told, or whose end can't be reached.
 * - `refused`: any other answer of the service, which says why.
 * - `unanswered`: the question itself ended in status `error`.
 * - `cancelled`: the execution was stopped.
 */
export type FailureKind =
	| 'unreached'
	| 'untrusted'
	| 'throttled'
	| 'interrupted'
	| 'unreadable'
	| 'unlistable'
	| 'refused'
	| 'unanswered'
	| 'cancelled';

/** What a request was about: the words for a failure name the fields that belong to it. */
export type Subject = FileSubject | 'assistant' | 'question' | 'session' | 'syncQuestion' | 'task' | 'taskList' | 'other';

/** A file's way to or from the store behind presigned addresses, which is sent no key. */
export type FileSubject = 'download' | 'upload';

/** What is known of a failure; all of it safe to show (no key, no secret, no query of a presigned address). */
export interface FailureFacts {
	/** What the request was about. */
	subject?: Subject;
	/** The file that was on its way. */
	fileName?: string;
	/** HTTP status, where there was an answer. */
	status?: number;
	/** The API's `error_code`. */
	errorCode?: string;
	/** The service's own words, or the first words of an answer that is not the API's. */
	serviceMessage?: string;
	/** The network's own code, e.g. `ECONNREFUSED`. */
	networkCode?: string;
	/** How long the service asked to wait, in ms from its answer. */
	retryAfterMs?: number;
	/** The question that had been asked already: how to get at it. */
	question?: { id: string; assistant_id: string; session_url: string | null };
	/** Whether the request may have been carried out although it was not to be repeated. */
	mayHaveBeenAccepted?: boolean;
}

/** A request that did not succeed, before it is put into words (see `errors.ts`). */
export class ApiFailure extends Error {
	readonly kind: FailureKind;

	readonly facts: FailureFacts;

	constructor(kind: FailureKind, facts: FailureFacts = {}) {
		super(`Request to the Legal AI service: ${kind}`);
		this.kind = kind;
		this.facts = facts;
	}

	/** The same failure with more known about it. */
	with(facts: FailureFacts): ApiFailure {
		return new ApiFailure(this.kind, { ...this.facts, ...facts });
	}
}

/** Whether an error is the API's answer with this `error_code`. */
export function isRefusal(error: unknown, errorCode: string): boolean {
	return error instanceof ApiFailure && error.kind === 'refused' && error.facts.errorCode === errorCode;
}

const UNREACHED_CODES = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'ENETDOWN'];
const ENCRYPTION_CODE = /CERT|SSL|TLS|EPROTO|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER/;
const NO_HTTP_CODE = /^HPE_/;

/**
 * Classifies what n8n's request helpers throw when there was no answer. They wrap the network's error in
 * causes of causes; its code decides.
 */
export function failureOfTransport(error: unknown): ApiFailure {
	for (let cause = error, depth = 0; cause instanceof Error && depth < 5; cause = cause.cause, depth++) {
		const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : undefined;
		if (code === undefined) continue;
		const facts = { networkCode: code };
		if (code === 'ERR_CANCELED') return new ApiFailure('cancelled', facts);
		if (UNREACHED_CODES.includes(code)) return new ApiFailure('unreached', facts);
		if ('syscall' in cause && cause.syscall === 'connect') return new ApiFailure('unreached', facts);
		if (ENCRYPTION_CODE.test(code)) return new ApiFailure('untrusted', facts);
		if (NO_HTTP_CODE.test(code)) return new ApiFailure('unreadable', facts);
		return new ApiFailure('interrupted', facts);
	}
	return new ApiFailure('interrupted', error instanceof Error ? { serviceMessage: quotation(error.message) } : {});
}

import type { IHttpRequestOptions } from 'n8n-workflow';

import {
	ApiError,
	AuthenticationError,
	CanceledError,
	ConnectionError,
	InvalidResponseError,
	NotFoundError,
	OutcomeUnknownError,
	PermissionError,
	RateLimitError,
	RejectedError,
	SessionBusyError,
	TlsError,
	type ApiErrorDetails,
} from './errors';
import { isRecord, readJson, textOrNull, type JsonRecord } from './json';
import type { Reach } from './reach';
import { redactedExcerpt } from './redactedExcerpt';
import { parseRetryAfter } from './retryAfter';
import { withinTime } from './timeLimit';

/** Sends one request through n8n, and gives whatever n8n's helpers give. */
export type SendHttp = (options: IHttpRequestOptions) => Promise<unknown>;

/** The two ways to send a request: with the credential's key (to its origin alone), and without it. */
export interface HttpTransport {
	authenticated: SendHttp;
	anonymous: SendHttp;
	/** How far the host of an address reaches once its name is looked up; `public` if that can't be told. */
	resolveReach: (url: string) => Promise<Reach>;
}

/** An HTTP response: headers in lower case, the body as n8n's helpers give it. */
export interface HttpResponse {
	status: number;
	headers: Record<string, unknown>;
	body: unknown;
}

/** How long a response may take in all, unless told otherwise. */
export const RESPONSE_TIMEOUT_MS = 60_000;

/**
 * Sends one request, and gives the response whatever its status. It ends with the `timeout` of the options, however busily
 * the response comes in; a stream has the rest of it still to come.
 *
 * @throws {ApiError} if there was no response
 */
export async function sendRequest(
	send: SendHttp,
	{ abortSignal, timeout = RESPONSE_TIMEOUT_MS, ...options }: IHttpRequestOptions,
): Promise<HttpResponse> {
	const response = await withinTime(timeout, async (timeUp) => {
		const ends = abortSignal instanceof AbortSignal ? AbortSignal.any([abortSignal, timeUp]) : timeUp;
		return await send({ ...options, timeout, abortSignal: ends, returnFullResponse: true, ignoreHttpStatusErrors: true });
	}).catch((error: unknown) => {
		throw error instanceof ApiError ? error : errorOfTransport(error);
	});
	if (!isRecord(response) || typeof response.statusCode !== 'number') throw new InvalidResponseError();
	return {
		status: response.statusCode,
		headers: isRecord(response.headers) ? { ...response.headers } : {},
		body: response.body,
	};
}

/** The error that a response with a status of 300 or more means. */
export function errorOfResponse({ status, headers, body }: HttpResponse): ApiError {
	const content = typeof body === 'string' ? readJson(body) : undefined;
	const record = isRecord(content) ? content : {};
	const inner = innerError(record);
	const said = [record.message, record.error, inner.message, inner.detail, inner.title, body].map(textOrNull);
	const details: ApiErrorDetails = {
		status,
		errorCode: [record.error_code, record.svc_api_error_code, inner.code].find(isErrorCode),
		serviceMessage: redactedExcerpt(said.find((text) => text?.trim()) ?? ''),
		retryAfterMs: parseRetryAfter(headers['retry-after'], Date.now()),
	};
	if (status === 429) return new RateLimitError(details);
	if (status >= 500 || status === 408) return new OutcomeUnknownError(details);
	if (details.errorCode === 'session_still_processing') return new SessionBusyError(details);
	if (status === 401) return new AuthenticationError(details);
	if (status === 403) return new PermissionError(details);
	if (status === 404) return new NotFoundError(details);
	return new RejectedError(details);
}

/** Many services put what went wrong into an object of its own, or several of them into a list. */
function innerError({ error, errors }: JsonRecord): JsonRecord {
	return [error, errors].flat().find(isRecord) ?? {};
}

/** Whether a value looks like a code, which may be shown as it is. */
function isErrorCode(value: unknown): value is string {
	return typeof value === 'string' && /^\w{1,64}$/.test(value);
}

const NOT_CONNECTED = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'ENETDOWN'];
const ENCRYPTION = /CERT|SSL|TLS|EPROTO|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER/;
const MAX_CAUSES = 5;

/**
 * Classifies what n8n's request helpers throw if there was no response. They wrap the network's error in causes of
 * causes; its code decides.
 */
export function errorOfTransport(error: unknown): ApiError {
	for (let cause = error, depth = 0; cause instanceof Error && depth < MAX_CAUSES; cause = cause.cause, depth++) {
		const networkCode = 'code' in cause && typeof cause.code === 'string' ? cause.code : undefined;
		if (networkCode === undefined) continue;
		if (networkCode === 'ERR_CANCELED') return new CanceledError({ networkCode });
		if (NOT_CONNECTED.includes(networkCode)) return new ConnectionError({ networkCode });
		if ('syscall' in cause && cause.syscall === 'connect') return new ConnectionError({ networkCode });
		if (ENCRYPTION.test(networkCode)) return new TlsError({ networkCode });
		if (networkCode.startsWith('HPE_')) return new InvalidResponseError({ networkCode });
		return new OutcomeUnknownError({ networkCode });
	}
	return new OutcomeUnknownError(error instanceof Error ? { serviceMessage: redactedExcerpt(error.message) } : {});
}

import type { IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';

import { ERROR_CODES } from './errorCodes';
import { ApiError, type ApiErrorKind } from './errors';
import { isRecord, readForeignJson, textOrNull } from './json';
import { redactedExcerpt } from './redactedExcerpt';

/** Sends one request through n8n, and returns what n8n's helpers return. */
export type SendHttp = (options: IHttpRequestOptions) => Promise<unknown>;

/** One HTTP request. Redirects are not followed. */
export interface HttpRequest
	extends Pick<IHttpRequestOptions, 'method' | 'url' | 'headers' | 'body'> {
	/** How long it may take, including its response, even while data arrives. */
	timeoutMs?: number;
	/** Ends it before that. */
	signal?: AbortSignal;
}

/** A stream of bytes, of the kind that n8n's helpers return and accept. */
export type ByteStream = Awaited<ReturnType<IExecuteFunctions['helpers']['getBinaryStream']>>;

/** An HTTP response, with its headers in lower case. */
export interface HttpResponse<Body = string> {
	status: number;
	headers: Record<string, unknown>;
	body: Body;
}

/** How long a response may take by default. */
export const RESPONSE_TIMEOUT_MS = 60_000;

/** The longest response that is read into memory, unpacked. The largest page of tasks has a few megabytes. */
const LONGEST_RESPONSE = 32 * 1024 * 1024;

/**
 * Sends one request, and returns its response as text, whatever its status.
 *
 * @throws {ApiError} if there was no response, or none that could be read
 */
export async function sendRequest(send: SendHttp, request: HttpRequest): Promise<HttpResponse> {
	return await streamResponse(send, request, async (response) => ({
		...response,
		body: await readText(response.body),
	}));
}

/**
 * Sends one request, and passes its response to `read` as a stream, which is closed afterwards. The time of the request
 * ends both.
 *
 * @throws {ApiError} if there was no response, or it broke off
 */
export async function streamResponse<T>(
	send: SendHttp,
	{ timeoutMs = RESPONSE_TIMEOUT_MS, signal, ...request }: HttpRequest,
	read: (response: HttpResponse<ByteStream>) => Promise<T>,
): Promise<T> {
	const timeUp = AbortSignal.timeout(Math.ceil(timeoutMs));
	const ends = signal === undefined ? timeUp : AbortSignal.any([signal, timeUp]);
	const classified = (error: unknown): ApiError =>
		timeUp.aborted && !signal?.aborted
			? new ApiError('outcomeUnknown', { networkCode: 'ETIMEDOUT' })
			: errorOfTransport(error);
	const response = await send({
		...request,
		encoding: 'stream',
		disableFollowRedirect: true,
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		// n8n's own timeout starts again with every byte. Its default is five minutes.
		timeout: timeoutMs,
		abortSignal: ends,
	}).catch((error: unknown) => {
		throw classified(error);
	});
	if (!isRecord(response) || typeof response.statusCode !== 'number' || !isStream(response.body)) {
		throw new ApiError('invalidResponse');
	}

	const { statusCode: status, body } = response;
	const headers = isRecord(response.headers) ? response.headers : {};
	let broken: unknown;
	body.on('error', (error) => (broken ??= error));
	const end = (): void => void body.destroy(new Error('aborted'));
	ends.addEventListener('abort', end);
	return await read({ status, headers, body })
		.catch((error: unknown) => {
			throw broken === undefined || error instanceof ApiError ? error : classified(broken);
		})
		.finally(() => {
			ends.removeEventListener('abort', end);
			body.destroy();
		});
}

/** @throws {ApiError} of kind `responseTooLarge` */
async function readText(body: ByteStream): Promise<string> {
	const chunks: Uint8Array[] = [];
	let length = 0;
	for await (const chunk of body as AsyncIterable<Uint8Array>) {
		length += chunk.length;
		if (length > LONGEST_RESPONSE) throw new ApiError('responseTooLarge');
		chunks.push(chunk);
	}
	return new TextDecoder().decode(Buffer.concat(chunks));
}

function isStream(body: unknown): body is ByteStream {
	return isRecord(body) && typeof body.pipe === 'function' && Symbol.asyncIterator in body;
}

/**
 * Reads the JSON of a response.
 *
 * @throws {ApiError} if its status is not one of success, or it is neither an object nor a list
 */
export function readResponse({ body, ...response }: HttpResponse): unknown {
	if (response.status >= 300) throw errorOfResponse({ ...response, body });
	const content = readForeignJson(body);
	if (typeof content === 'object' && content !== null) return content;
	throw new ApiError('invalidResponse', {
		status: response.status,
		serviceMessage: redactedExcerpt(body),
	});
}

/** The error that a response with a status of 300 or more means. */
export function errorOfResponse({ status, headers, body }: HttpResponse): ApiError {
	const content = readForeignJson(body);
	const record = isRecord(content) ? content : {};
	// What looks like a code may be shown as it is.
	const errorCode =
		[record.error_code, record.svc_api_error_code]
			.map(textOrNull)
			.find((code) => /^\w{1,64}$/.test(code ?? '')) ?? undefined;
	return new ApiError(kindOfStatus(status, errorCode), {
		status,
		errorCode,
		serviceMessage: redactedExcerpt(
			[record.message, record.error, body].map(textOrNull).find((text) => text?.trim()) ?? '',
		),
		retryAfterMs: parseRetryAfter(headers['retry-after'], timeOf(headers.date) || Date.now()),
	});
}

function kindOfStatus(status: number, errorCode: string | undefined): ApiErrorKind {
	if (status < 400) return 'redirected';
	if (status === 429) return 'rateLimited';
	if (status >= 500 || status === 408) return 'outcomeUnknown';
	return ERROR_CODES.get(errorCode)?.kind ?? 'rejected';
}

/** How HTTP writes a date. Left to itself, `Date.parse` finds one in almost any text with a number in it. */
const HTTP_DATE = /^\s*(Mon|Tue|Wed|Thu|Fri|Sat|Sun)/;
const SECONDS = /^\s*\d+(\.\d+)?\s*$/;
/** Nobody means more than a day. */
const LONGEST_BELIEVED_MS = 24 * 60 * 60_000;

/** Reads a Retry-After header, in seconds or as a date, as ms from now on the service's clock. Undefined if it is neither, or not plausible. */
export function parseRetryAfter(header: unknown, nowMs: number): number | undefined {
	const text = textOrNull(header) ?? '';
	const ms = SECONDS.test(text) ? Number(text) * 1000 : Math.max(0, timeOf(text) - nowMs);
	return ms <= LONGEST_BELIEVED_MS ? ms : undefined;
}

function timeOf(header: unknown): number {
	return typeof header === 'string' && HTTP_DATE.test(header) ? Date.parse(header) : NaN;
}

/** What a failure without a response is, by the names, system calls and codes of what caused it; anything else may have arrived. */
const FAILURES: ReadonlyArray<[ApiErrorKind, RegExp]> = [
	['blockedByN8n', /^SsrfBlocked/],
	['canceled', / ERR_CANCELED$/],
	// The request was not sent: the name was not found, or nobody accepted the connection.
	['connectionFailed', / (connect|getaddrinfo|query|ECONNREFUSED|ENOTFOUND|EAI_AGAIN)/],
	// The certificate was not accepted, by this side. What else goes wrong with TLS may do so after the request was read.
	[
		'tlsFailed',
		/ (CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|INVALID_|PATH_LENGTH_|HOSTNAME_|ERR_TLS_CERT_)/,
	],
	['invalidResponse', / HPE_/],
];

const MAX_CAUSES = 5;

/** Classifies what n8n's request helpers throw if there was no response: they wrap the network's error in nested causes. */
export function errorOfTransport(error: unknown): ApiError {
	const causes: Array<Error & { code?: unknown; syscall?: unknown }> = [];
	for (let cause = error; cause instanceof Error && causes.length < MAX_CAUSES; ) {
		causes.push(cause);
		// If several addresses were tried, the first counts.
		cause = cause instanceof AggregateError ? cause.errors[0] : cause.cause;
	}
	const networkCode = causes.map(({ code }) => code).find((code) => typeof code === 'string');
	const said = networkCode === undefined ? causes[0]?.message : undefined;
	const serviceMessage = said && redactedExcerpt(said);
	const signs = causes.map(({ name, syscall }) => `${name} ${String(syscall)} ${networkCode}`);
	const [kind] = FAILURES.find(([, form]) => signs.some((sign) => form.test(sign))) ?? [];
	return new ApiError(kind ?? 'outcomeUnknown', { networkCode, serviceMessage });
}

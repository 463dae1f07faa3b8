import type {
	IExecuteFunctions,
	IHttpRequestMethods,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';

import { parseBaseUrl } from './baseUrl';
import { ApiFailure, failureOfTransport, type Subject } from './failure';
import { isRecord, readJson, textOrNull } from './json';
import { quotation } from './quotation';
import { parseRetryAfter, Turnstile, withRetries, type Patience, type Repetition } from './retry';
import { Slots } from './slots';

/** The n8n contexts that requests are made from. */
export type ApiContext = IExecuteFunctions | IWebhookFunctions | ILoadOptionsFunctions;

/** One request to the API. */
export interface ApiRequest {
	method: IHttpRequestMethods;
	/** What it is about, for the words of a failure. */
	subject: Subject;
	/** Path below the base address, a segment an entry: each is encoded, so an id can't climb out of its place. */
	path: string[];
	query?: Record<string, string | number | undefined>;
	body?: Record<string, unknown>;
	/** `once` for what must not happen twice; default `repeatable`. */
	repetition?: Repetition;
	/** Whether the request opens a session, which has a limit of its own. */
	opensSession?: boolean;
	/** Until when to repeat it, in ms since the epoch; see {@link Patience}. */
	deadline?: number;
}

/** An HTTP answer: headers in lower case, the body as n8n's helpers give it. */
export interface HttpAnswer {
	status: number;
	headers: Record<string, unknown>;
	body: unknown;
}

/** How many requests of one run are under way at once, unless the user chose otherwise. */
export const DEFAULT_REQUESTS_AT_ONCE = 5;

const REQUEST_TIMEOUT_MS = 60_000;

/** What an answer means that carries one of these codes although its status is one of success. */
const STATUS_BY_ERROR_CODE = new Map([
	['unauthorized', 401],
	['resource_not_found', 404],
	['rate_limit_exceeded', 429],
]);

/**
 * The service over HTTP: the one place that sends requests with the key. One client serves one run of a
 * node, so that its requests share what the service says about its limits.
 */
export class LegalAiClient {
	/** The credential's Base URL, without a trailing slash. */
	readonly baseUrl: string;

	/** Ends waits between requests; n8n itself ends requests under way when the execution is stopped. */
	readonly signal: AbortSignal | undefined;

	/** Bounds what is under way at once, transfers of files too. */
	readonly slots: Slots;

	/** How many questions are being polled just now: the more, the slower each of them. */
	questionsPolled = 0;

	private readonly requests: Turnstile;

	/** Apart from the others: the limit of new sessions is by far the lower one, and holds up no polling. */
	private readonly sessions: Turnstile;

	private readonly context: ApiContext;

	private constructor(context: ApiContext, baseUrl: string, signal: AbortSignal | undefined, slots: Slots) {
		this.context = context;
		this.baseUrl = baseUrl;
		this.signal = signal;
		this.slots = slots;
		this.requests = new Turnstile(slots);
		this.sessions = new Turnstile(slots);
	}

	/**
	 * @throws {BaseUrlRefused} where the credential's Base URL is none that a key may be sent to
	 */
	static async create(
		context: ApiContext,
		{ signal, requestsAtOnce = DEFAULT_REQUESTS_AT_ONCE }: { signal?: AbortSignal; requestsAtOnce?: number } = {},
	): Promise<LegalAiClient> {
		const { baseUrl } = await context.getCredentials('legalAiApi');
		return new LegalAiClient(context, parseBaseUrl(baseUrl).href, signal, new Slots(requestsAtOnce));
	}

	/**
	 * Sends a request and reads its JSON answer, repeated as the retry policy says.
	 *
	 * @throws {ApiFailure} where that did not succeed
	 */
	async request(request: ApiRequest): Promise<unknown> {
		const patience: Patience = { deadline: request.deadline, signal: this.signal };
		const turnstile = request.opensSession ? this.sessions : this.requests;
		const send = async () => await this.send(request);
		try {
			return await withRetries(
				request.repetition ?? 'repeatable',
				patience,
				async () => await turnstile.pass(send, patience),
			);
		} catch (error) {
			throw error instanceof ApiFailure ? error.with({ subject: request.subject }) : error;
		}
	}

	private async send(request: ApiRequest): Promise<unknown> {
		const url = new URL(this.baseUrl);
		url.pathname += request.path.map((segment) => `/${encodeSegment(segment)}`).join('');
		for (const [name, value] of Object.entries(request.query ?? {})) {
			if (value !== undefined) url.searchParams.set(name, String(value));
		}
		const answer = await exchange(async (options) => {
			return await this.context.helpers.httpRequestWithAuthentication.call(this.context, 'legalAiApi', options);
		}, {
			method: request.method,
			url: url.href,
			...(request.body === undefined
				? {}
				: { body: JSON.stringify(request.body), headers: { 'Content-Type': 'application/json' } }),
			encoding: 'text',
			timeout: REQUEST_TIMEOUT_MS,
		});
		return readAnswer(answer);
	}
}

/**
 * One exchange through n8n's request helpers, whatever the status of the answer.
 *
 * @throws {ApiFailure} where there was no answer
 */
export async function exchange(
	send: (options: IHttpRequestOptions) => Promise<unknown>,
	options: IHttpRequestOptions,
): Promise<HttpAnswer> {
	let response: unknown;
	try {
		response = await send({ ...options, returnFullResponse: true, ignoreHttpStatusErrors: true });
	} catch (error) {
		throw failureOfTransport(error);
	}
	if (!isRecord(response) || typeof response.statusCode !== 'number') throw new ApiFailure('unreadable');
	return {
		status: response.statusCode,
		headers: isRecord(response.headers) ? { ...response.headers } : {},
		body: response.body,
	};
}

/** The failure that an answer with a status of 300 and more means. */
export function failureOfAnswer({ status, headers, body }: HttpAnswer): ApiFailure {
	const content = typeof body === 'string' ? readJson(body) : undefined;
	const record = isRecord(content) ? content : {};
	const facts = {
		status,
		errorCode: [record.error_code, record.svc_api_error_code].find(isErrorCode),
		serviceMessage: quotation(textOrNull(record.message) ?? textOrNull(record.error) ?? textOrNull(body) ?? ''),
		retryAfterMs: parseRetryAfter(headers['retry-after']),
	};
	if (status === 429) return new ApiFailure('throttled', facts);
	if (status >= 500 || status === 408) return new ApiFailure('interrupted', facts);
	return new ApiFailure('refused', facts);
}

/** Whether a value looks like a code, which may be shown as it is. */
function isErrorCode(value: unknown): value is string {
	return typeof value === 'string' && /^\w{1,64}$/.test(value);
}

function readAnswer(answer: HttpAnswer): unknown {
	if (answer.status >= 300) throw failureOfAnswer(answer);
	const content = typeof answer.body === 'string' ? readJson(answer.body) : undefined;
	if (typeof content !== 'object' || content === null) {
		throw new ApiFailure('unreadable', {
			status: answer.status,
			serviceMessage: quotation(textOrNull(answer.body) ?? ''),
		});
	}
	if (isRecord(content) && typeof content.error_code === 'string') {
		throw failureOfAnswer({ ...answer, status: STATUS_BY_ERROR_CODE.get(content.error_code) ?? 400 });
	}
	return content;
}

/** Encodes a path segment; dots alone would mean another folder, so they are encoded too. */
function encodeSegment(segment: string): string {
	return /^\.{1,2}$/.test(segment) ? segment.replace(/\./g, '%252E') : encodeURIComponent(segment);
}

import type { IHttpRequestMethods } from 'n8n-workflow';

import { AssistantPath } from './assistantPath';
import type { ConcurrencyLimiter } from './concurrencyLimiter';
import { ApiError, CanceledError, RateLimitError, type Subject } from './errors';
import { RESPONSE_TIMEOUT_MS, sendRequest, type HttpResponse, type HttpTransport } from './http';
import { readResponse } from './response';
import { withRetries, type RetryBudget } from './retry';
import type { ServiceLimits } from './serviceLimits';

/** One request to the API. */
export interface ApiRequest {
	method: IHttpRequestMethods;
	/** What it is about, for the text of an error. */
	subject: Subject;
	/** Path below the base address, a segment an entry: each is encoded, so an id can't climb out of its place. */
	path: string[];
	query?: Record<string, string | number | undefined>;
	body?: Record<string, unknown>;
	/** Whether sending it twice does no harm; default true. */
	idempotent?: boolean;
	/** Whether it opens a session, which has a limit of its own. */
	opensSession?: boolean;
	/** Until when to repeat it, in ms since the epoch; see {@link RetryBudget}. */
	deadline?: number;
	pollDeadline?: number;
}

/** A response of the API: its JSON, and its headers with their names in lower case. */
export interface ApiResponse {
	content: unknown;
	headers: HttpResponse['headers'];
}

/** What a client needs from the run of a node that it serves. */
export interface ClientOptions {
	/** The credential's Base URL, without a trailing slash. */
	baseUrl: string;
	transport: HttpTransport;
	limits: ServiceLimits;
	/** Bounds what is under way at once, transfers of files too. */
	concurrency: ConcurrencyLimiter;
	/** Ends waits between requests; n8n itself ends requests under way when the execution is stopped. */
	signal?: AbortSignal;
}

/** What a response may take in any case: a first look is worth it even if the time is nearly over. */
const SHORTEST_TIMEOUT_MS = 5_000;

/** The service over HTTP: the one place that sends requests with the key. One client serves one run of a node. */
export class LegalAiClient {
	readonly baseUrl: string;

	readonly signal: AbortSignal | undefined;

	readonly transport: HttpTransport;

	private readonly options: ClientOptions;

	private readonly assistantPath: AssistantPath;

	constructor(options: ClientOptions) {
		this.options = options;
		this.baseUrl = options.baseUrl;
		this.assistantPath = new AssistantPath(options.baseUrl);
		this.signal = options.signal;
		this.transport = options.transport;
	}

	/**
	 * Sends a request and reads its JSON response, repeated as the retry policy says.
	 *
	 * @throws {ApiError}
	 */
	async request(request: ApiRequest): Promise<unknown> {
		return (await this.fetch(request)).content;
	}

	/** The same, for whoever needs the headers of the response, too. */
	async fetch(request: ApiRequest): Promise<ApiResponse> {
		const budget: RetryBudget = { deadline: request.deadline, pollDeadline: request.pollDeadline, signal: this.signal };
		try {
			return await this.assistantPath.send(request.path, async (path) => {
				return await withRetries(request.idempotent ?? true, budget, async () => await this.sendPaced({ ...request, path }, budget));
			});
		} catch (error) {
			throw error instanceof ApiError ? error.add({ subject: request.subject }) : error;
		}
	}

	/**
	 * Runs one transfer of a file, which counts for concurrency and not for the service's rate limits; repeated as the
	 * retry policy says.
	 *
	 * @throws {ApiError}
	 */
	async transfer<T>(deadline: number, send: (transport: HttpTransport) => Promise<T>): Promise<T> {
		return await withRetries(true, { deadline, signal: this.signal }, async () => {
			return await this.inSlot(async () => await send(this.transport));
		});
	}

	private async sendPaced(request: ApiRequest, budget: RetryBudget): Promise<ApiResponse> {
		const { sessions, requests } = this.options.limits;
		const limiter = request.opensSession ? sessions : requests;
		if (request.opensSession) await sessions.acquire(this, budget);
		await requests.acquire(this, budget);
		return await this.inSlot(async () => {
			limiter.ensureOpen();
			return await this.send(request).catch((error: unknown) => {
				if (error instanceof RateLimitError) limiter.pause(error);
				throw error;
			});
		});
	}

	/** Nothing new begins once the run is over: whoever waited for a slot learns that before sending. */
	private async inSlot<T>(send: () => Promise<T>): Promise<T> {
		const { concurrency, signal } = this.options;
		await concurrency.acquire();
		try {
			if (signal?.aborted) throw new CanceledError();
			return await send();
		} finally {
			concurrency.release();
		}
	}

	private async send(request: ApiRequest): Promise<ApiResponse> {
		const { method, path, query = {}, body } = request;
		const url = new URL(this.baseUrl);
		url.pathname += path.map((segment) => `/${encodeSegment(segment)}`).join('');
		for (const [name, value] of Object.entries(query)) {
			if (value !== undefined) url.searchParams.set(name, String(value));
		}
		const sentAt = Date.now();
		const response = await sendRequest(this.transport.authenticated, {
			method,
			url: url.href,
			...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
			encoding: 'text',
			timeout: responseTimeout(request),
		});
		try {
			return { content: readResponse(response), headers: response.headers };
		} catch (error) {
			throw error instanceof ApiError ? error.add({ responseMs: Date.now() - sentAt }) : error;
		}
	}
}

/** What may be sent again is not waited for much beyond its deadline; what may not has to be heard of. */
function responseTimeout({ idempotent = true, deadline = Infinity }: ApiRequest): number {
	if (!idempotent) return RESPONSE_TIMEOUT_MS;
	return Math.min(RESPONSE_TIMEOUT_MS, Math.max(SHORTEST_TIMEOUT_MS, deadline - Date.now()));
}

/** Encodes a path segment. Dots alone would mean another folder, and half a character can't be encoded. */
function encodeSegment(segment: string): string {
	return /^\.{1,2}$/.test(segment) ? segment.replace(/\./g, '%252E') : encodeURIComponent(segment.replace(/\p{Cs}/gu, '\ufffd'));
}

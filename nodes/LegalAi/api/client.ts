import type { IHttpRequestMethods } from 'n8n-workflow';

import { ApiError, type ApiErrorDetails, type RequestWords } from './errors';
import { errorOfResponse, readResponse, RESPONSE_TIMEOUT_MS, sendRequest } from './http';
import type { HttpRequest, HttpResponse, SendHttp } from './http';
import type { RateLimiter, ServiceLimits } from './rateLimiter';
import { withRetries, type RetryOptions } from './retry';

/** When something is sent that is sent once. */
export interface Turn extends Pick<RetryOptions, 'deadline' | 'turnBy'> {
	/** Whether its first turn was taken in advance. */
	hasTurn?: boolean;
	/** Called immediately before it is sent, each time. */
	beforeSending?: () => Promise<void>;
}

/** One request to the API. Sending it twice does harm if it is not idempotent. */
export type ApiRequest = RequestParts &
	(
		| { idempotent?: true; words?: RequestWords }
		| { idempotent: false; words: RequestWords & { maybeAccepted: string } }
	);

interface RequestParts extends Turn {
	method: IHttpRequestMethods;
	/** Path below the base address, an entry for each segment. They are encoded, so that an ID can't lead to another endpoint. */
	path: string[];
	query?: Record<string, string | number | undefined>;
	body?: Record<string, unknown>;
	/** After this many ms, any failure leaves open whether it was accepted. */
	acceptedAfterMs?: number;
	/** Whether it opens a session, which has a limit of its own. */
	opensSession?: boolean;
}

/** What a client needs from the run of a node that it serves. */
export interface ClientOptions {
	/** The credential's Base URL, without a trailing slash. */
	baseUrl: string;
	/** A hash of the address and the key: whatever the process keeps belongs to one. */
	account: string;
	/** The same of the credential as it is now: n8n reads it anew for each request. */
	currentAccount: () => Promise<string>;
	/** The two ways to send a request: with the credential's key (only to its origin), and without it. */
	transport: { authenticated: SendHttp; anonymous: SendHttp };
	limits: ServiceLimits;
	/** Ends waits between requests; n8n itself ends requests under way when the execution is stopped. */
	signal?: AbortSignal;
	/** For requests without a deadline of their own. */
	deadline?: number;
}

/** How long a response may take even if the deadline is near: a check is still worth it. */
const SHORTEST_TIMEOUT_MS = 5_000;

/** The service over HTTP: what the nodes send with the key goes through it. One client serves one run of a node. */
export class LegalAiClient {
	readonly baseUrl: string;
	readonly account: string;
	readonly signal: AbortSignal | undefined;
	private readonly options: ClientOptions;

	constructor(options: ClientOptions) {
		this.options = options;
		this.baseUrl = options.baseUrl;
		this.account = options.account;
		this.signal = options.signal;
	}

	/**
	 * Sends a request until its JSON response can be read, as the retry policy says.
	 *
	 * @param read takes what it needs from the response; throws an {@link ApiError} if that is not there
	 * @throws {ApiError}
	 */
	async request<T>(request: ApiRequest, read: (content: unknown) => T): Promise<T> {
		const { words, deadline = this.options.deadline } = request;
		let { hasTurn = false } = request;
		return await withRetries(
			{ ...request, deadline, signal: this.signal, details: { words } },
			async (budget) => {
				if (!hasTurn) await this.takeTurn(request, budget);
				hasTurn = false;
				return read(await this.send(request, budget.deadline));
			},
		);
	}

	/**
	 * Makes sure that all requests so far had the same credential.
	 *
	 * @throws {ApiError} of kind `credentialChanged`
	 */
	async ensureSameAccount(): Promise<void> {
		if ((await this.options.currentAccount()) !== this.account)
			throw new ApiError('credentialChanged');
	}

	/**
	 * Resolves when the rate limits let a request through.
	 *
	 * @throws {ApiError} see {@link RateLimiter.acquire}
	 */
	async takeTurn(
		request: Pick<ApiRequest, 'opensSession'>,
		budget: Pick<RetryOptions, 'deadline' | 'turnBy'>,
	): Promise<void> {
		for (const limiter of this.limitersOf(request))
			await limiter.acquire(this, { ...budget, signal: this.signal });
	}

	/**
	 * Sends a file, or fetches one, as often as the retry policy says. It does not count for the service's rate limits.
	 *
	 * @param file for the text of an error
	 * @throws {ApiError}
	 */
	async transfer<T>(
		file: ApiErrorDetails,
		deadline: number,
		send: (anonymous: SendHttp) => Promise<T>,
	): Promise<T> {
		return await withRetries(
			{ deadline, signal: this.signal, details: file },
			async () => await send(this.options.transport.anonymous),
		);
	}

	/** Sends a request that is not one to the service, once, and without the key. */
	async probe(request: HttpRequest): Promise<HttpResponse> {
		return await sendRequest(this.options.transport.anonymous, request);
	}

	/** The limits that a request is under; first the one that a 429 is most likely about. */
	private limitersOf({
		opensSession,
	}: Pick<ApiRequest, 'opensSession'>): [RateLimiter, ...RateLimiter[]] {
		const { sessions, requests } = this.options.limits;
		return opensSession ? [sessions, requests] : [requests];
	}

	/** Sends a request that has its turn. A 429 pauses the limit. */
	private async send(request: ApiRequest, deadline: number | undefined): Promise<unknown> {
		const { method, acceptedAfterMs = Infinity } = request;
		await request.beforeSending?.();
		const sentAt = performance.now();
		const response = await sendRequest(
			this.options.transport.authenticated,
			this.httpRequest(request, deadline),
		);
		if (response.status >= 400) {
			const error = errorOfResponse(response);
			if (response.status === 429) this.limitersOf(request)[0].pause(error);
			const isLate = performance.now() - sentAt >= acceptedAfterMs;
			throw isLate ? error.with({ maybeAccepted: true }) : error;
		}
		// A change that was made needs no words.
		const isChange = !['GET', 'POST'].includes(method);
		const isWordless = isChange && response.status < 300 && !response.body.trim();
		return isWordless ? {} : readResponse(response);
	}

	private httpRequest(
		{ method, path, query = {}, body, idempotent = true }: ApiRequest,
		deadline = Infinity,
	): HttpRequest {
		const url = new URL(this.baseUrl);
		url.pathname += path.map((segment) => `/${encodeSegment(segment)}`).join('');
		for (const [name, value] of Object.entries(query)) {
			if (value !== undefined) url.searchParams.set(name, String(value));
		}
		// What may be sent again is not waited for much beyond its deadline. Of what may not, the outcome has to be known.
		const msLeft = idempotent ? Math.max(SHORTEST_TIMEOUT_MS, deadline - Date.now()) : Infinity;
		const content = body && {
			body: JSON.stringify(body),
			headers: { 'Content-Type': 'application/json' },
		};
		return { method, url: url.href, ...content, timeoutMs: Math.min(RESPONSE_TIMEOUT_MS, msLeft) };
	}
}

/** Encodes a path segment. Dots alone would mean another folder, and half a character can't be encoded. */
function encodeSegment(segment: string): string {
	return /^\.{1,2}$/.test(segment)
		? segment.replace(/\./g, '%252E')
		: encodeURIComponent(segment.replace(/\p{Cs}/gu, '\ufffd'));
}

import { setTimeout as sleep } from 'node:timers/promises';

import { isRecord } from '../../harness/unknownJson.mts';
import { findTask } from '../../nodes/LegalAi/api/tasks.ts';
import { Differs, NotTried } from './clause.mts';
import type { CallbackReceiver } from './callbackReceiver.mts';

/** A response whose body was read. */
export interface Reply {
	status: number;
	headers: Headers;
	/** The JSON of the body; undefined if it is something else. */
	body: unknown;
	/** Of the body, in bytes. */
	length: number;
}

/** A service to check, and what is known of it. */
export interface ServiceAccess {
	/** Ends in /api/v1. */
	baseUrl: string;
	apiKey: string;
	/** If callbacks are to be tried. */
	callbacks?: CallbackReceiver;
	/** How many times faster than the wall clock the service's time runs. Default 1; a sandbox may be faster. */
	timeScale?: number;
	/** Ends the check: nothing more is tried, and what it created is archived. */
	signal?: AbortSignal;
	/** Is told what the check waits for. */
	progress?: (line: string) => void;
}

/** The title of all that a check leaves behind. */
export const CHECK_NAME = 'Check of n8n-nodes-legal-ai';

/** What a check may cost at most, whatever the service does. */
export const BUDGET = { questions: 3, files: 1, tasks: 2 };

type Costly = keyof typeof BUDGET;

const REQUEST_MS = 120_000;
const FIRST_POLL_MS = 2_000;
const LONGEST_POLL_MS = 30_000;

/** A service under check: sends requests, waits out its limits, and keeps to the budget. */
export class CheckedService {
	/** How 429 responses said how long to wait: `seconds`, `a date`, `neither seconds nor a date`, or `not at all`. */
	limits = new Set<string>();
	spent: Record<Costly, number> = { questions: 0, files: 0, tasks: 0 };
	/** Their IDs. */
	createdTasks: string[] = [];
	#access: ServiceAccess;

	constructor(access: ServiceAccess) {
		this.#access = access;
	}

	get callbacks() {
		return this.#access.callbacks;
	}

	get(path: string, headers?: Record<string, string>) {
		return this.send('GET', path, undefined, headers);
	}

	post(path: string, body: unknown) {
		return this.send('POST', path, body);
	}

	/** Creates a task, if it is taken; not if that went beyond the budget. */
	async createTask(body: object) {
		const reply = await this.#spend('tasks', () => this.post('/tasks', body));
		const created = findTask(reply.body);
		if (created !== undefined) this.createdTasks.push(created.id);
		return reply;
	}

	/** Asks a question; not if that went beyond the budget. */
	ask(body: unknown, assistant = 'default') {
		return this.#spend('questions', () =>
			this.post(`/assistants/${encodeURIComponent(assistant)}/questions`, body),
		);
	}

	/** Sends a file to an upload address, without the key; not if that went beyond the budget. */
	upload(url: string, contentType: string, content: string) {
		return this.#spend('files', () =>
			fetched(url, { method: 'PUT', body: content, headers: { 'content-type': contentType } }),
		);
	}

	/** Fetches a file that came with an answer, without the key. */
	download(url: string) {
		return fetched(url, { redirect: 'follow' });
	}

	/**
	 * Sends a request to a path below the base URL; again if the service limits it. A text is sent as it is, anything else as JSON.
	 *
	 * @param headers instead of the key
	 */
	async send(
		method: string,
		path: string,
		body?: unknown,
		headers: Record<string, string> = { authorization: `Bearer ${this.#access.apiKey}` },
	) {
		const sent = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
		const type = sent === undefined ? undefined : { 'content-type': 'application/json' };
		const url = this.#access.baseUrl.replace(/\/$/, '') + path;
		for (;;) {
			const reply = await fetched(url, { method, body: sent, headers: { ...type, ...headers } });
			if (reply.status !== 429) return reply;
			const wait = this.#retryAfter(reply);
			this.progress(`The service limits requests: going on in ${Math.ceil(wait / 1000)} s`);
			await sleep(wait);
		}
	}

	/** Looks until there is something, at growing intervals. Undefined if there is nothing within the time. */
	async until<Found>(what: string, withinMs: number, look: () => Promise<Found | undefined>) {
		const started = this.now();
		for (let wait = FIRST_POLL_MS; ; wait = Math.min(wait * 1.3, LONGEST_POLL_MS)) {
			const found = await look();
			const waited = this.now() - started;
			if (found !== undefined || waited > withinMs) return found;
			this.progress(`Waiting for ${what}: ${Math.round(waited / 1000)} s`);
			await sleep(wait / this.timeScale, undefined, { signal: this.#access.signal });
		}
	}

	/** Milliseconds of the service's time. */
	now() {
		return Date.now() * this.timeScale;
	}

	get timeScale() {
		return this.#access.timeScale ?? 1;
	}

	progress(line: string) {
		this.#access.progress?.(line);
	}

	/** A text without the key and without hosts. */
	redacted(words: string) {
		const { baseUrl, apiKey, callbacks } = this.#access;
		const hosts = [baseUrl, callbacks?.url ?? baseUrl].map((url) => new URL(url).host);
		return [...hosts, apiKey].reduce((rest, secret) => rest.replaceAll(secret, '…'), words);
	}

	/** Counts what was accepted, or may have been. */
	async #spend(what: Costly, send: () => Promise<Reply>) {
		if (this.spent[what] >= BUDGET[what])
			throw new NotTried(`the check may cost ${BUDGET[what]} ${what} at most`);
		this.spent[what] += 1;
		const reply = await send();
		if (reply.status >= 400 && reply.status < 500) this.spent[what] -= 1;
		return reply;
	}

	#retryAfter({ headers }: Reply) {
		const value = headers.get('retry-after');
		const seconds = Number(value ?? NaN);
		const isDate = Number.isNaN(seconds);
		const ms = isDate ? Date.parse(value ?? '') - Date.now() : seconds * 1000;
		if (!Number.isNaN(ms)) {
			this.limits.add(isDate ? 'a date' : 'seconds');
			return Math.max(1_000, ms);
		}
		this.limits.add(value === null ? 'not at all' : 'neither seconds nor a date');
		return 10_000;
	}
}

async function fetched(url: string, init: RequestInit): Promise<Reply> {
	const signal = AbortSignal.timeout(REQUEST_MS);
	const response = await fetch(url, { redirect: 'manual', ...init, signal }).catch(
		connectionFailed,
	);
	const content = Buffer.from(await response.arrayBuffer().catch(connectionFailed));
	const { status, headers } = response;
	return { status, headers, body: parsed(content.toString()), length: content.length };
}

function connectionFailed(error: unknown): never {
	const { cause = error } = isRecord(error) ? error : {};
	const { code, name } = isRecord(cause) ? cause : {};
	throw new Differs('a response', String(code ?? name));
}

function parsed(content: string): unknown {
	try {
		return JSON.parse(content);
	} catch {
		return undefined;
	}
}

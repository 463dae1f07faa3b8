import { request } from 'undici';
import { afterAll, beforeEach, expect } from 'vitest';
import type { SandboxOptions } from './options.mts';
import { startSandbox, type Sandbox } from './sandbox.mts';

/** A response with its body read. */
export interface Reply {
	readonly status: number;
	readonly headers: Readonly<Record<string, string | string[] | undefined>>;
	readonly text: string;
	/** The text as JSON; undefined if it is not JSON. */
	readonly body: unknown;
}

/** A sandbox for the tests of one file, reset before each and closed after all of them. */
export async function sandboxForTests(options: Partial<SandboxOptions> = {}): Promise<Sandbox> {
	const sandbox = await startSandbox(options);
	beforeEach(() => sandbox.reset());
	afterAll(() => sandbox.close());
	return sandbox;
}

/** Sends a request with the sandbox's key and a JSON body, to a path below the base URL, or to a complete address. */
export async function call(
	sandbox: Sandbox,
	method: string,
	path: string,
	body?: unknown,
	headers: Record<string, string> = { authorization: `Bearer ${sandbox.apiKey}` },
): Promise<Reply> {
	const raw = typeof body === 'string' || Buffer.isBuffer(body) || body === undefined;
	const response = await request(path.startsWith('http') ? path : sandbox.baseUrl + path, {
		method,
		headers: raw ? headers : { 'content-type': 'application/json', ...headers },
		body: raw ? body : JSON.stringify(body),
	});
	const text = await response.body.text();
	return { status: response.statusCode, headers: response.headers, text, body: parsed(text) };
}

/** Asks a question. */
export const ask = (sandbox: Sandbox, body: unknown, assistant = 'default'): Promise<Reply> =>
	call(sandbox, 'POST', `/assistants/${assistant}/questions`, body);

/** Matches a response with an error of the API. */
export const refused = (status: number, code: string): object => ({
	status,
	body: { error_code: code, svc_api_error_code: code, message: someText },
});

/** The value at a path of a JSON body, as a string; throws if there is none. */
export function at(body: unknown, ...path: readonly (string | number)[]): string {
	const value = valueAt(body, ...path);
	if (typeof value !== 'string') throw new TypeError(`No string at ${path.join('.')} of ${JSON.stringify(body)}`);
	return value;
}

/** The list at a path of a JSON body; throws if there is none. */
export function listAt(body: unknown, ...path: readonly (string | number)[]): unknown[] {
	const value = valueAt(body, ...path);
	if (!Array.isArray(value)) throw new TypeError(`No list at ${path.join('.')} of ${JSON.stringify(body)}`);
	return value;
}

/** Matches any text. */
export const someText: unknown = expect.any(String);

/** Matches a text that contains this one. */
export const textWith = (part: string): unknown => expect.stringContaining(part);

/** Matches a text with this pattern. */
export const textLike = (pattern: RegExp): unknown => expect.stringMatching(pattern);

function valueAt(body: unknown, ...path: readonly (string | number)[]): unknown {
	return path.reduce<unknown>((value, key) => {
		if (typeof value !== 'object' || value === null) return undefined;
		return Object.entries(value).find(([name]) => name === String(key))?.[1];
	}, body);
}

function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

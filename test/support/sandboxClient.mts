import { request } from 'undici';

import { readJson } from '../../nodes/LegalAi/api/json.ts';
import type { SandboxOptions } from '../sandbox/options.mts';
import { startSandbox, type Sandbox } from '../sandbox/sandbox.mts';
import { someText } from './matchers.mts';

/** A response with its body read. */
export interface Reply {
	status: number;
	headers: Record<string, string | string[] | undefined>;
	text: string;
	/** The text as JSON; undefined if it is not JSON. */
	body: unknown;
}

/** A sandbox for the tests of one file, reset before each and closed after all of them. */
export async function sandboxForTests(options?: SandboxOptions) {
	const sandbox = await startSandbox(options);
	beforeEach(() => sandbox.reset());
	afterAll(() => sandbox.close());
	return sandbox;
}

/** Sends a request with the sandbox's key and a JSON body, to a path below the base URL, or to a complete address. */
export async function call(
	sandbox: Pick<Sandbox, 'baseUrl' | 'apiKey'>,
	method: string,
	path: string,
	body?: unknown,
	headers: Record<string, string> = { authorization: `Bearer ${sandbox.apiKey}` },
): Promise<Reply> {
	const isRaw = typeof body === 'string' || body === undefined;
	const response = await request(path.startsWith('http') ? path : sandbox.baseUrl + path, {
		method,
		headers: isRaw ? headers : { 'content-type': 'application/json', ...headers },
		body: isRaw ? body : JSON.stringify(body),
	});
	const text = await response.body.text();
	return { status: response.statusCode, headers: response.headers, text, body: readJson(text) };
}

/** Asks a question. */
export const ask = (sandbox: Sandbox, body: unknown, assistant = 'default'): Promise<Reply> =>
	call(sandbox, 'POST', `/assistants/${assistant}/questions`, body);

/** Asks a question, and gives its ID. */
export async function askForId(sandbox: Sandbox, body: unknown, assistant?: string) {
	return at((await ask(sandbox, body, assistant)).body, 'id');
}

/** Matches a response with an error of the API. */
export const refused = (status: number, code: string): object => ({
	status,
	body: { error_code: code, svc_api_error_code: code, message: someText },
});

/** The text in a field of a JSON body; throws if there is none. */
export function at(body: unknown, field: string) {
	const value = Object.entries(Object(body) as object).find(
		([name]) => name === field,
	)?.[1] as unknown;
	if (typeof value !== 'string')
		throw new TypeError(`No text in ${field} of ${JSON.stringify(body)}`);
	return value;
}

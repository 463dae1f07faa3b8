import { randomUUID } from 'node:crypto';

import { isRecord, optionalText } from './unknownJson.mts';

/** The owner of every n8n here. */
export const testOwner = { email: 'owner@legal-ai.example', password: 'Demo-password-1' };

/** Talks to n8n as the editor does: JSON over its internal REST interface, with a session cookie. */
export class RestSession {
	readonly baseUrl: string;
	/** The session's cookie, `name=value`. */
	readonly cookie: string;
	readonly #pushReference = randomUUID();

	constructor(baseUrl: string, cookie = '') {
		this.baseUrl = baseUrl;
		this.cookie = cookie;
	}

	/** Sets up the owner of a new n8n, or logs in if there is one. */
	static async open(baseUrl: string) {
		const anonymous = new RestSession(baseUrl);
		const { email, password } = testOwner;
		const owner = { email, password, firstName: 'Legal', lastName: 'Counsel' };
		const answer = await anonymous
			.#fetch('POST', '/owner/setup', owner)
			.catch(
				async () =>
					await anonymous.#fetch('POST', '/login', { emailOrLdapLoginId: email, password }),
			);
		const cookie = answer.headers.getSetCookie().find((line) => line.startsWith('n8n-auth='));
		if (cookie === undefined) throw new Error('n8n gave no session cookie');
		return new RestSession(baseUrl, cookie.split(';')[0]);
	}

	/** Reads a path below `/rest`. */
	async get(path: string) {
		return await this.send('GET', path);
	}

	/** Posts JSON and returns the answer's `data`. */
	async post(path: string, body: unknown = {}) {
		return await this.send('POST', path, body);
	}

	/** Sends any request, and returns the answer's `data`. */
	async send(method: string, path: string, body?: unknown) {
		return await readData(await this.#fetch(method, path, body));
	}

	/** Reads another address of n8n, such as an icon or a file. */
	async fetch(path: string) {
		return await fetch(`${this.baseUrl}${path}`, {
			headers: { cookie: this.cookie, connection: 'close' },
		});
	}

	/** Fails with n8n's own message if n8n rejects the request. */
	async #fetch(method: string, path: string, body?: unknown) {
		const answer = await fetch(`${this.baseUrl}/rest${path}`, {
			method,
			headers: {
				cookie: this.cookie,
				// A busy n8n drops connections that were idle for a while, in the middle of what is sent next.
				connection: 'close',
				'push-ref': this.#pushReference,
				'content-type': 'application/json',
			},
			...(body !== undefined && { body: JSON.stringify(body) }),
		});
		if (answer.ok) return answer;
		const text = await answer.text();
		const rejection = parse(text);
		throw new Error(
			(isRecord(rejection) ? optionalText(rejection.message) : undefined) ?? text.slice(0, 300),
		);
	}
}

async function readData(answer: Response) {
	const body = parse(await answer.text());
	return isRecord(body) && 'data' in body ? body.data : body;
}

/** Not everything that n8n answers is JSON. */
function parse(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

import { randomUUID } from 'node:crypto';

import { asRecord, isRecord, optionalText } from './unknownJson.mts';

/** An error response of n8n's REST interface. */
export class RestRefusal extends Error {
	readonly status: number;

	constructor(status: number, message: string) {
		super(message);
		this.name = 'RestRefusal';
		this.status = status;
	}
}

/** The owner of every n8n here. */
export const testOwner = { email: 'owner@legal-ai.example', password: 'Demo-password-1' };

/** Talks to n8n as the editor does: JSON over its internal REST interface, with a session cookie. */
export class RestSession {
	readonly baseUrl: string;
	/** The session's cookie, `name=value`. */
	readonly cookie: string;
	private readonly pushReference: string = randomUUID();

	constructor(baseUrl: string, cookie: string) {
		this.baseUrl = baseUrl;
		this.cookie = cookie;
	}

	/** Sets up the owner of a new n8n, or logs in if there is one. */
	static async open(baseUrl: string): Promise<RestSession> {
		const { email, password } = testOwner;
		const settings = await new RestSession(baseUrl, '').get('/settings');
		const users = asRecord(settings, 'The settings').userManagement;
		const isNew = isRecord(users) && users.showSetupOnFirstLoad === true;
		const answer = isNew
			? await postJson(`${baseUrl}/rest/owner/setup`, { email, password, firstName: 'Legal', lastName: 'Counsel' })
			: await postJson(`${baseUrl}/rest/login`, { emailOrLdapLoginId: email, password });
		await unwrapped(answer);
		const cookie = answer.headers.getSetCookie().find((line) => line.startsWith('n8n-auth='));
		if (cookie === undefined) throw new Error('n8n gave no session cookie');
		return new RestSession(baseUrl, cookie.split(';')[0] ?? '');
	}

	/** Reads a path below `/rest`. Tries again if a busy n8n has just dropped the idle connection. */
	async get(path: string): Promise<unknown> {
		try {
			return await this.send('GET', path);
		} catch (failure) {
			if (failure instanceof RestRefusal) throw failure;
			return await this.send('GET', path);
		}
	}

	/** Posts JSON and returns the answer's `data`. */
	async post(path: string, body: unknown = {}): Promise<unknown> {
		return await this.send('POST', path, body);
	}

	/** Changes something stored, and returns the answer's `data`. */
	async patch(path: string, body: unknown): Promise<unknown> {
		return await this.send('PATCH', path, body);
	}

	/** Removes something stored. */
	async delete(path: string): Promise<unknown> {
		return await this.send('DELETE', path);
	}

	/** Reads another address of n8n, such as an icon or a file. */
	async fetch(path: string): Promise<Response> {
		return await fetch(`${this.baseUrl}${path}`, { headers: { cookie: this.cookie } });
	}

	private async send(method: string, path: string, body?: unknown): Promise<unknown> {
		const answer = await fetch(`${this.baseUrl}/rest${path}`, {
			method,
			headers: {
				cookie: this.cookie,
				'push-ref': this.pushReference,
				...(body !== undefined && { 'content-type': 'application/json' }),
			},
			...(body !== undefined && { body: JSON.stringify(body) }),
		});
		return await unwrapped(answer);
	}
}

async function postJson(url: string, body: unknown): Promise<Response> {
	return await fetch(url, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify(body),
	});
}

/** The `data` of n8n's response, or an error with n8n's own message. */
async function unwrapped(answer: Response): Promise<unknown> {
	const text = await answer.text();
	let body: unknown;
	try {
		body = JSON.parse(text);
	} catch {
		body = undefined;
	}
	if (!answer.ok) {
		const message = (isRecord(body) ? optionalText(body.message) : undefined) ?? text.slice(0, 300);
		throw new RestRefusal(answer.status, message);
	}
	return isRecord(body) && 'data' in body ? body.data : body;
}

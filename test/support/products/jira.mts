import type { FastifyInstance } from 'fastify';

import type { FormFile } from '../../../harness/form.mts';
import { asRecord, asText, type JsonRecord } from '../../../harness/unknownJson.mts';
import { found } from './found.mts';

/** A request in a project of Jira. */
export interface JiraRequest {
	attachments: FormFile[];
	comments: string[];
	status: unknown;
}

interface ByKey {
	Params: { key: string };
}

/** Jira: keeps requests by their keys, and reports new ones. */
export class Jira {
	host = 'legal.atlassian.net';
	requests = new Map<string, JiraRequest>();
	/** Where new requests are reported. */
	#hook = '';

	constructor(app: FastifyInstance) {
		const here = { constraints: { host: this.host } };
		const hooks = '/rest/webhooks/1.0/webhook';
		app.get(hooks, here, () => []);
		app.post(hooks, here, ({ body }) => {
			this.#hook = asText(asRecord(body, 'A webhook').url, 'Its address');
			return { self: `https://${this.host}${hooks}/1` };
		});
		app.delete(`${hooks}/1`, here, () => ({}));

		app.get('/rest/api/2/issuetype', here, () => []);
		const issue = '/rest/api/:version/issue/:key';
		app.get<ByKey>(issue, here, ({ params: { key } }) => ({
			key,
			fields: { attachment: this.#request(key).attachments.map((file) => this.#fields(key, file)) },
		}));
		app.post<ByKey>(`${issue}/comment`, here, ({ params: { key }, body }) => {
			const [, text = ''] = /"text":"([^"]*)"/.exec(JSON.stringify(body)) ?? [];
			this.#request(key).comments.push(text);
			return {};
		});
		app.put<ByKey>(issue, here, () => ({}));
		app.post<ByKey>(`${issue}/transitions`, here, ({ params: { key }, body }) => {
			const { id } = asRecord(asRecord(body, 'A change').transition, 'Its transition');
			this.#request(key).status = id;
			return {};
		});
		app.get<ByKey>('/secure/attachment/:key', here, async ({ params: { key } }, reply) => {
			const { content, contentType } = this.#file(key);
			return await reply.type(contentType).send(content);
		});
	}

	/** Creates a request, and reports it. */
	async create(key: string, ...attachments: FormFile[]) {
		this.requests.set(key, { attachments, comments: [], status: undefined });
		const fields = { summary: `May we sign ${key}?`, description: 'Please review.' };
		const body = JSON.stringify({ webhookEvent: 'jira:issue_created', issue: { key, fields } });
		const headers = { 'content-type': 'application/json' };
		expect((await fetch(this.#hook, { method: 'POST', headers, body })).status).toBe(200);
	}

	/** Forgets all requests. */
	reset() {
		this.requests.clear();
	}

	#request(key: string) {
		return found(this.requests.get(key), `request ${key}`);
	}

	#file(key: string) {
		return found(this.#request(key).attachments[0], 'attachment');
	}

	#fields(key: string, { fileName, contentType }: FormFile): JsonRecord {
		const content = `https://${this.host}/secure/attachment/${key}`;
		return { id: key, filename: fileName, mimeType: contentType, content };
	}
}

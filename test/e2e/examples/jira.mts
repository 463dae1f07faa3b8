import type { FastifyInstance, FastifyReply } from 'fastify';

import type { FormFile } from '../../../harness/form.mts';
import { asRecord, asText, type JsonRecord } from '../../../harness/unknownJson.mts';

/** A file that is attached to a request. */
export interface JiraAttachment extends FormFile {
	readonly id: string;
}

/** A request in a project of Jira Service Management. */
export interface JiraRequest {
	readonly key: string;
	readonly summary: string;
	readonly attachments: readonly JiraAttachment[];
	readonly comments: { readonly text: string; readonly isPublic: boolean }[];
	isResolved: boolean;
}

/** What Jira says if somebody else has changed the status before. */
const INVALID_TRANSITION =
	'It seems that you have tried to perform a workflow operation (Resolve this issue) that is not valid for the current state of this issue. The likely cause is that somebody has changed the issue recently, please look at the issue history for details.';
const NOT_FOUND = 'Issue does not exist or you do not have permission to see it.';

/** Jira: keeps requests, and reports them to whoever has registered a webhook. */
export class Jira {
	readonly host = 'legal.atlassian.net';
	/** What n8n's Query Auth credential holds. */
	readonly secret = { name: 'key', value: 'a long random value' };
	readonly #requests = new Map<string, JiraRequest>();
	#webhook: JsonRecord = {};

	constructor(app: FastifyInstance) {
		const constraints = { host: this.host };
		app.get('/rest/api/2/serverInfo', { constraints }, () => ({ deploymentType: 'Cloud' }));
		app.get('/rest/webhooks/1.0/webhook', { constraints }, () => []);
		app.post('/rest/webhooks/1.0/webhook', { constraints }, ({ body }) => {
			this.#webhook = asRecord(body, 'A webhook');
			return { self: `https://${this.host}/rest/webhooks/1.0/webhook/1` };
		});
		app.delete('/rest/webhooks/1.0/webhook/1', { constraints }, () => ({}));
		app.get('/rest/api/2/issuetype', { constraints }, () => []);
		this.#issues(app, constraints);
		this.#files(app, constraints);
	}

	#issues(app: FastifyInstance, constraints: { host: string }): void {
		interface OfIssue { Params: { version: string; key: string } }
		const issue = '/rest/api/:version/issue/:key';
		app.get<OfIssue>(issue, { constraints }, ({ params: { key } }, reply) => {
			const request = this.#requests.get(key);
			if (request === undefined) return fail(reply, 404, NOT_FOUND);
			const { summary, isResolved, attachments } = request;
			const status = { name: isResolved ? 'Resolved' : 'Open', statusCategory: { key: isResolved ? 'done' : 'new' } };
			return { key, fields: { summary, status, attachment: attachments.map((file) => this.#fileFields(file)) } };
		});
		app.put<OfIssue>(issue, { constraints }, () => ({}));
		app.post<OfIssue>(`${issue}/transitions`, { constraints }, ({ params: { key } }, reply) => {
			const request = this.#requests.get(key);
			if (request === undefined) return fail(reply, 404, NOT_FOUND);
			if (request.isResolved) return fail(reply, 400, INVALID_TRANSITION);
			request.isResolved = true;
			return {};
		});
		app.post<OfIssue>(`${issue}/comment`, { constraints }, ({ params: { key }, body }) => {
			this.request(key).comments.push({ text: JSON.stringify(asRecord(body, 'A comment').body), isPublic: true });
			return {};
		});
		app.post<OfIssue>('/rest/servicedeskapi/request/:key/comment', { constraints }, ({ params: { key }, body }) => {
			const { body: text, public: isPublic } = asRecord(body, 'A comment');
			this.request(key).comments.push({ text: asText(text, 'Its text'), isPublic: isPublic !== false });
			return {};
		});
	}

	#files(app: FastifyInstance, constraints: { host: string }): void {
		interface OfFile { Params: { version: string; id: string } }
		const find = (id: string): JiraAttachment => {
			const found = [...this.#requests.values()].flatMap(({ attachments }) => attachments).find((file) => file.id === id);
			if (found === undefined) throw new Error(`There is no attachment ${id}`);
			return found;
		};
		app.get<OfFile>('/rest/api/:version/attachment/:id', { constraints }, ({ params: { id } }) => this.#fileFields(find(id)));
		app.get<OfFile>('/secure/attachment/:id', { constraints }, async ({ params: { id } }, reply) => {
			const { content, contentType } = find(id);
			return await reply.type(contentType).send(content);
		});
	}

	#fileFields({ id, fileName, contentType }: JiraAttachment): JsonRecord {
		return { id, filename: fileName, mimeType: contentType, content: `https://${this.host}/secure/attachment/${id}` };
	}

	/** The JQL that the webhook was registered with. */
	get filter(): unknown {
		return this.#webhook.filters;
	}

	/** A request as somebody enters it in the portal. */
	create(key: string, summary: string, ...attachments: readonly JiraAttachment[]): JiraRequest {
		const request = { key, summary, attachments, comments: [], isResolved: false };
		this.#requests.set(key, request);
		return request;
	}

	request(key: string): JiraRequest {
		const request = this.#requests.get(key);
		if (request === undefined) throw new Error(`There is no request ${key}`);
		return request;
	}

	/** Forgets all requests. */
	reset(): void {
		this.#requests.clear();
	}

	/** Reports a request as created, or what was changed in it; without the secret in the address, if told so. */
	async report({ key, summary }: JiraRequest, changes?: readonly JsonRecord[], isSecret = true): Promise<number> {
		const url = asText(this.#webhook.url, 'The address of the webhook');
		const event = changes === undefined ? 'jira:issue_created' : 'jira:issue_updated';
		const issue = { key, fields: { summary, description: 'Please review.' } };
		const body = JSON.stringify({ webhookEvent: event, issue, ...(changes && { changelog: { items: changes } }) });
		const headers = { 'content-type': 'application/json' };
		return (await fetch(isSecret ? url : url.replace(/\?.*/, ''), { method: 'POST', headers, body })).status;
	}
}

function fail(reply: FastifyReply, status: number, message: string): FastifyReply {
	return reply.code(status).send({ errorMessages: [message], errors: {} });
}

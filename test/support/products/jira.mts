import type { FastifyInstance } from 'fastify';

import type { FormFile } from '../../../harness/form.mts';
import { asRecord, asText, type JsonRecord } from '../../../harness/unknownJson.mts';
import { found } from './found.mts';

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

interface OfIssue {
	Params: { key: string };
}
interface OfFile {
	Params: { id: string };
}

/** Jira: keeps requests, and reports them to whoever has registered a webhook. */
export class Jira {
	readonly host = 'legal.atlassian.net';
	/** What n8n's Query Auth credential holds. */
	readonly secret = { name: 'key', value: 'a long random value' };
	readonly requests = new Map<string, JiraRequest>();
	#webhook: JsonRecord = {};

	constructor(app: FastifyInstance) {
		const here = { constraints: { host: this.host } };
		app.get('/rest/api/2/serverInfo', here, () => ({ deploymentType: 'Cloud' }));
		app.get('/rest/webhooks/1.0/webhook', here, () => []);
		app.post('/rest/webhooks/1.0/webhook', here, ({ body }) => {
			this.#webhook = asRecord(body, 'A webhook');
			return { self: `https://${this.host}/rest/webhooks/1.0/webhook/1` };
		});
		app.delete('/rest/webhooks/1.0/webhook/1', here, () => ({}));
		app.get('/rest/api/2/issuetype', here, () => []);

		const issue = '/rest/api/:version/issue/:key';
		app.get<OfIssue>(issue, here, ({ params: { key } }) => {
			const { summary, isResolved, attachments } = this.#request(key);
			const status = {
				name: isResolved ? 'Resolved' : 'Open',
				statusCategory: { key: isResolved ? 'done' : 'new' },
			};
			return {
				key,
				fields: { summary, status, attachment: attachments.map((file) => this.#fileFields(file)) },
			};
		});
		app.put<OfIssue>(issue, here, () => ({}));
		app.post<OfIssue>(`${issue}/transitions`, here, async ({ params: { key } }, reply) => {
			const request = this.#request(key);
			if (request.isResolved)
				return await reply
					.code(400)
					.send({ errorMessages: ['Somebody has changed the status before.'] });
			request.isResolved = true;
			return {};
		});
		app.post<OfIssue>(`${issue}/comment`, here, ({ params: { key }, body }) => {
			this.#request(key).comments.push({
				text: JSON.stringify(asRecord(body, 'A comment').body),
				isPublic: true,
			});
			return {};
		});
		app.post<OfIssue>(
			'/rest/servicedeskapi/request/:key/comment',
			here,
			({ params: { key }, body }) => {
				const { body: text, public: isPublic } = asRecord(body, 'A comment');
				this.#request(key).comments.push({
					text: asText(text, 'Its text'),
					isPublic: isPublic !== false,
				});
				return {};
			},
		);

		app.get<OfFile>('/rest/api/:version/attachment/:id', here, ({ params }) =>
			this.#fileFields(this.#attachment(params.id)),
		);
		app.get<OfFile>('/secure/attachment/:id', here, async ({ params }, reply) => {
			const { content, contentType } = this.#attachment(params.id);
			return await reply.type(contentType).send(content);
		});
	}

	/** The JQL that the webhook was registered with. */
	get filter(): unknown {
		return this.#webhook.filters;
	}

	/** A request as somebody enters it in the portal. */
	create(key: string, summary = 'NDA', ...attachments: readonly JiraAttachment[]): JiraRequest {
		const request = { key, summary, attachments, comments: [], isResolved: false };
		this.requests.set(key, request);
		return request;
	}

	/** Reports a request as created, or what was changed in it; without the secret in the address, if told so. */
	async report(
		{ key, summary }: JiraRequest,
		changes?: readonly JsonRecord[],
		isSecret = true,
	): Promise<number> {
		const url = asText(this.#webhook.url, 'The address of the webhook');
		const event = changes === undefined ? 'jira:issue_created' : 'jira:issue_updated';
		const issue = { key, fields: { summary, description: 'Please review.' } };
		const body = JSON.stringify({
			webhookEvent: event,
			issue,
			...(changes && { changelog: { items: changes } }),
		});
		const headers = { 'content-type': 'application/json' };
		return (
			await fetch(isSecret ? url : url.replace(/\?.*/, ''), { method: 'POST', headers, body })
		).status;
	}

	/** Forgets all requests. */
	reset(): void {
		this.requests.clear();
	}

	#request(key: string): JiraRequest {
		return found(this.requests.get(key), `request ${key}`);
	}

	#attachment(id: string): JiraAttachment {
		const attachments = [...this.requests.values()].flatMap((request) => request.attachments);
		return found(
			attachments.find((file) => file.id === id),
			`attachment ${id}`,
		);
	}

	#fileFields({ id, fileName, contentType }: JiraAttachment): JsonRecord {
		return {
			id,
			filename: fileName,
			mimeType: contentType,
			content: `https://${this.host}/secure/attachment/${id}`,
		};
	}
}

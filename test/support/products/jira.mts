import type { FastifyInstance } from 'fastify';

import type { FormFile } from '../../../harness/form.mts';
import { asRecord, asText, type JsonRecord } from '../../../harness/unknownJson.mts';
import { found } from './found.mts';

/** A file that is attached to a request. */
export interface JiraAttachment extends FormFile {
	id: string;
}

/** A request in a project of Jira Service Management. */
export interface JiraRequest {
	key: string;
	summary: string;
	attachments: JiraAttachment[];
	comments: { text: string; isPublic: boolean }[];
	isResolved: boolean;
}

interface OfIssue {
	Params: { key: string };
	Querystring: { expand?: string };
}
interface OfFile {
	Params: { id: string };
}

/** How many requests a page of a search has at most. */
const PAGE = 2;

/** What may be done with a request that is open; the second one resolves it. */
const TRANSITIONS = [
	{ id: '11', to: { name: 'In Progress' } },
	{ id: '761', to: { name: 'Resolved' } },
];

/** Jira: keeps requests, and finds those that are open. */
export class Jira {
	host = 'legal.atlassian.net';
	requests = new Map<string, JiraRequest>();
	/** The queries that it was searched with. */
	queries = new Set<unknown>();

	constructor(app: FastifyInstance) {
		const here = { constraints: { host: this.host } };
		app.post('/rest/api/2/search/jql', here, ({ body }) => {
			const { jql, nextPageToken } = asRecord(body, 'A search');
			this.queries.add(jql);
			const open = [...this.requests.values()].filter(({ isResolved }) => !isResolved);
			const next = Number(nextPageToken ?? 0) + PAGE;
			return {
				issues: open.slice(next - PAGE, next).map((request) => this.#issue(request)),
				...(next < open.length && { nextPageToken: String(next) }),
			};
		});

		app.get('/rest/api/2/issuetype', here, () => []);
		const issue = '/rest/api/:version/issue/:key';
		app.get<OfIssue>(issue, here, ({ params: { key }, query: { expand } }) => ({
			...this.#issue(this.#request(key)),
			...(expand === 'transitions' && { transitions: TRANSITIONS }),
		}));
		app.put<OfIssue>(issue, here, () => ({}));
		app.post<OfIssue>(`${issue}/transitions`, here, async ({ params: { key }, body }, reply) => {
			const request = this.#request(key);
			const { id } = asRecord(asRecord(body, 'A change').transition, 'Its transition');
			if (request.isResolved || id !== '761')
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

	/** A request as somebody enters it in the portal. */
	create(key: string, summary = 'NDA', ...attachments: JiraAttachment[]): JiraRequest {
		const request = { key, summary, attachments, comments: [], isResolved: false };
		this.requests.set(key, request);
		return request;
	}

	/** Forgets all requests. */
	reset(): void {
		this.requests.clear();
	}

	#issue({ key, summary, isResolved, attachments, comments }: JiraRequest): JsonRecord {
		const status = {
			name: isResolved ? 'Resolved' : 'Open',
			statusCategory: { key: isResolved ? 'done' : 'new' },
		};
		const attachment = attachments.map((file) => this.#fileFields(file));
		const comment = { comments: comments.map(({ text }) => ({ body: text })) };
		return {
			key,
			fields: { summary, description: 'Please review.', status, attachment, comment },
		};
	}

	#request(key: string) {
		return found(this.requests.get(key), `request ${key}`);
	}

	#attachment(id: string) {
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

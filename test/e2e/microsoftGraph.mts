import { fastify, type FastifyInstance } from 'fastify';

import { asRecord, asText, optionalText } from '../support/unknownJson.mts';

/** A file that came with an email, or goes with one. */
export interface MailAttachment {
	readonly name: string;
	readonly contentType: string;
	readonly content: Buffer;
}

/** An email in the inbox. */
export interface ReceivedMail {
	readonly id: string;
	readonly from: string;
	readonly subject: string;
	readonly bodyPreview: string;
	readonly attachments: readonly MailAttachment[];
}

/** A reply in the thread of a received email. */
export interface MailReply {
	readonly to: string;
	readonly text: string;
	readonly attachments: { name: string; content: Buffer }[];
	isSent: boolean;
}

/** As much of Microsoft's Graph API as n8n's Outlook and OneDrive nodes call in the examples. */
export class MicrosoftGraph {
	readonly inbox: ReceivedMail[] = [];
	/** By the ID of the email that they reply to. */
	readonly replies: MailReply[] = [];
	/** What was put into OneDrive. */
	readonly files: { path: string; content: Buffer }[] = [];
	readonly #app: FastifyInstance = fastify({ forceCloseConnections: true });
	#origin = '';

	static async start(): Promise<MicrosoftGraph> {
		const graph = new MicrosoftGraph();
		// The nodes call some of its methods with the content type of JSON and no content.
		graph.#app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
			done(null, body === '' ? {} : JSON.parse(body.toString()));
		});
		graph.#mailRoutes();
		graph.#app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => {
			done(null, body);
		});
		graph.#app.put('/v1.0/me/drive/items/*', (request) => {
			const path = decodeURIComponent(asText(asRecord(request.params, 'The path')['*'], 'The path')).replace(/:\/content$/, '');
			graph.files.push({ path, content: request.body as Buffer });
			return { id: 'file', name: path };
		});
		graph.#origin = await graph.#app.listen({ port: 0, host: '127.0.0.1' });
		return graph;
	}

	/** What n8n's credentials for Outlook and OneDrive hold once somebody has logged in. */
	get credential(): Readonly<Record<string, unknown>> {
		const oauthTokenData = { access_token: 'token', token_type: 'Bearer', expires_in: 3600 };
		return { clientId: 'client', clientSecret: 'secret', graphApiBaseUrl: this.#origin, oauthTokenData };
	}

	async close(): Promise<void> {
		await this.#app.close();
	}

	#mailRoutes(): void {
		const find = (params: unknown): ReceivedMail => {
			const { id } = asRecord(params, 'The path');
			const mail = this.inbox.find((one) => one.id === id);
			if (mail === undefined) throw new Error(`There is no message ${String(id)}`);
			return mail;
		};
		// n8n asks for what came since it asked last: each email once.
		const listed = new Set<ReceivedMail>();
		this.#app.get('/v1.0/me/mailFolders/inbox/messages', () => {
			const news = this.inbox.filter((mail) => !listed.has(mail));
			for (const mail of news) listed.add(mail);
			return { value: news.map(asListed) };
		});
		this.#app.get('/v1.0/me/messages/:id/attachments', ({ params }) => ({
			value: find(params).attachments.map(({ name, contentType }, index) => ({ id: String(index), name, contentType })),
		}));
		this.#app.get('/v1.0/me/messages/:id/attachments/:index/$value', ({ params }) => {
			const { index } = asRecord(params, 'The path');
			return find(params).attachments[Number(index)]?.content;
		});
		this.#app.post('/v1.0/me/messages/:id/createReply', ({ params, body }) => {
			const content = asRecord(asRecord(asRecord(body, 'A reply').message, 'Its message').body, 'Its body').content;
			this.replies.push({ to: find(params).id, text: optionalText(content) ?? '', attachments: [], isSent: false });
			return { id: `reply-${this.replies.length - 1}` };
		});
		this.#app.post('/v1.0/me/messages/:id/attachments', ({ params, body }) => {
			const { name, contentBytes } = asRecord(body, 'An attachment');
			const content = Buffer.from(asText(contentBytes, 'Its content'), 'base64');
			this.#reply(params).attachments.push({ name: asText(name, 'Its name'), content });
			return {};
		});
		this.#app.post('/v1.0/me/messages/:id/send', ({ params }) => {
			this.#reply(params).isSent = true;
			return {};
		});
	}

	#reply(params: unknown): MailReply {
		const id = asText(asRecord(params, 'The path').id, 'The ID of a reply');
		const reply = this.replies[Number(id.replace('reply-', ''))];
		if (reply === undefined) throw new Error(`There is no reply ${id}`);
		return reply;
	}
}

/** An email as Graph lists it. */
function asListed({ id, from, subject, bodyPreview, attachments }: ReceivedMail): object {
	return {
		id,
		conversationId: `conversation of ${id}`,
		subject,
		bodyPreview,
		hasAttachments: attachments.length > 0,
		from: { emailAddress: { address: from } },
		toRecipients: [],
		categories: [],
	};
}

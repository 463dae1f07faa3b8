import { randomUUID } from 'node:crypto';

import type { FastifyInstance } from 'fastify';

import type { FormFile } from '../../../harness/form.mts';
import { asList, asRecord, asText, type JsonRecord } from '../../../harness/unknownJson.mts';
import { found } from './found.mts';
import { TeamsChats } from './teamsChats.mts';

/** An email in the folder that is watched. */
export interface ReceivedMail {
	/** Graph gives an email that is moved another one. */
	id: string;
	messageId: string;
	from: string;
	subject: string;
	/** Its text, as HTML. */
	body: string;
	headers: Record<string, string>;
	attachments: FormFile[];
	/** Names of files that are attached as links to OneDrive. */
	links?: string[];
	/** Default: the mailbox of the legal team. */
	to?: string;
	conversation?: string;
	receivedAt: Date;
}

/** An email that was sent, or drafted, as Outlook shows it. */
export interface OutlookMail {
	id: string;
	to: string;
	subject: string;
	html: string;
	headers: unknown;
	attachments: { name: string; content: Buffer }[];
	isSent: boolean;
}

/** A file in the SharePoint folder. */
export interface SharedFile extends FormFile {
	id: string;
	cTag: string;
	lastModifiedDateTime: string;
}

interface ById {
	Params: { id: string };
}

const graph = { constraints: { host: 'graph.microsoft.com' } };

/** Outlook, SharePoint and Teams, as Microsoft's Graph API has them. */
export class Microsoft {
	received: ReceivedMail[] = [];
	/** What was sent and drafted. */
	mails: OutlookMail[] = [];
	/** What lies in the SharePoint folder: when each file was saved last, and which content it has since. */
	folder: SharedFile[] = [];
	/** What was posted in the Teams chat. */
	chat: string[] = [];
	chats: TeamsChats;

	constructor(app: FastifyInstance) {
		this.#outlook(app);
		this.#sharePoint(app);
		this.#teams(app);
		this.chats = new TeamsChats(app);
	}

	/** Empties mailbox, folder and chat. */
	reset(): void {
		for (const list of [this.received, this.mails, this.folder, this.chat]) list.length = 0;
		this.chats.byId.clear();
	}

	#outlook(app: FastifyInstance) {
		interface Filtered {
			Querystring: { $filter: string };
		}
		// What is in a folder is found by when it was received, not by when it was moved there.
		app.get<Filtered>('/v1.0/me/mailFolders/:folder/messages', graph, ({ query: { $filter } }) => {
			const [, from = ''] = /receivedDateTime ge (\S+)/.exec($filter) ?? [];
			return {
				value: this.received
					.filter(({ receivedAt }) => receivedAt >= new Date(from))
					.map(asMessage),
			};
		});
		app.get<Filtered>('/v1.0/me/messages', graph, ({ query: { $filter } }) => {
			const [, wanted] = /internetMessageId eq '(.*)'/.exec($filter) ?? [];
			return {
				value: this.received.filter(({ messageId }) => messageId === wanted).map(asMessage),
			};
		});
		app.get<ById>('/v1.0/me/messages/:id', graph, ({ params }) =>
			asMessage(this.#received(params.id)),
		);
		app.get<ById>('/v1.0/me/messages/:id/attachments', graph, ({ params }) => {
			const { attachments, links = [] } = this.#received(params.id);
			return {
				value: [
					...attachments.map(({ fileName, contentType }, index) => ({
						'@odata.type': '#microsoft.graph.fileAttachment',
						id: String(index),
						name: fileName,
						contentType,
					})),
					...links.map((name) => ({
						'@odata.type': '#microsoft.graph.referenceAttachment',
						id: name,
						name,
					})),
				],
			};
		});
		const attachment = '/v1.0/me/messages/:id/attachments/:index';
		app.get<{ Params: { id: string; index: string } }>(attachment, graph, ({ params }) => {
			const { fileName: name, contentType } = found(
				this.#received(params.id).attachments[Number(params.index)],
				'attachment',
			);
			return { name, contentType };
		});
		app.get<{ Params: { id: string; index: string } }>(
			`${attachment}/$value`,
			graph,
			async ({ params }, reply) => {
				const file = this.#received(params.id).attachments[Number(params.index)];
				// What is a link has no content.
				return file === undefined
					? await reply
							.code(405)
							.send({ error: { code: 'ErrorInvalidRequest', message: 'Not allowed' } })
					: file.content;
			},
		);
		app.post<ById>('/v1.0/me/messages/:id/createReply', graph, ({ params, body }) => {
			const message = asRecord(asRecord(body, 'A reply').message, 'Its message');
			const { from, subject, headers } = this.#received(params.id);
			const mail = readMail({ subject: `Re: ${subject}`, ...message }, headers['Reply-To'] ?? from);
			this.mails.push(mail);
			return { id: mail.id };
		});
		app.post<ById>('/v1.0/me/messages/:id/attachments', graph, async ({ params, body }, reply) => {
			const file = readAttachment(body);
			if (file.content.length > 3e6)
				return await reply
					.code(413)
					.send({ error: { code: 'ErrorMessageSizeExceeded', message: 'Too large' } });
			this.#mail(params.id).attachments.push(file);
			return {};
		});
		app.delete<ById>('/v1.0/me/messages/:id', graph, async ({ params }, reply) => {
			this.mails.splice(this.mails.indexOf(this.#mail(params.id)), 1);
			return await reply.code(204).send();
		});
		app.post<ById>('/v1.0/me/messages/:id/send', graph, ({ params }) => {
			this.#mail(params.id).isSent = true;
			return {};
		});
		app.post('/v1.0/me/sendMail', graph, ({ body }) => {
			this.mails.push({
				...readMail(asRecord(asRecord(body, 'An email').message, 'Its message')),
				isSent: true,
			});
			return {};
		});
	}

	#sharePoint(app: FastifyInstance) {
		const site = 'contoso.sharepoint.com';
		// The addresses of sites and folders have colons in them, which would be parameters of a route.
		app.get<{ Params: { '*': string } }>('/v1.0/sites/*', graph, ({ params }) => {
			if (params['*'].endsWith(':/children')) {
				return {
					value: this.folder.map((file) => ({
						...fieldsOf(file),
						webUrl: `https://${site}/${file.fileName}`,
					})),
				};
			}
			const file = this.folder.find(({ id }) => params['*'].endsWith(`/drive/items/${id}`));
			if (file === undefined) return { id: 'site' };
			return {
				...fieldsOf(file),
				'@microsoft.graph.downloadUrl': `https://${site}/files/${file.id}`,
			};
		});
		app.get<ById>(
			'/files/:id',
			{ constraints: { host: site } },
			({ params }) => this.folder.find(({ id }) => id === params.id)?.content,
		);
	}

	#teams(app: FastifyInstance) {
		const content = (body: unknown) =>
			asText(asRecord(asRecord(body, 'A message').body, 'Its body').content, 'Its content');
		app.post<ById>('/v1.0/chats/:id/messages', graph, ({ params, body }) => {
			this.chat.push(content(body));
			return { id: this.chats.write(params.id, 'me', content(body)) };
		});
	}

	#mail(id: string) {
		return found(
			this.mails.find((mail) => mail.id === id),
			'draft',
		);
	}

	#received(id: string) {
		return found(
			this.received.find((mail) => mail.id === id),
			'email',
		);
	}
}

function fieldsOf({
	id,
	fileName,
	contentType,
	cTag,
	lastModifiedDateTime,
}: SharedFile): JsonRecord {
	return { id, name: fileName, file: { mimeType: contentType }, cTag, lastModifiedDateTime };
}

function asMessage({
	id,
	from,
	to = 'legal@example.com',
	subject,
	body,
	headers,
	attachments,
	conversation = id,
	messageId,
	receivedAt,
}: ReceivedMail): JsonRecord {
	return {
		id,
		conversationId: conversation,
		subject,
		bodyPreview: 'Our paper.',
		body: { contentType: 'html', content: body },
		hasAttachments: attachments.length > 0,
		from: { emailAddress: { address: from } },
		toRecipients: [{ emailAddress: { address: to } }],
		receivedDateTime: receivedAt.toISOString(),
		internetMessageId: messageId,
		webLink: `https://outlook.office365.com/owa/?ItemID=${encodeURIComponent(subject)}`,
		internetMessageHeaders: Object.entries(headers).map(([name, value]) => ({ name, value })),
	};
}

/** An email as Graph is told to send or draft it, to the first of its recipients or else to `sender`. */
function readMail(message: JsonRecord, sender = ''): OutlookMail {
	const [first] = asList(message.toRecipients ?? [], 'The recipients').map((recipient) =>
		asRecord(recipient, 'A recipient'),
	);
	return {
		id: randomUUID(),
		to:
			first === undefined
				? sender
				: asText(asRecord(first.emailAddress, 'Its address').address, 'Its address'),
		subject: asText(message.subject, 'Its subject'),
		html: asText(asRecord(message.body, 'Its body').content, 'Its content'),
		headers: message.internetMessageHeaders,
		attachments: asList(message.attachments ?? [], 'Its attachments').map(readAttachment),
		isSent: false,
	};
}

function readAttachment(body: unknown): { name: string; content: Buffer } {
	const { name, contentBytes } = asRecord(body, 'An attachment');
	return {
		name: asText(name, 'Its name'),
		content: Buffer.from(asText(contentBytes, 'Its content'), 'base64'),
	};
}

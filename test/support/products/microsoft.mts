import type { FastifyInstance } from 'fastify';

import type { FormFile } from '../../../harness/form.mts';
import { asList, asRecord, asText, type JsonRecord } from '../../../harness/unknownJson.mts';
import { found } from './found.mts';

/** An email in the folder that is watched. */
export interface ReceivedMail {
	readonly id: string;
	readonly from: string;
	readonly subject: string;
	/** Its text, as HTML. */
	readonly body: string;
	readonly headers: Readonly<Record<string, string>>;
	readonly attachments: readonly FormFile[];
}

/** An email that was sent, or drafted, as Outlook shows it. */
export interface OutlookMail {
	readonly to: string;
	readonly subject: string;
	readonly html: string;
	readonly headers: unknown;
	readonly attachments: { name: string; content: Buffer }[];
	isSent: boolean;
}

interface ById { Params: { id: string } }

const graph = { constraints: { host: 'graph.microsoft.com' } };

/** Outlook, OneDrive, SharePoint and Teams, as Microsoft's Graph API has them. */
export class Microsoft {
	readonly received: ReceivedMail[] = [];
	/** What was sent and drafted. */
	readonly mails: OutlookMail[] = [];
	/** What was put into OneDrive. */
	readonly uploads: { path: string; content: Buffer }[] = [];
	/** What lies in the SharePoint folder. */
	readonly folder: (FormFile & { readonly id: string })[] = [];
	/** What was posted in the Teams chat. */
	readonly chat: string[] = [];

	constructor(app: FastifyInstance) {
		this.#outlook(app);
		app.put<{ Params: { '*': string } }>('/v1.0/me/drive/items/*', graph, ({ params, body }) => {
			const path = decodeURIComponent(params['*']).replace(/:\/content$/, '');
			this.uploads.push({ path, content: body as Buffer });
			return { id: 'file', name: path };
		});
		this.#sharePoint(app);
		this.#teams(app);
	}

	/** Empties mailbox, drive, folder and chat. */
	reset(): void {
		for (const list of [this.received, this.mails, this.uploads, this.folder, this.chat]) list.length = 0;
	}

	#outlook(app: FastifyInstance): void {
		// n8n asks for what came since it asked last: each email once.
		const listed = new Set<ReceivedMail>();
		app.get('/v1.0/me/mailFolders/:folder/messages', graph, () => {
			const news = this.received.filter((mail) => !listed.has(mail));
			for (const mail of news) listed.add(mail);
			return { value: news.map(asMessage) };
		});
		app.get<ById>('/v1.0/me/messages/:id', graph, ({ params }) => asMessage(this.#received(params.id)));
		app.get<ById>('/v1.0/me/messages/:id/attachments', graph, ({ params }) => ({
			value: this.#received(params.id).attachments.map(({ fileName, contentType }, index) => ({
				id: String(index),
				name: fileName,
				contentType,
			})),
		}));
		app.get<{ Params: { id: string; index: string } }>(
			'/v1.0/me/messages/:id/attachments/:index/$value',
			graph,
			({ params }) => this.#received(params.id).attachments[Number(params.index)]?.content,
		);
		app.post<ById>('/v1.0/me/messages/:id/createReply', graph, ({ params, body }) => {
			const message = asRecord(asRecord(body, 'A reply').message, 'Its message');
			const { from, subject, headers } = this.#received(params.id);
			this.mails.push(readMail({ subject: `Re: ${subject}`, ...message }, headers['Reply-To'] ?? from));
			return { id: String(this.mails.length - 1) };
		});
		app.post<ById>('/v1.0/me/messages/:id/attachments', graph, ({ params, body }) => {
			this.mails[Number(params.id)]?.attachments.push(readAttachment(body));
			return {};
		});
		app.post<ById>('/v1.0/me/messages/:id/send', graph, ({ params }) => {
			found(this.mails[Number(params.id)], 'draft').isSent = true;
			return {};
		});
		app.post('/v1.0/me/sendMail', graph, ({ body }) => {
			this.mails.push({ ...readMail(asRecord(asRecord(body, 'An email').message, 'Its message')), isSent: true });
			return {};
		});
	}

	#sharePoint(app: FastifyInstance): void {
		const site = 'contoso.sharepoint.com';
		// The addresses of sites and folders have colons in them, which would be parameters of a route.
		app.get<{ Params: { '*': string } }>('/v1.0/sites/*', graph, ({ params }) => {
			if (params['*'].endsWith(':/children')) {
				return { value: this.folder.map(({ id, fileName }) => ({ id, name: fileName, webUrl: `https://${site}/${fileName}` })) };
			}
			const file = this.folder.find(({ id }) => params['*'].endsWith(`/drive/items/${id}`));
			if (file === undefined) return { id: 'site' };
			const { id, fileName, contentType } = file;
			return { name: fileName, file: { mimeType: contentType }, '@microsoft.graph.downloadUrl': `https://${site}/files/${id}` };
		});
		app.get<ById>('/files/:id', { constraints: { host: site } }, ({ params }) =>
			this.folder.find(({ id }) => id === params.id)?.content);
	}

	#teams(app: FastifyInstance): void {
		const content = (body: unknown): string => asText(asRecord(asRecord(body, 'A message').body, 'Its body').content, 'Its content');
		app.post('/v1.0/chats/:id/messages', graph, ({ body }) => {
			this.chat.push(content(body));
			return { id: String(this.chat.length) };
		});
	}

	#received(id: string): ReceivedMail {
		return found(this.received.find((mail) => mail.id === id), 'email');
	}
}

function asMessage({ id, from, subject, body, headers, attachments }: ReceivedMail): JsonRecord {
	return {
		id,
		subject,
		bodyPreview: 'Our paper.',
		body: { contentType: 'html', content: body },
		hasAttachments: attachments.length > 0,
		from: { emailAddress: { address: from } },
		toRecipients: [],
		categories: [],
		internetMessageId: headers['Message-ID'] ?? id,
		internetMessageHeaders: Object.entries(headers).map(([name, value]) => ({ name, value })),
	};
}

/** An email as Graph is told to send or draft it, to the first of its recipients or else to `sender`. */
function readMail(message: JsonRecord, sender = ''): OutlookMail {
	const [first] = asList(message.toRecipients ?? [], 'The recipients').map((recipient) => asRecord(recipient, 'A recipient'));
	return {
		to: first === undefined ? sender : asText(asRecord(first.emailAddress, 'Its address').address, 'Its address'),
		subject: asText(message.subject, 'Its subject'),
		html: asText(asRecord(message.body, 'Its body').content, 'Its content'),
		headers: message.internetMessageHeaders,
		attachments: asList(message.attachments ?? [], 'Its attachments').map(readAttachment),
		isSent: false,
	};
}

function readAttachment(body: unknown): { name: string; content: Buffer } {
	const { name, contentBytes } = asRecord(body, 'An attachment');
	return { name: asText(name, 'Its name'), content: Buffer.from(asText(contentBytes, 'Its content'), 'base64') };
}

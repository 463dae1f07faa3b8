import type { FastifyInstance } from 'fastify';

import type { FormFile } from '../../../harness/form.mts';
import { asRecord, asText, optionalText } from '../../../harness/unknownJson.mts';

/** An email in the folder that is watched. */
export interface ReceivedMail {
	readonly id: string;
	readonly from: string;
	readonly subject: string;
	readonly attachments: readonly FormFile[];
}

/** A reply in the conversation of a received email. */
export interface MailReply {
	readonly to: string;
	readonly text: string;
	readonly attachments: { name: string; content: Buffer }[];
	isSent: boolean;
}

/** Outlook, OneDrive, SharePoint and Teams, as Microsoft's Graph API has them. */
export class Microsoft {
	readonly received: ReceivedMail[] = [];
	readonly replies: MailReply[] = [];
	/** What was put into OneDrive. */
	readonly uploads: { path: string; content: Buffer }[] = [];
	/** What lies in the SharePoint folder. */
	readonly folder: (FormFile & { readonly id: string })[] = [];
	/** What was posted in the Teams chat. */
	readonly chat: string[] = [];

	constructor(app: FastifyInstance) {
		this.#outlook(app);
		const constraints = { host: 'graph.microsoft.com' };
		app.put<{ Params: { '*': string } }>('/v1.0/me/drive/items/*', { constraints }, ({ params, body }) => {
			const path = decodeURIComponent(params['*']).replace(/:\/content$/, '');
			this.uploads.push({ path, content: body as Buffer });
			return { id: 'file', name: path };
		});
		this.#sharePoint(app);
		app.post('/v1.0/chats/:id/messages', { constraints }, ({ body }) => {
			this.chat.push(asText(asRecord(asRecord(body, 'A message').body, 'Its body').content, 'Its content'));
			return { id: String(this.chat.length) };
		});
	}

	#outlook(app: FastifyInstance): void {
		const constraints = { host: 'graph.microsoft.com' };
		// n8n asks for what came since it asked last: each email once.
		const listed = new Set<ReceivedMail>();
		app.get('/v1.0/me/mailFolders/:folder/messages', { constraints }, () => {
			const news = this.received.filter((mail) => !listed.has(mail));
			for (const mail of news) listed.add(mail);
			return {
				value: news.map(({ id, from, subject, attachments }) => ({
					id,
					subject,
					bodyPreview: 'Our paper.',
					hasAttachments: attachments.length > 0,
					from: { emailAddress: { address: from } },
					toRecipients: [],
					categories: [],
				})),
			};
		});
		app.get<{ Params: { id: string } }>('/v1.0/me/messages/:id/attachments', { constraints }, ({ params }) => ({
			value: this.#attachments(params.id).map(({ fileName, contentType }, index) => ({
				id: String(index),
				name: fileName,
				contentType,
			})),
		}));
		app.get<{ Params: { id: string; index: string } }>(
			'/v1.0/me/messages/:id/attachments/:index/$value',
			{ constraints },
			({ params }) => this.#attachments(params.id)[Number(params.index)]?.content,
		);
		app.post<{ Params: { id: string } }>('/v1.0/me/messages/:id/createReply', { constraints }, ({ params, body }) => {
			const { content } = asRecord(asRecord(asRecord(body, 'A reply').message, 'Its message').body, 'Its body');
			this.replies.push({ to: params.id, text: optionalText(content) ?? '', attachments: [], isSent: false });
			return { id: String(this.replies.length - 1) };
		});
		app.post<{ Params: { id: string } }>('/v1.0/me/messages/:id/attachments', { constraints }, ({ params, body }) => {
			const { name, contentBytes } = asRecord(body, 'An attachment');
			const content = Buffer.from(asText(contentBytes, 'Its content'), 'base64');
			this.replies[Number(params.id)]?.attachments.push({ name: asText(name, 'Its name'), content });
			return {};
		});
		app.post<{ Params: { id: string } }>('/v1.0/me/messages/:id/send', { constraints }, ({ params }) => {
			const reply = this.replies[Number(params.id)];
			if (reply !== undefined) reply.isSent = true;
			return {};
		});
	}

	#sharePoint(app: FastifyInstance): void {
		const constraints = { host: 'graph.microsoft.com' };
		const site = 'contoso.sharepoint.com';
		// The addresses of sites and folders have colons in them, which would be parameters of a route.
		app.get<{ Params: { '*': string } }>('/v1.0/sites/*', { constraints }, ({ params }) => {
			if (params['*'].endsWith(':/children')) {
				return { value: this.folder.map(({ id, fileName }) => ({ id, name: fileName, webUrl: `https://${site}/${fileName}` })) };
			}
			const file = this.folder.find(({ id }) => params['*'].endsWith(`/drive/items/${id}`));
			if (file === undefined) return { id: 'site' };
			return {
				name: file.fileName,
				file: { mimeType: file.contentType },
				'@microsoft.graph.downloadUrl': `https://${site}/files/${file.id}`,
			};
		});
		app.get<{ Params: { id: string } }>(
			'/files/:id',
			{ constraints: { host: site } },
			({ params }) => this.folder.find(({ id }) => id === params.id)?.content,
		);
	}

	#attachments(id: string): readonly FormFile[] {
		return this.received.find((mail) => mail.id === id)?.attachments ?? [];
	}
}

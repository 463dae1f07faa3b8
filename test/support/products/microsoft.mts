import type { FastifyInstance } from 'fastify';

import type { FormFile } from '../../../harness/form.mts';
import { asRecord, asText, type JsonRecord } from '../../../harness/unknownJson.mts';
import { found } from './found.mts';

/** An email in the mailbox. */
export interface ReceivedMail {
	/** Graph gives an email that is moved another one. */
	id: string;
	from: string;
	subject: string;
	attachments: FormFile[];
	folder: string;
}

/** A reply, as Outlook shows it. */
export interface OutlookReply {
	id: string;
	/** The ID of the email that it replies to. */
	to: string;
	text: string;
	attachments: string[];
	isSent: boolean;
}

interface ById {
	Params: { id: string; index: string };
}

const graph = { constraints: { host: 'graph.microsoft.com' } };
const mailbox = '/v1.0/me/messages';

/** Outlook, a OneDrive folder and a Teams channel, as Microsoft's Graph API has them. */
export class Microsoft {
	received: ReceivedMail[] = [];
	replies: OutlookReply[] = [];
	/** The files in the OneDrive folder. */
	folder: (FormFile & { id: string })[] = [];
	/** What was posted in the Teams channel. */
	posts: string[] = [];

	constructor(app: FastifyInstance) {
		this.#outlook(app);
		this.#replies(app);
		this.#oneDrive(app);
		app.post('/beta/teams/:team/channels/:channel/messages', graph, ({ body }) => {
			this.posts.push(contentOf(body));
			return {};
		});
	}

	/** Puts all emails that were received into a folder. */
	moveAll(folder: string) {
		for (const mail of this.received) mail.folder = folder;
	}

	/** Empties mailbox, folder and channel. */
	reset() {
		for (const list of [this.received, this.replies, this.folder, this.posts]) list.length = 0;
	}

	#outlook(app: FastifyInstance) {
		app.get<ById>('/v1.0/me/mailFolders/:id/messages', graph, ({ params }) => ({
			value: this.received.filter(({ folder }) => folder === params.id).map(asMessage),
		}));
		app.get(mailbox, graph, () => ({ value: this.received.slice(0, 1).map(asMessage) }));
		app.get<ById>(`${mailbox}/:id`, graph, ({ params }) => asMessage(this.#mail(params.id)));
		app.post<ById>(`${mailbox}/:id/move`, graph, ({ params, body }) => {
			const mail = this.#mail(params.id);
			mail.id += '-moved';
			mail.folder = asText(asRecord(body, 'A move').destinationId, 'Its folder');
			return asMessage(mail);
		});
		app.get<ById>(`${mailbox}/:id/attachments`, graph, ({ params }) => ({
			value: this.#mail(params.id).attachments.map(asAttachment),
		}));
		app.get<ById>(
			`${mailbox}/:id/attachments/:index/$value`,
			graph,
			({ params }) => this.#attachment(params).content,
		);
	}

	#replies(app: FastifyInstance) {
		app.post<ById>(`${mailbox}/:id/createReply`, graph, ({ params, body }) => {
			const text = contentOf(asRecord(body, 'A reply').message);
			const id = `reply-to-${params.id}`;
			this.replies.push({ id, to: params.id, text, attachments: [], isSent: false });
			return { id };
		});
		app.post<ById>(`${mailbox}/:id/attachments`, graph, ({ params, body }) => {
			const name = asText(asRecord(body, 'An attachment').name, 'Its name');
			this.#reply(params.id).attachments.push(name);
			return {};
		});
		app.post<ById>(`${mailbox}/:id/send`, graph, ({ params }) => {
			this.#reply(params.id).isSent = true;
			return {};
		});
	}

	#oneDrive(app: FastifyInstance) {
		const drive = '/v1.0/me/drive';
		const parentReference = { id: 'CONTRACTSFOLDER', path: '/drive/root:/Contracts' };
		const asItem = ({ id, fileName, contentType }: FormFile & { id: string }) => ({
			id,
			name: fileName,
			file: { mimeType: contentType },
			parentReference,
		});
		const listed = () => ({ value: this.folder.map(asItem) });
		const file = (id: string) =>
			found(
				this.folder.find((each) => each.id === id),
				'file',
			);
		app.get(`${drive}/root/delta`, graph, listed);
		app.get<ById>(`${drive}/items/:id/children`, graph, listed);
		app.get<ById>(`${drive}/items/:id`, graph, ({ params }) => asItem(file(params.id)));
		app.get<ById>(`${drive}/items/:id/content`, graph, ({ params }) => file(params.id).content);
	}

	#mail(id: string) {
		return found(
			this.received.find((mail) => mail.id === id),
			'email',
		);
	}

	#attachment({ id, index }: ById['Params']) {
		return found(this.#mail(id).attachments[Number(index)], 'attachment');
	}

	#reply(id: string) {
		return found(
			this.replies.find((reply) => reply.id === id),
			'reply',
		);
	}
}

function asAttachment({ fileName, contentType }: FormFile, index: number): JsonRecord {
	const type = '#microsoft.graph.fileAttachment';
	return { '@odata.type': type, id: String(index), name: fileName, contentType };
}

function asMessage({ id, from, subject, attachments }: ReceivedMail): JsonRecord {
	return {
		id,
		conversationId: id,
		subject,
		body: { contentType: 'html', content: `<p>May we sign ${subject}?</p>` },
		hasAttachments: attachments.length > 0,
		from: { emailAddress: { address: from } },
		toRecipients: [{ emailAddress: { address: 'legal@example.com' } }],
		receivedDateTime: new Date().toISOString(),
		internetMessageId: `<${id}@example.com>`,
		internetMessageHeaders: [{ name: 'From', value: from }],
	};
}

/** The text of an email or a message. */
function contentOf(message: unknown) {
	return asText(asRecord(asRecord(message, 'A message').body, 'Its body').content, 'Its content');
}

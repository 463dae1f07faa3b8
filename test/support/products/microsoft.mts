import type { FastifyInstance } from 'fastify';

import type { FormFile } from '../../../harness/form.mts';
import { asRecord, asText } from '../../../harness/unknownJson.mts';
import { found } from './found.mts';
import type { Written } from './written.mts';

/** An email in the mailbox, with one file. */
interface ReceivedMail {
	/** Graph gives an email that is moved another one. */
	id: string;
	/** Its subject, and who has sent it. */
	name: string;
	file: FormFile;
	folder: string;
}

interface ById {
	Params: { id: string };
}

const graph = { constraints: { host: 'graph.microsoft.com' } };
const mailbox = '/v1.0/me/messages';
const drive = '/v1.0/me/drive';
const attachmentId = '0';

type DriveFile = FormFile & { id: string };

/** Outlook, a OneDrive folder and a Teams channel, as Microsoft's Graph API has them. */
export function addMicrosoft(app: FastifyInstance, written: Written[]) {
	const received: ReceivedMail[] = [];
	/** The files in the OneDrive folder. */
	const folder: DriveFile[] = [];
	addMailbox(app, received);
	addReplies(app, written);
	addDrive(app, folder);
	app.post('/beta/teams/:team/channels/:channel/messages', graph, ({ body }) => {
		written.push({ title: 'Teams', to: '', text: readContent(body), files: [] });
		return {};
	});

	return {
		folder,
		/** Has emails of these names come into a folder, each with a file. */
		receive: (into: string, names: readonly string[], attached: FormFile) => {
			for (const name of names)
				received.push({
					id: name,
					name,
					file: { ...attached, fileName: `${name}.pdf` },
					folder: into,
				});
		},
		/** Puts all emails that were received into a folder. */
		moveAll: (into: string) => {
			for (const each of received) each.folder = into;
		},
		/** Empties mailbox and folder. */
		reset: () => {
			received.length = 0;
			folder.length = 0;
		},
	};
}

/** The emails of the mailbox, in folders. */
function addMailbox(app: FastifyInstance, received: readonly ReceivedMail[]) {
	const mail = (id: string) =>
		found(
			received.find((each) => each.id === id),
			'email',
		);
	app.get<ById>('/v1.0/me/mailFolders/:id/messages', graph, ({ params }) => ({
		value: received.filter((each) => each.folder === params.id).map(asMessage),
	}));
	app.get(mailbox, graph, () => ({ value: received.slice(0, 1).map(asMessage) }));
	app.get<ById>(`${mailbox}/:id`, graph, ({ params }) => asMessage(mail(params.id)));
	app.post<ById>(`${mailbox}/:id/move`, graph, ({ params, body }) => {
		const moved = mail(params.id);
		moved.id += '-moved';
		moved.folder = asText(asRecord(body, 'A move').destinationId, 'Its folder');
		return asMessage(moved);
	});
	app.get<ById>(`${mailbox}/:id/attachments`, graph, ({ params }) => ({
		value: [asAttachment(mail(params.id).file)],
	}));
	app.get<ById>(
		`${mailbox}/:id/attachments/${attachmentId}/$value`,
		graph,
		({ params }) => mail(params.id).file.content,
	);
}

/** Replies, which are drafts until they are sent. Each has the ID of the email that it replies to. */
function addReplies(app: FastifyInstance, written: Written[]) {
	const reply = (id: string) =>
		found(
			written.findLast(({ to }) => to === id),
			'reply',
		);
	app.post<ById>(`${mailbox}/:id/createReply`, graph, ({ params: { id }, body }) => {
		const text = readContent(asRecord(body, 'A reply').message);
		written.push({ title: `Outlook, reply to ${id}`, to: id, text, files: [], isDraft: true });
		return { id };
	});
	app.post<ById>(`${mailbox}/:id/attachments`, graph, ({ params, body }) => {
		reply(params.id).files.push(asText(asRecord(body, 'An attachment').name, 'Its name'));
		return {};
	});
	app.post<ById>(`${mailbox}/:id/send`, graph, ({ params }) => {
		reply(params.id).isDraft = false;
		return {};
	});
}

/** A folder's list of files, and each file. */
function addDrive(app: FastifyInstance, folder: readonly DriveFile[]) {
	const file = (id: string) =>
		found(
			folder.find((each) => each.id === id),
			'file',
		);
	const listed = () => ({ value: folder.map(asItem) });
	app.get(`${drive}/root/delta`, graph, listed);
	app.get<ById>(`${drive}/items/:id/children`, graph, listed);
	app.get<ById>(`${drive}/items/:id`, graph, ({ params }) => asItem(file(params.id)));
	app.get<ById>(`${drive}/items/:id/content`, graph, ({ params }) => file(params.id).content);
}

function asItem({ id, fileName, contentType }: DriveFile) {
	return {
		id,
		name: fileName,
		file: { mimeType: contentType },
		parentReference: { id: 'CONTRACTSFOLDER', path: '/drive/root:/Contracts' },
	};
}

function asAttachment({ fileName, contentType }: FormFile) {
	const type = '#microsoft.graph.fileAttachment';
	return { '@odata.type': type, id: attachmentId, name: fileName, contentType };
}

function asMessage({ id, name }: ReceivedMail) {
	const from = `${name}@example.com`;
	return {
		id,
		conversationId: id,
		subject: name,
		body: { contentType: 'html', content: `<p>May we sign ${name}?</p>` },
		hasAttachments: true,
		from: { emailAddress: { address: from } },
		toRecipients: [{ emailAddress: { address: 'legal@example.com' } }],
		receivedDateTime: new Date().toISOString(),
		internetMessageId: `<${id}@example.com>`,
		internetMessageHeaders: [{ name: 'From', value: from }],
	};
}

/** The text of an email or a message. */
function readContent(message: unknown) {
	return asText(asRecord(asRecord(message, 'A message').body, 'Its body').content, 'Its content');
}

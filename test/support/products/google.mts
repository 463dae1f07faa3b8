import type { FastifyInstance } from 'fastify';

import type { FormFile } from '../../../harness/form.mts';
import { asList, asRecord, asText, optionalText } from '../../../harness/unknownJson.mts';
import { simpleParser } from '../n8n/smtpServer.mts';
import { found } from './found.mts';
import type { Written } from './written.mts';

/** An email in Gmail. */
interface GmailMessage {
	id: string;
	/** The conversation that it belongs to: its subject, and who has sent it. */
	threadId: string;
	source: string;
	labels: Set<string>;
}

const gmail = { constraints: { host: 'www.googleapis.com' } };
const spreadsheets = { constraints: { host: 'sheets.googleapis.com' } };

const users = '/gmail/v1/users/me';

interface ById {
	Params: { id: string };
	Querystring: { format?: string; alt?: string };
}

type DriveFile = FormFile & { id: string };

/** Gmail, Google Drive and Google Sheets, with one mailbox, one folder and one sheet. */
export function addGoogle(app: FastifyInstance, written: Written[]) {
	const emails: GmailMessage[] = [];
	const files: DriveFile[] = [];
	/** The cells of the sheet, row by row. */
	const sheet: string[][] = [];
	addMailbox(app, emails);
	addDrafts(app, written);
	addDrive(app, files);
	addSheets(app, sheet);
	return {
		emails,
		files,
		sheet,
		/** Empties mailbox, folder and sheet. */
		reset: () => {
			for (const list of [emails, files, sheet]) list.length = 0;
		},
	};
}

/** The emails of the mailbox, their labels and conversations. */
function addMailbox(app: FastifyInstance, emails: readonly GmailMessage[]) {
	app.get(`${users}/messages`, gmail, () => ({
		messages: emails
			.filter(({ labels }) => labels.has('LEGAL_REVIEW'))
			.map(({ id, threadId }) => ({ id, threadId })),
	}));
	app.get(`${users}/labels`, gmail, () => ({ labels: [] }));
	app.get<ById>(`${users}/messages/:id`, gmail, ({ params, query }) => {
		const { id, threadId, source, labels } = found(
			emails.find((email) => email.id === params.id),
			'email',
		);
		const headers = Object.entries({ From: `${threadId}@vendor.example`, Subject: threadId });
		return {
			id,
			threadId,
			labelIds: [...labels],
			...(query.format === 'raw'
				? { raw: Buffer.from(source).toString('base64url') }
				: { payload: { headers: headers.map(([name, value]) => ({ name, value })) } }),
		};
	});
	app.post<ById>(`${users}/threads/:id/modify`, gmail, ({ params, body }) => {
		const { removeLabelIds } = asRecord(body, 'The change');
		for (const { labels } of emails.filter(({ threadId }) => threadId === params.id))
			for (const label of asList(removeLabelIds, 'Labels')) labels.delete(asText(label, 'A label'));
		return {};
	});
	app.get<ById>(`${users}/threads/:id`, gmail, ({ params: { id } }) => ({
		messages: [{ id, payload: { headers: [{ name: 'Message-ID', value: `<${id}@a.example>` }] } }],
	}));
}

/** Replies that are not sent yet. */
function addDrafts(app: FastifyInstance, written: Written[]) {
	app.post(`${users}/drafts`, gmail, async ({ body }) => {
		const { raw, threadId } = asRecord(asRecord(body, 'A draft').message, 'Its message');
		const source = Buffer.from(asText(raw, 'Its source'), 'base64url');
		const { text = '', attachments } = await simpleParser(source);
		const to = asText(threadId, 'Its conversation');
		const names = attachments.map(({ filename = '' }) => filename);
		written.push({ title: `Gmail, reply to ${to}`, to, text, files: names, isDraft: true });
		return { id: `draft-${written.length}`, message: { threadId } };
	});
}

/** A folder's list of files, and each file. */
function addDrive(app: FastifyInstance, files: readonly DriveFile[]) {
	app.get('/drive/v3/files', gmail, () => ({
		files: files.map(({ id, fileName }) => ({ id, name: fileName })),
	}));
	app.get<ById>('/drive/v3/files/:id', gmail, async ({ params, query }, reply) => {
		const { fileName, contentType, content } = found(
			files.find(({ id }) => id === params.id),
			'file',
		);
		return query.alt === 'media'
			? await reply.type(contentType).send(content)
			: { name: fileName, mimeType: contentType };
	});
}

/** One sheet of one spreadsheet. */
function addSheets(app: FastifyInstance, sheet: string[][]) {
	/** Writes rows (`Sheet1!2:3`) or a cell (`Sheet1!K2`). */
	const write = (change: unknown) => {
		const { range, values } = asRecord(change, 'A change');
		const [, column = '', row = '1'] = /!([A-Z]?)(\d+)/.exec(optionalText(range) ?? '') ?? [];
		const start = column === '' ? 0 : column.charCodeAt(0) - 'A'.charCodeAt(0);
		for (const [index, cells] of asList(values, 'The values').entries()) {
			const target = (sheet[Number(row) - 1 + index] ??= []);
			const texts = asList(cells, 'A row').map(cellText);
			target.splice(start, texts.length, ...texts);
		}
	};
	const gridProperties = { rowCount: 1000, columnCount: 26 };
	const properties = { sheetId: 0, title: 'Sheet1', gridProperties };
	app.get('/v4/spreadsheets/:id', spreadsheets, () => ({ sheets: [{ properties }] }));
	const range = '/v4/spreadsheets/:id/values/:range';
	app.get(range, spreadsheets, () => ({ values: sheet }));
	app.put(range, spreadsheets, ({ body }) => {
		write(body);
		return {};
	});
	// Adding empty rows, or writing cells: Google's addresses of both end in a colon and a verb.
	app.post('/v4/spreadsheets/*', spreadsheets, ({ body }) => {
		for (const change of asList(asRecord(body, 'A change').data ?? [], 'The changes'))
			write(change);
		return {};
	});
}

function cellText(cell: unknown) {
	return optionalText(cell) ?? (cell === null || cell === undefined ? '' : JSON.stringify(cell));
}

import type { FastifyInstance } from 'fastify';

import type { FormFile } from '../../../harness/form.mts';
import { asList, asRecord, asText, optionalText } from '../../../harness/unknownJson.mts';
import { type Email, simpleParser } from '../n8n/smtpServer.mts';
import { found } from './found.mts';

/** An email in Gmail. */
export interface GmailMessage {
	id: string;
	/** The conversation that it belongs to. */
	threadId: string;
	from: string;
	subject: string;
	source: string;
	labels: Set<string>;
}

const gmail = { constraints: { host: 'www.googleapis.com' } };
const sheets = { constraints: { host: 'sheets.googleapis.com' } };
const users = '/gmail/v1/users/me';

interface ById {
	Params: { id: string };
	Querystring: { format?: string; alt?: string };
}

/** Gmail, Google Drive and Google Sheets, with one mailbox, one folder and one sheet. */
export class Google {
	emails: GmailMessage[] = [];
	drafts: { threadId: unknown; email: Email }[] = [];
	files: (FormFile & { id: string })[] = [];
	/** The cells of the sheet, row by row. */
	sheet: string[][] = [];

	constructor(app: FastifyInstance) {
		this.#gmail(app);
		this.#drive(app);
		this.#sheets(app);
	}

	/** Empties mailbox, folder and sheet. */
	reset() {
		for (const list of [this.emails, this.drafts, this.files, this.sheet]) list.length = 0;
	}

	#gmail(app: FastifyInstance) {
		app.get(`${users}/messages`, gmail, () => ({
			messages: this.emails
				.filter(({ labels }) => labels.has('LEGAL_REVIEW'))
				.map(({ id, threadId }) => ({ id, threadId })),
		}));
		app.get(`${users}/labels`, gmail, () => ({ labels: [] }));
		app.get<ById>(`${users}/messages/:id`, gmail, ({ params, query }) => {
			const { id, threadId, from, subject, source, labels } = found(
				this.emails.find((email) => email.id === params.id),
				'email',
			);
			const headers = Object.entries({ From: from, Subject: subject });
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
			for (const { labels } of this.emails.filter(({ threadId }) => threadId === params.id))
				for (const label of asList(removeLabelIds, 'Labels'))
					labels.delete(asText(label, 'A label'));
			return {};
		});
		app.get<ById>(`${users}/threads/:id`, gmail, ({ params: { id } }) => ({
			messages: [
				{ id, payload: { headers: [{ name: 'Message-ID', value: `<${id}@a.example>` }] } },
			],
		}));
		app.post(`${users}/drafts`, gmail, async ({ body }) => {
			const { raw, threadId } = asRecord(asRecord(body, 'A draft').message, 'Its message');
			const source = Buffer.from(asText(raw, 'Its source'), 'base64url').toString();
			this.drafts.push({ threadId, email: await simpleParser(source) });
			return { id: `draft-${this.drafts.length}`, message: { threadId } };
		});
	}

	#drive(app: FastifyInstance) {
		app.get('/drive/v3/files', gmail, () => ({
			files: this.files.map(({ id, fileName }) => ({ id, name: fileName })),
		}));
		app.get<ById>('/drive/v3/files/:id', gmail, async ({ params, query }, reply) => {
			const { fileName, contentType, content } = found(
				this.files.find(({ id }) => id === params.id),
				'file',
			);
			return query.alt === 'media'
				? await reply.type(contentType).send(content)
				: { name: fileName, mimeType: contentType };
		});
	}

	#sheets(app: FastifyInstance) {
		const gridProperties = { rowCount: 1000, columnCount: 26 };
		const properties = { sheetId: 0, title: 'Sheet1', gridProperties };
		app.get('/v4/spreadsheets/:id', sheets, () => ({ sheets: [{ properties }] }));
		const values = '/v4/spreadsheets/:id/values/:range';
		app.get(values, sheets, () => ({ values: this.sheet }));
		app.put(values, sheets, ({ body }) => {
			this.#write(body);
			return {};
		});
		// Adding empty rows, or writing cells: Google's addresses of both end in a colon and a verb.
		app.post('/v4/spreadsheets/*', sheets, ({ body }) => {
			for (const change of asList(asRecord(body, 'A change').data ?? [], 'The changes'))
				this.#write(change);
			return {};
		});
	}

	/** Writes rows (`Sheet1!2:3`) or a cell (`Sheet1!K2`). */
	#write(change: unknown) {
		const { range, values } = asRecord(change, 'A change');
		const [, column = '', row = '1'] = /!([A-Z]?)(\d+)/.exec(optionalText(range) ?? '') ?? [];
		const start = column === '' ? 0 : column.charCodeAt(0) - 'A'.charCodeAt(0);
		for (const [index, cells] of asList(values, 'The values').entries()) {
			const target = (this.sheet[Number(row) - 1 + index] ??= []);
			const texts = asList(cells, 'A row').map(cellText);
			target.splice(start, texts.length, ...texts);
		}
	}
}

function cellText(cell: unknown) {
	return optionalText(cell) ?? (cell === null || cell === undefined ? '' : JSON.stringify(cell));
}

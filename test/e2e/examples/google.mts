import type { FastifyInstance } from 'fastify';

import type { FormFile } from '../../../harness/form.mts';
import { asList, asRecord, asText, optionalText } from '../../../harness/unknownJson.mts';
import { type Email, parseEmail } from '../smtpServer.mts';

/** An email in Gmail. */
export interface GmailMessage {
	readonly id: string;
	/** The conversation that it belongs to. Default: one of its own. */
	readonly thread?: string;
	readonly source: string;
	/** Labels by their IDs; Gmail's own are e.g. `INBOX` and, on what the owner of the mailbox has written, `SENT`. */
	readonly labels: Set<string>;
}

/** Gmail, Google Drive and Google Sheets, with one mailbox, one folder and one sheet. */
export class Google {
	readonly emails: GmailMessage[] = [];
	readonly drafts: { readonly threadId: unknown; readonly email: Email }[] = [];
	readonly files: (FormFile & { readonly id: string })[] = [];
	/** The cells of the sheet, row by row. */
	readonly sheet: unknown[][] = [];
	/** How cells were asked to be read: as they are, or as if typed in. */
	readonly inputOptions = new Set<unknown>();
	/** Cells of the sheet that are dates, by what they show: read as numbers if asked for that. */
	readonly dates = new Map<string, number>();
	#heldReads: (() => void)[] = [];
	#readersToCome = 0;

	constructor(app: FastifyInstance) {
		this.#gmail(app);
		this.#drive(app);
		this.#sheets(app);
	}

	/** Empties the mailbox. */
	reset(): void {
		this.emails.length = 0;
		this.drafts.length = 0;
	}

	/** Has so many readers of the sheet wait for each other. */
	holdReads(count: number): void {
		this.#readersToCome = count;
	}

	async #waitForReaders(): Promise<void> {
		if (this.#readersToCome === 0) return;
		this.#readersToCome -= 1;
		await new Promise<void>((resolve) => {
			this.#heldReads.push(resolve);
			if (this.#readersToCome === 0) for (const goOn of this.#heldReads.splice(0)) goOn();
		});
	}

	#gmail(app: FastifyInstance): void {
		const constraints = { host: 'www.googleapis.com' };
		const users = '/gmail/v1/users/me';
		app.get(`${users}/messages`, { constraints }, ({ query }) => {
			const wanted = /label:([\w-]+)/.exec(asText(asRecord(query, 'The query').q, 'The search'))?.[1];
			const isWanted = (label: string): boolean => label.toLowerCase().replaceAll(/[ _]/g, '-') === wanted;
			return { messages: this.emails.filter(({ labels }) => [...labels].some(isWanted)).map(({ id }) => ({ id })) };
		});
		app.get<{ Params: { id: string } }>(`${users}/messages/:id`, { constraints }, ({ params: { id } }) => {
			const { source, labels } = this.#email(id);
			const threadId = threadOf(this.#email(id));
			return { id, threadId, labelIds: [...labels], raw: Buffer.from(source).toString('base64url') };
		});
		app.post<{ Params: { id: string } }>(`${users}/threads/:id/modify`, { constraints }, ({ params: { id }, body }) => {
			const { addLabelIds = [], removeLabelIds = [] } = asRecord(body, 'The change');
			for (const { labels } of this.emails.filter((email) => threadOf(email) === id)) {
				for (const label of asList(addLabelIds, 'Labels')) labels.add(asText(label, 'A label'));
				for (const label of asList(removeLabelIds, 'Labels')) labels.delete(asText(label, 'A label'));
			}
			return { id };
		});
		app.get(`${users}/threads/:id`, { constraints }, () => ({
			messages: [{ payload: { headers: [{ name: 'Message-ID', value: '<first@example.com>' }] } }],
		}));
		app.post(`${users}/drafts`, { constraints }, async ({ body }) => {
			const { raw, threadId } = asRecord(asRecord(body, 'A draft').message, 'Its message');
			const source = Buffer.from(asText(raw, 'Its source'), 'base64url').toString();
			this.drafts.push({ threadId, email: await parseEmail(source) });
			return { id: `draft-${this.drafts.length}`, message: { threadId } };
		});
	}

	#drive(app: FastifyInstance): void {
		const constraints = { host: 'www.googleapis.com' };
		// The trigger asks for what was created since it asked last: each file once.
		const listed = new Set<unknown>();
		app.get('/drive/v3/files', { constraints }, () => {
			const news = this.files.filter((file) => !listed.has(file));
			for (const file of news) listed.add(file);
			return {
				files: news.map(({ id, fileName }) => ({ id, name: fileName, webViewLink: `https://drive.google.com/file/d/${id}` })),
			};
		});
		app.get<{ Params: { id: string }; Querystring: { alt?: string } }>(
			'/drive/v3/files/:id',
			{ constraints },
			async ({ params, query }, reply) => {
				const file = this.files.find(({ id }) => id === params.id);
				if (file === undefined) return await reply.code(404).send({});
				if (query.alt !== 'media') return { name: file.fileName, mimeType: file.contentType };
				return await reply.type(file.contentType).send(file.content);
			},
		);
	}

	#sheets(app: FastifyInstance): void {
		const constraints = { host: 'sheets.googleapis.com' };
		const properties = { sheetId: 0, title: 'Sheet1', gridProperties: { rowCount: 1000, columnCount: 26 } };
		app.get('/v4/spreadsheets/:id', { constraints }, () => ({ sheets: [{ properties }] }));
		app.get<{ Querystring: { dateTimeRenderOption?: string } }>(
			'/v4/spreadsheets/:id/values/:range',
			{ constraints },
			async ({ query }) => {
				await this.#waitForReaders();
				const isSerial = query.dateTimeRenderOption === 'SERIAL_NUMBER';
				const read = (cell: unknown): unknown => (isSerial ? this.dates.get(String(cell)) : undefined) ?? cell;
				return this.sheet.length === 0 ? {} : { values: this.sheet.map((cells) => cells.map(read)) };
			},
		);
		app.put<{ Querystring: { valueInputOption: string } }>(
			'/v4/spreadsheets/:id/values/:range',
			{ constraints },
			({ query, body }) => {
				this.inputOptions.add(query.valueInputOption);
				this.#write(body);
				return {};
			},
		);
		// Appending rows, adding empty ones, or writing cells: Google's addresses of all of them end in a colon and a verb.
		app.post<{ Querystring: { valueInputOption?: string } }>('/v4/spreadsheets/*', { constraints }, ({ body, query, url }) => {
			const { data, values, valueInputOption } = asRecord(body, 'A change');
			if (url.includes(':append')) {
				this.inputOptions.add(query.valueInputOption);
				this.sheet.push(...asList(values, 'The values').map((cells) => [...asList(cells, 'A row')]));
				return {};
			}
			if (data === undefined) return {};
			this.inputOptions.add(valueInputOption);
			for (const change of asList(data, 'The changes')) this.#write(change);
			return {};
		});
	}

	/** Writes values into rows (`Sheet1!2:3`) or a cell (`Sheet1!K2`). */
	#write(change: unknown): void {
		const { range, values } = asRecord(change, 'A change');
		const [, column = '', row = '1'] = /!([A-Z]*)(\d+)/.exec(optionalText(range) ?? '') ?? [];
		for (const [index, cells] of asList(values, 'The values').entries()) {
			const target = (this.sheet[Number(row) - 1 + index] ??= []);
			const start = column === '' ? 0 : column.charCodeAt(0) - 'A'.charCodeAt(0);
			for (const [offset, cell] of asList(cells, 'A row').entries()) target[start + offset] = cell;
		}
	}

	#email(id: string): GmailMessage {
		const found = this.emails.find((email) => email.id === id);
		if (found === undefined) throw new Error(`There is no email ${id}`);
		return found;
	}
}

/** The conversation that an email belongs to. */
function threadOf({ id, thread = `thread-${id}` }: GmailMessage): string {
	return thread;
}

import { createHash } from 'node:crypto';

import type { FastifyInstance } from 'fastify';

import type { FormFile } from '../../../harness/form.mts';
import { asList, asRecord, asText, isRecord, optionalText } from '../../../harness/unknownJson.mts';
import { type Email, simpleParser } from '../n8n/smtpServer.mts';
import { found } from './found.mts';

/** An email in Gmail. */
export interface GmailMessage {
	id: string;
	/** The conversation that it belongs to. */
	threadId: string;
	source: string;
	/** Labels by their IDs; Gmail's own are e.g. `INBOX` and, on what the owner of the mailbox has written, `SENT`. */
	labels: Set<string>;
}

const api = { constraints: { host: 'www.googleapis.com' } };
const sheets = { constraints: { host: 'sheets.googleapis.com' } };

interface ById {
	Params: { id: string };
}

/** Gmail, Google Drive and Google Sheets, with one mailbox, one folder and one sheet. */
export class Google {
	emails: GmailMessage[] = [];
	drafts: { threadId: unknown; email: Email }[] = [];
	/** Emails that were sent. */
	sent: Email[] = [];
	files: (FormFile & { id: string })[] = [];
	/** What was uploaded, and into which folder. */
	filed: { name: unknown; folder: unknown }[] = [];
	/** The cells of the sheet, row by row; a date is what it shows, and the number of days that it is: `{ shown, days }`. */
	sheet: unknown[][] = [];
	/** How cells were asked to be read: as they are, or as if typed in. */
	inputOptions = new Set<unknown>();

	constructor(app: FastifyInstance) {
		this.#gmail(app);
		this.#drive(app);
		this.#sheets(app);
	}

	/** Empties mailbox, folder and sheet. */
	reset(): void {
		for (const list of [this.emails, this.drafts, this.sent, this.files, this.filed, this.sheet])
			list.length = 0;
		this.inputOptions.clear();
	}

	#gmail(app: FastifyInstance) {
		const users = '/gmail/v1/users/me';
		app.get<{ Querystring: { q: string } }>(`${users}/threads`, api, ({ query }) => {
			const threads = this.#labeled(query.q).map(({ threadId }) => threadId);
			return { threads: [...new Set(threads)].map((id) => ({ id })) };
		});
		app.get<{ Querystring: { q: string } }>(`${users}/messages`, api, ({ query }) => ({
			messages: this.#labeled(query.q).map(({ id, threadId }) => ({ id, threadId })),
		}));
		app.get(`${users}/labels`, api, () => ({ labels: [] }));
		app.get<ById>(`${users}/messages/:id`, api, ({ params: { id } }) => {
			const { threadId, source, labels } = found(
				this.emails.find((email) => email.id === id),
				'email',
			);
			return {
				id,
				threadId,
				labelIds: [...labels],
				raw: Buffer.from(source).toString('base64url'),
			};
		});
		for (const [what, key] of [
			['threads', 'threadId'],
			['messages', 'id'],
		] as const)
			app.post<ById>(`${users}/${what}/:id/modify`, api, ({ params: { id }, body }) => {
				const { removeLabelIds } = asRecord(body, 'The change');
				for (const { labels } of this.emails.filter((email) => email[key] === id))
					for (const label of asList(removeLabelIds, 'Labels'))
						labels.delete(asText(label, 'A label'));
				return { id };
			});
		app.get<ById>(`${users}/threads/:id`, api, ({ params }) => ({
			messages: this.emails
				.filter(({ threadId }) => threadId === params.id)
				.map(({ id }) => ({
					id,
					payload: { headers: [{ name: 'Message-ID', value: '<first@example.com>' }] },
				})),
		}));
		const parse = async (raw: unknown) =>
			await simpleParser(Buffer.from(asText(raw, 'Its source'), 'base64url').toString());
		app.post(`${users}/messages/send`, api, async ({ body }) => {
			this.sent.push(await parse(asRecord(body, 'An email').raw));
			return { id: `sent-${this.sent.length}` };
		});
		app.post(`${users}/drafts`, api, async ({ body }) => {
			const { raw, threadId } = asRecord(asRecord(body, 'A draft').message, 'Its message');
			this.drafts.push({ threadId, email: await parse(raw) });
			return { id: `draft-${this.drafts.length}`, message: { threadId } };
		});
	}

	/** The emails with the label that a search names. */
	#labeled(search: string) {
		const wanted = /label:([\w-]+)/.exec(search)?.[1];
		const isWanted = (label: string) => label.toLowerCase().replaceAll(/[ _]/g, '-') === wanted;
		return this.emails.filter(({ labels }) => [...labels].some(isWanted));
	}

	#drive(app: FastifyInstance) {
		app.get<{ Querystring: { q?: string } }>('/drive/v3/files', api, ({ query: { q = '' } }) => ({
			files: this.files.filter(nameContains(q)).map(({ id, fileName, contentType, content }) => ({
				id,
				name: fileName,
				mimeType: contentType,
				md5Checksum: createHash('md5').update(content).digest('hex'),
				webViewLink: `https://drive.google.com/file/d/${id}`,
			})),
		}));
		const upload = '/upload/drive/v3/files';
		app.post(upload, api, async ({ body }, reply) => {
			const { name, parents } = asRecord(body, 'A file');
			this.filed.push({ name, folder: asList(parents, 'Its folders')[0] });
			return await reply.header('location', `https://www.googleapis.com${upload}`).send();
		});
		app.put(upload, api, () => ({ id: `filed-${this.filed.length}` }));
		app.patch<ById>('/drive/v3/files/:id', api, ({ params: { id } }) => ({
			id,
			webViewLink: `https://drive.google.com/file/d/${id}`,
		}));
		app.get<ById & { Querystring: { alt?: string } }>(
			'/drive/v3/files/:id',
			api,
			async ({ params, query }, reply) => {
				const { fileName, contentType, content } = found(
					this.files.find(({ id }) => id === params.id),
					'file',
				);
				return query.alt === 'media'
					? await reply.type(contentType).send(content)
					: { name: fileName, mimeType: contentType };
			},
		);
	}

	#sheets(app: FastifyInstance) {
		const properties = {
			sheetId: 0,
			title: 'Sheet1',
			gridProperties: { rowCount: 1000, columnCount: 26 },
		};
		app.get('/v4/spreadsheets/:id', sheets, () => ({ sheets: [{ properties }] }));
		const values = '/v4/spreadsheets/:id/values/:range';
		app.get<{ Querystring: { dateTimeRenderOption?: string } }>(values, sheets, ({ query }) => {
			const read = (cell: unknown) =>
				isRecord(cell)
					? cell[query.dateTimeRenderOption === 'SERIAL_NUMBER' ? 'days' : 'shown']
					: cell;
			// A row has no cells behind its last one that is filled.
			const rows = this.sheet.map((cells) => {
				const shown = Array.from(cells, (cell) => read(cell) ?? '');
				return shown.slice(0, shown.findLastIndex((cell) => cell !== '') + 1);
			});
			return rows.length === 0 ? {} : { values: rows };
		});
		app.put<{ Querystring: { valueInputOption: string } }>(values, sheets, ({ query, body }) => {
			this.inputOptions.add(query.valueInputOption);
			this.#write(body);
			return {};
		});
		// Appending rows, adding empty ones, or writing cells: Google's addresses of all of them end in a colon and a verb.
		app.post<{ Querystring: { valueInputOption?: string } }>(
			'/v4/spreadsheets/*',
			sheets,
			({ body, query, url }) => {
				const change = asRecord(body, 'A change');
				if (url.includes(':append')) {
					this.inputOptions.add(query.valueInputOption);
					this.sheet.push(
						...asList(change.values, 'The values').map((cells) => [...asList(cells, 'A row')]),
					);
				} else if (change.data !== undefined) {
					this.inputOptions.add(change.valueInputOption);
					for (const range of asList(change.data, 'The changes')) this.#write(range);
				}
				return {};
			},
		);
	}

	/** Writes values into rows (`Sheet1!2:3`) or a cell (`Sheet1!K2`). */
	#write(change: unknown) {
		const { range, values } = asRecord(change, 'A change');
		const [, column = '', row = '1'] = /!([A-Z]*)(\d+)/.exec(optionalText(range) ?? '') ?? [];
		for (const [index, cells] of asList(values, 'The values').entries()) {
			const target = (this.sheet[Number(row) - 1 + index] ??= []);
			const start = column === '' ? 0 : column.charCodeAt(0) - 'A'.charCodeAt(0);
			for (const [offset, cell] of asList(cells, 'A row').entries()) target[start + offset] = cell;
		}
	}
}

/** Whether a file is found by a search for names, if it is one. */
function nameContains(search: string): (file: FormFile) => boolean {
	const [, wanted = ''] = /name contains '([^']*)'/.exec(search) ?? [];
	return ({ fileName }) => fileName.toLowerCase().includes(wanted.toLowerCase());
}

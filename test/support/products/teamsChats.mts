import { randomUUID } from 'node:crypto';

import type { FastifyInstance } from 'fastify';

import type { JsonRecord } from '../../../harness/unknownJson.mts';

/** A message in a chat of two, as HTML. */
export interface ChatMessage {
	id: string;
	/** `me` is the account whose credential n8n has; a call is from nobody. */
	from: string;
	html: string;
	at: Date;
	files?: string[];
}

const graph = { constraints: { host: 'graph.microsoft.com' } };

/** How many chats a page has at most. */
const PAGE = 2;

/** The chats of two in Microsoft Teams, by ID. */
export class TeamsChats {
	byId = new Map<string, ChatMessage[]>();

	constructor(app: FastifyInstance) {
		app.get('/v1.0/me', graph, () => ({ id: 'me' }));
		app.get<{ Querystring: { $skip?: string } }>('/v1.0/me/chats', graph, ({ query }) => {
			const chats = [...this.byId]
				.map(([id, messages]) => ({ id, last: messages.at(-1) }))
				.sort((one, other) => Number(other.last?.at) - Number(one.last?.at));
			const next = Number(query.$skip ?? 0) + PAGE;
			return {
				value: chats.slice(next - PAGE, next).map(({ id, last }) => ({
					id,
					chatType: 'oneOnOne',
					lastMessagePreview: last && asMessage(last),
				})),
				...(next < chats.length && {
					'@odata.nextLink': `https://graph.microsoft.com/v1.0/me/chats?$skip=${next}`,
				}),
			};
		});
		app.get<{ Params: { id: string } }>('/v1.0/chats/:id/messages', graph, ({ params }) => ({
			value: (this.byId.get(params.id) ?? []).map(asMessage).toReversed(),
		}));
	}

	/** Somebody writes in a chat. Returns the message's ID. */
	write(chat: string, from: string, html: string, files: string[] = []): string {
		const id = randomUUID();
		this.byId.set(chat, [
			...(this.byId.get(chat) ?? []),
			{ id, from, html, at: new Date(), files },
		]);
		return id;
	}
}

function asMessage({ id, from, html, at, files = [] }: ChatMessage): JsonRecord {
	return {
		id,
		messageType: 'message',
		createdDateTime: at.toISOString(),
		from: from === '' ? null : { user: { id: from, displayName: `${from} Lovelace` } },
		body: { contentType: 'html', content: html },
		attachments: files.map((name) => ({ name })),
	};
}

import { createHmac, timingSafeEqual } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';

import { request } from 'undici';

import { listenLocally } from '../../test/support/localServer.mts';

/** Where the service is, and the key for it. */
export interface Service {
	readonly baseUrl: string;
	readonly apiKey: string;
}

/**
 * The jobs as somebody writes them in a few lines of undici, without n8n: the floor that everything else stands on.
 * Each resolves when it is done.
 */
export const jobs = {
	/** Walks the list of tasks to its end. */
	async allTasks({ baseUrl, apiKey }: Service): Promise<void> {
		let cursor: string | null | undefined;
		const tasks: unknown[] = [];
		do {
			const url = new URL(`${baseUrl}/tasks?limit=100`);
			if (cursor != null) url.searchParams.set('cursor', cursor);
			const { body } = await request(url, { headers: bearer(apiKey) });
			const page = (await body.json()) as { tasks: unknown[]; next_cursor: string | null };
			tasks.push(...page.tasks);
			cursor = page.next_cursor;
		} while (cursor != null);
	},

	/** Asks a question in each of the sessions, so many at once. */
	async ask({ sessions, atOnce, ...service }: Service & { sessions: string[]; atOnce: number }): Promise<void> {
		const left = sessions.entries();
		await Promise.all(
			Array.from({ length: atOnce }, async () => {
				for (const [index, session_id] of left) await post(service, '/assistants/default/questions', { question: `Question ${index}`, session_id });
			}),
		);
	},

	/** Asks questions, and takes the callbacks. */
	async askAndReceive({ questions, ...service }: Service & { questions: number }): Promise<void> {
		let open = questions;
		const server = createServer((incoming, response) => {
			incoming.resume();
			response.end();
			open -= 1;
			if (open === 0) server.close();
		});
		const callback_url = `http://127.0.0.1:${await listenLocally(server)}/`;
		const ask = async () => await post(service, '/assistants/default/questions', { question: 'May we sign?', callback_url });
		await Promise.all(Array.from({ length: questions }, ask));
		await once(server, 'close');
	},

	/** Asks a question, and looks for its answer after 3 seconds and then ever later, as the API's guide has it. */
	async poll(service: Service): Promise<void> {
		const asked = (await post(service, '/assistants/default/questions', { question: 'May we sign?' })) as { id: string };
		for (let pause = 3_000; ; pause *= 2) {
			await new Promise((resolve) => setTimeout(resolve, pause));
			const { body } = await request(`${service.baseUrl}/assistants/default/questions/${asked.id}`, { headers: bearer(service.apiKey) });
			const { status } = (await body.json()) as { status: string };
			if (status !== 'in_progress') return;
		}
	},

	/** Streams a file from the disk to an upload job. */
	async upload({ path, ...service }: Service & { path: string }): Promise<void> {
		const job = (await post(service, '/files/upload-url', { file_name: 'large.pdf', content_type: 'application/pdf' })) as { upload_url: string };
		const headers = { 'content-type': 'application/pdf', 'content-length': String((await stat(path)).size) };
		const { body } = await request(job.upload_url, { method: 'PUT', headers, body: createReadStream(path) });
		await body.dump();
	},

	/** Streams a file from an address to the disk. */
	async download({ url, path }: { url: string; path: string }): Promise<void> {
		const { body } = await request(url);
		await pipeline(body, createWriteStream(path));
	},

	/** Takes signed callbacks, from then on; gives the address. */
	async receive({ secret }: { secret: string }): Promise<string> {
		const server = createServer((incoming, response) => {
			void text(incoming).then((body) => {
				const { time = '', signature = '' } = /^t=(?<time>\d+),v1=(?<signature>[0-9a-f]{64})$/.exec(String(incoming.headers['service-signature']))?.groups ?? {};
				const expected = createHmac('sha256', secret).update(`${time}.${body}`).digest();
				const isGenuine = signature !== '' && timingSafeEqual(Buffer.from(signature, 'hex'), expected);
				JSON.parse(body);
				response.writeHead(isGenuine ? 200 : 401).end();
			});
		});
		return `http://127.0.0.1:${await listenLocally(server)}/`;
	},
};

function bearer(apiKey: string): Record<string, string> {
	return { authorization: `Bearer ${apiKey}` };
}

async function post({ baseUrl, apiKey }: Service, path: string, content: unknown): Promise<unknown> {
	const headers = { ...bearer(apiKey), 'content-type': 'application/json' };
	const { body, statusCode } = await request(baseUrl + path, { method: 'POST', headers, body: JSON.stringify(content) });
	if (statusCode !== 200) throw new Error(`${path}: ${statusCode}`);
	return await body.json();
}

import { createServer, type Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

import { request } from 'undici';

import { startSandbox } from '../../test/sandbox/sandbox.mts';
import { listenLocally } from '../../harness/localServer.mts';
import { asRecord, optionalText } from '../../harness/unknownJson.mts';

/**
 * The sandbox's list of tasks, taken down once and then given as the bytes that they are: a page costs next to
 * nothing, so that what is measured is who asks. It takes any key.
 */
export class TaskReplay {
	/** Added to each answer, in ms. */
	latency = 0;
	/** Called at each request. */
	onRequest: () => void = () => undefined;
	readonly #pages = new Map<string, string>();
	readonly #server: Server;
	#port = 0;

	private constructor() {
		this.#server = createServer((incoming, response) => {
			this.onRequest();
			const cursor = new URL(incoming.url ?? '', 'http://replay').searchParams.get('cursor') ?? '';
			const page = this.#pages.get(cursor);
			void (this.latency > 0 ? sleep(this.latency) : Promise.resolve()).then(() => {
				response
					.writeHead(page === undefined ? 404 : 200, {
						'content-type': 'application/json; charset=utf-8',
					})
					.end(page);
			});
		});
	}

	static async start(): Promise<TaskReplay> {
		const replay = new TaskReplay();
		replay.#port = await listenLocally(replay.#server);
		return replay;
	}

	get baseUrl(): string {
		return `http://127.0.0.1:${this.#port}/api/v1`;
	}

	/** Takes down the pages of so many tasks, 100 a page. */
	async record(tasks: number): Promise<void> {
		const sandbox = await startSandbox({ requestsPerMinute: Infinity });
		sandbox.tasks.clear();
		sandbox.tasks.seed(tasks);
		this.#pages.clear();
		let cursor: string | undefined = '';
		while (cursor !== undefined) {
			const url = new URL(`${sandbox.baseUrl}/tasks?limit=100`);
			if (cursor !== '') url.searchParams.set('cursor', cursor);
			const { body } = await request(url, {
				headers: { authorization: `Bearer ${sandbox.apiKey}` },
			});
			const page = await body.text();
			this.#pages.set(cursor, page);
			cursor = optionalText(asRecord(JSON.parse(page), 'A page').next_cursor);
		}
		await sandbox.close();
	}

	close(): void {
		this.#server.close();
		this.#server.closeAllConnections();
	}
}

import { request } from 'undici';

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
	async ask({
		sessions,
		atOnce,
		...service
	}: Service & { sessions: string[]; atOnce: number }): Promise<void> {
		const left = sessions.entries();
		await Promise.all(
			Array.from({ length: atOnce }, async () => {
				for (const [index, session_id] of left)
					await post(service, '/assistants/default/questions', {
						question: `Question ${index}`,
						session_id,
					});
			}),
		);
	},
};

function bearer(apiKey: string): Record<string, string> {
	return { authorization: `Bearer ${apiKey}` };
}

async function post(
	{ baseUrl, apiKey }: Service,
	path: string,
	content: unknown,
): Promise<unknown> {
	const headers = { ...bearer(apiKey), 'content-type': 'application/json' };
	const { body, statusCode } = await request(baseUrl + path, {
		method: 'POST',
		headers,
		body: JSON.stringify(content),
	});
	if (statusCode !== 200) throw new Error(`${path}: ${statusCode}`);
	return await body.json();
}

// The process behind PlainProgram: the jobs as somebody writes them in a few lines of undici, without n8n: the floor that everything
// else stands on. One message a job, answered with the time that the job took.
import { request } from 'undici';

/** Where the service is, and the key for it. */
interface Service {
	baseUrl: string;
	apiKey: string;
}

const jobs = {
	/** Walks the list of tasks to its end. */
	async allTasks(service: Service) {
		const tasks: unknown[] = [];
		for (let cursor: string | null = ''; cursor !== null; ) {
			const page = (await call(service, 'GET', `/tasks?limit=100${cursor}`)) as {
				tasks: unknown[];
				next_cursor: string | null;
			};
			tasks.push(...page.tasks);
			cursor = page.next_cursor && `&cursor=${encodeURIComponent(page.next_cursor)}`;
		}
		return tasks;
	},

	/** Asks a question in each of the sessions, so many at once. */
	async ask({ sessions, atOnce, ...service }: Service & { sessions: string[]; atOnce: number }) {
		const left = sessions.entries();
		await Promise.all(
			Array.from({ length: atOnce }, async () => {
				for (const [index, session_id] of left)
					await call(service, 'POST', '/assistants/default/questions', {
						question: `Question ${index}`,
						session_id,
					});
			}),
		);
	},
};
export type Jobs = typeof jobs;

async function call(
	{ baseUrl, apiKey }: Service,
	method: 'GET' | 'POST',
	path: string,
	content?: object,
) {
	const { body, statusCode } = await request(baseUrl + path, {
		method,
		headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
		body: content && JSON.stringify(content),
	});
	if (statusCode !== 200) throw new Error(`${path}: ${statusCode}`);
	return await body.json();
}

process.on('message', ({ job, input }: { job: keyof Jobs; input: unknown }) => {
	const began = performance.now();
	(jobs[job] as (input: unknown) => Promise<unknown>)(input).then(
		() => process.send?.({ ms: performance.now() - began }),
		(failure: unknown) => process.send?.({ failure: String(failure) }),
	);
});
process.send?.('ready');

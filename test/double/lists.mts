import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { invalid, refuse } from './errors.mts';
import { Pages } from './pages.mts';
import { shown, type Task } from './records.mts';
import type { PageStyle, ServiceDescription } from './services.mts';
import { sendJson, type Truth } from './truth.mts';

/** One list, and how many of its records are on a page. */
interface List {
	readonly style: PageStyle;
	readonly limit: number;
	readonly records: readonly unknown[];
}

const FILTERS = ['query', 'status', 'priority', 'assigned_to', 'involving', 'team_id', 'tags', 'complete_by_from', 'complete_by_to'];
const TASK_QUERY = [...FILTERS, 'cursor', 'limit', 'archived', 'draft'];

/** GET /assistants, /playbooks, /templates and /tasks. */
export function addLists(app: FastifyInstance, description: ServiceDescription, truth: Truth): void {
	const pages = new Pages(description.seed);
	const sendPage = (reply: FastifyReply, url: URL, { style, limit, records }: List): FastifyReply => {
		const cursor = url.searchParams.get('cursor');
		const place = cursor === null ? { offset: 0, limit, index: 0 } : pages.place(cursor);
		if (place === undefined) return refuse(reply, description, invalid('Unknown cursor'));
		if (place.limit !== limit) return refuse(reply, description, invalid('limit must not change from page to page'));
		return sendJson(reply, description, pages.body(style, records, place, url));
	};

	const { page, pageSize } = description.libraries;
	for (const library of ['assistants', 'playbooks', 'templates'] as const) {
		app.get(`/${library}`, (request, reply) => {
			if (page === null) return sendJson(reply, description, truth[library]);
			return sendPage(reply, urlOf(request), { style: page, limit: pageSize, records: truth[library] });
		});
	}
	app.get('/tasks', (request, reply) => {
		const url = urlOf(request);
		const unknown = [...url.searchParams.keys()].find((name) => !TASK_QUERY.includes(name));
		if (unknown !== undefined) return refuse(reply, description, invalid(`Unknown parameter ${unknown}`));
		const limit = Number(url.searchParams.get('limit') ?? 20);
		if (!(Number.isInteger(limit) && limit >= 1 && limit <= 100)) return refuse(reply, description, invalid('limit must be from 1 to 100'));
		const records = tasksShown({ description, truth }, url.searchParams);
		return sendPage(reply, url, { style: description.tasks.page, limit, records });
	});
}

function urlOf({ url, host }: FastifyRequest): URL {
	return new URL(url, `http://${host}`);
}

/** The tasks that a query lists, in order, as the service shows them. */
export function tasksShown(
	{ description, truth }: { description: ServiceDescription; truth: Truth },
	query: URLSearchParams = new URLSearchParams(),
): Task['record'][] {
	const [words, priority] = [query.get('query')?.toLowerCase() ?? '', query.get('priority')];
	const status = query.get('status')?.split(',');
	return truth.tasks
		.filter(
			({ record, archived, draft }) =>
				archived === (query.get('archived') === 'true') &&
				draft === (query.get('draft') === 'true') &&
				String(record.title).toLowerCase().includes(words) &&
				(status === undefined || status.includes(String(record.status))) &&
				(priority === null || String(record.priority) === priority),
		)
		.map((task) => shown(description, task));
}

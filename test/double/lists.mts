import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import type { PageStyle, ServiceDescription } from './description.mts';
import { invalid, refuse } from './errors.mts';
import { Pages, type Place } from './pages.mts';
import { isValue, shown, type Task } from './records.mts';
import { sendJson, type Truth } from './truth.mts';

/** How one list is asked for. */
interface ListRules {
	readonly style: PageStyle;
	readonly cursorParameter: string;
	readonly limit: (asked: string | null) => number | undefined;
	/** The query parameters it knows; null ignores those it does not know. */
	readonly known: readonly string[] | null;
	/** Whether `limit` is one of them. */
	readonly takesLimit: boolean;
	readonly records: (query: URLSearchParams) => readonly unknown[];
}

const TASK_QUERY = [
	'query',
	'status',
	'priority',
	'assigned_to',
	'involving',
	'team_id',
	'tags',
	'complete_by_from',
	'complete_by_to',
	'cursor',
	'limit',
	'archived',
	'draft',
];

/** GET /assistants, /playbooks, /templates and /tasks. */
export function addLists(app: FastifyInstance, description: ServiceDescription, truth: Truth): void {
	const pages = new Pages(description.seed);
	const { libraries, tasks } = description;
	for (const library of ['assistants', 'playbooks', 'templates'] as const) {
		const rules: ListRules = {
			style: libraries.page,
			cursorParameter: libraries.cursorParameter,
			limit: (asked) => {
				const size = libraries.takesLimit && asked !== null ? Number(asked) : libraries.pageSize;
				return size === 0 ? Infinity : size;
			},
			known: libraries.refusesUnknownParameters
				? [libraries.cursorParameter, ...(libraries.takesLimit ? ['limit'] : [])]
				: null,
			takesLimit: libraries.takesLimit,
			records: () => truth[library],
		};
		app.get(`/${library}`, (request, reply) => list(request, reply, description, pages, rules));
	}

	const rules: ListRules = {
		style: tasks.page,
		cursorParameter: 'cursor',
		limit: (asked) => {
			const limit = Number(asked ?? 20);
			return Number.isInteger(limit) && limit >= 1 && limit <= 100 ? limit : undefined;
		},
		known: tasks.flagFilters === 'ignored' ? null : TASK_QUERY,
		takesLimit: true,
		records: (query) => listed(description, truth.tasks, query).map((task) => shown(description, task)),
	};
	app.get('/tasks', (request, reply) => list(request, reply, description, pages, rules));
}

function list(
	request: FastifyRequest,
	reply: FastifyReply,
	description: ServiceDescription,
	pages: Pages,
	{ style, cursorParameter, limit: limitOf, known, takesLimit, records }: ListRules,
): FastifyReply {
	const url = new URL(request.url, `http://${request.host}`);
	const unknown = [...url.searchParams.keys()].find((name) => known?.includes(name) === false);
	if (unknown !== undefined) return refuse(reply, description, invalid(`Unknown parameter ${unknown}`));

	const asked = url.searchParams.get('limit');
	const cursor = url.searchParams.get(cursorParameter);
	const filters = new URLSearchParams(url.search);
	for (const name of ['limit', cursorParameter]) filters.delete(name);
	const limit = limitOf(asked);
	if (limit === undefined) return refuse(reply, description, invalid('limit must be from 1 to 100'));

	let place: Place = { offset: 0, limit, index: 0, filters: filters.toString() };
	if (cursor !== null) {
		const found = pages.place(cursor);
		if (found === undefined) return refuse(reply, description, invalid('Unknown cursor'));
		// A link is its own page: what it leaves out of the query is in its cursor. A cursor alone is sent with the rest.
		const linked = style.next.kind === 'link' && asked === null;
		if (!linked && found.limit !== limit) {
			return refuse(reply, description, invalid('limit must not change from page to page'));
		}
		place = linked ? found : { ...found, filters: filters.toString() };
	}
	const body = pages.body(style, records(new URLSearchParams(place.filters)), place, {
		url,
		cursorParameter,
		limitParameter: takesLimit && place.limit !== Infinity,
	});
	return sendJson(reply, description, body);
}

/** The tasks that a query lists, in order. */
export function listed({ tasks }: ServiceDescription, all: readonly Task[], query: URLSearchParams): Task[] {
	const words = query.get('query')?.toLowerCase();
	const status = query.get('status')?.split(',');
	const priority = query.get('priority');
	const passes = (flag: boolean, asked: boolean): boolean => {
		if (!asked || tasks.flagFilters === 'ignored') return !flag;
		return tasks.flagFilters === 'include' || flag;
	};
	return all.filter(
		({ record, archived, draft }) =>
			passes(archived, query.get('archived') === 'true') &&
			passes(draft, query.get('draft') === 'true') &&
			(words === undefined || String(record.title).toLowerCase().includes(words)) &&
			(status === undefined || status.some((named) => isValue(record.status, named))) &&
			(priority === null || isValue(record.priority, priority)),
	);
}

import type { ServiceDescription } from './services.mts';
import type { Json } from './pages.mts';
import { uuidOf } from './random.mts';

/** A task as the service keeps it; how it is shown is another thing. */
export interface Task {
	readonly record: Json;
	archived: boolean;
	draft: boolean;
}

const STATUSES = ['todo', 'in_progress', 'completed'] as const;
const PRIORITIES = ['urgent', 'high', 'low'] as const;
const EXTRA = {
	object: 'record',
	etag: 'W/"7f"',
	metadata: { source: { name: 'import', id: 7 }, data: [], next: null },
	_links: { self: { href: '/self' } },
	createdBy: null,
};

/** The records of a library, in the service's order. */
export function libraryRecords({ seed, libraries, json }: ServiceDescription, library: string): Json[] {
	return Array.from({ length: libraries.count }, (_, index) => ({
		id: libraries.ids === 'number' ? 4000 + index : uuidOf(seed, `${library} ${index}`),
		[libraries.nameField]: `${library} ${index} – “Vertrag” & <more>`,
		...(json.extraFields ? { ...EXTRA, description: null, items: [], error_code: '' } : {}),
	}));
}

/** The tasks that the service begins with, in its order. */
export function taskRecords(description: ServiceDescription): Task[] {
	const { seed, tasks } = description;
	return Array.from({ length: tasks.count }, (_, index) =>
		taskOf(description, {
			id: uuidOf(seed, `task ${index}`),
			display_id: `LEG-${index + 1}`,
			title: `Task ${index}: review “NDA” & sign`,
			description: index % 2 === 0 ? 'Find <b>the</b> cap' : null,
			status: valueOf(tasks.status, STATUSES, index % 3),
			priority: valueOf(tasks.priority, PRIORITIES, index % 3),
			complete_by: index % 4 === 0 ? null : '2026-11-30T17:00:00Z',
			tags: index % 2 === 0 ? ['nda', 'supplier, new'] : [],
			archived: index % 7 === 5,
			draft: index % 11 === 3,
		}),
	);
}

/** A task made of the fields that were sent, or that it begins with. */
export function taskOf({ seed, tasks, json }: ServiceDescription, { archived, draft, ...fields }: Json): Task {
	const person = uuidOf(seed, 'person');
	const record: Json = {
		...fields,
		...linkedOf(tasks, seed),
		assignees: { null: null, ids: [person], objects: [{ user_id: person, user_name: 'Ada Park' }] }[tasks.assignees],
		links: { web: 'https://app.example.com/tasks/1' },
		...(json.extraFields ? { ...EXTRA, data: {}, task: null, error: null, message: '' } : {}),
	};
	return { record, archived: archived === true, draft: draft === true };
}

function linkedOf({ linkedItems }: ServiceDescription['tasks'], seed: number): Json {
	const id = uuidOf(seed, 'chat');
	if (linkedItems === 'absent') return {};
	return { linked_items: { null: null, ids: [id], objects: [{ type: 'chat', id, title: 'NDA' }] }[linkedItems] };
}

/** A task as the service shows it. */
export function shown({ tasks }: ServiceDescription, { record, archived, draft }: Task): Json {
	return tasks.showsFlags ? { ...record, archived, draft } : { ...record };
}

function valueOf(style: ServiceDescription['tasks']['status'], names: readonly string[], index: number): string | number {
	const name = names[index] ?? '';
	if (style === 'number') return index + 1;
	return style === 'text' ? name : name.toUpperCase();
}

import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';

import { isRecord, type JsonRecord } from '../../harness/unknownJson.mts';
import { findTask } from '../../nodes/LegalAi/api/tasks.ts';
import { clause, type Clause, Differs, NotTried, shared } from './clause.mts';
import { CHECK_NAME, type CheckedService, type Reply } from './checkedService.mts';
import { readPages, type Query } from './lists.mts';
import {
	expectFields,
	expectOk,
	expectRefusal,
	expectStatus,
	joinNames,
	describeShape,
	text,
} from './shape.mts';

type Task = JsonRecord & { id: string };

/** How long a search may take to know a new task. */
const INDEXED_WITHIN = 60_000;
/** What nobody else's task has in it. */
const MARK = `check${randomUUID().slice(0, 8)}`;
const DUE = '2031-03-01T10:00:00.000Z';

/** The task of an answer, as this package itself reads it. */
function readTask(reply: Reply) {
	const body = expectOk(reply);
	const found = findTask(body);
	if (found === undefined)
		throw new Differs(
			'a task with an id: the answer itself, or under task or data',
			describeShape(body),
		);
	return found;
}

const writePath = ({ id }: Task) => `/tasks/${encodeURIComponent(id)}`;
const getTask = async (service: CheckedService, task: Task) =>
	readTask(await service.get(writePath(task)));
const update = async (service: CheckedService, task: Task, body: object) =>
	readTask(await service.send('PATCH', writePath(task), body));

const firstPage = shared('the list of tasks', (service) => readPages(service, 'tasks', {}, 1));

/** The tasks of a list, if the list can be read at all. */
async function listed(service: CheckedService, query: Query = {}, pages?: number) {
	await firstPage(service);
	return (await readPages(service, 'tasks', { limit: '100', ...query }, pages)).records;
}

const tasksBefore = shared('the list of tasks', (service) => listed(service, {}, 3));

/** A value that some task has in a field, which may be chosen for another. */
async function seenOn(service: CheckedService, ...fields: string[]) {
	const tasks = await tasksBefore(service).catch(() => []);
	const seen = tasks.flatMap((task) => fields.map((field) => task[field]));
	return seen.find((value) => typeof value === 'string' || typeof value === 'number');
}

const userId = shared('the user', async (service) =>
	String(expectFields(expectOk(await service.get('/me')), { user_id: text }).user_id),
);

const creation = shared('the task', async (service) => {
	const [status, priority] = [await seenOn(service, 'status'), await seenOn(service, 'priority')];
	const fields = {
		title: CHECK_NAME,
		description: `For ${MARK}a`,
		complete_by: DUE,
		tags: [MARK],
		assigned_to: await userId(service),
	};
	const sent = { ...fields, status, priority };
	return { sent, task: readTask(await service.createTask(sent)) };
});

const task = async (service: CheckedService) => (await creation(service)).task;
/** The task as the service shows it now. */
const shownTask = async (service: CheckedService) => await getTask(service, await task(service));

const draft = shared('the draft', async (service) => {
	const parent = await task(service);
	return readTask(
		await service.createTask({
			title: CHECK_NAME,
			description: MARK,
			parent_task_id: parent.id,
			draft: true,
		}),
	);
});

const isListed = async (service: CheckedService, { id }: Task, query: Query) =>
	(await listed(service, query)).some((each) => each.id === id);

/** Checks that a task is listed, at once or after the search was brought up to date. */
async function expectListed(service: CheckedService, wanted: Task, query: Query) {
	const found = await service.until(
		'the list of tasks',
		INDEXED_WITHIN,
		async () => (await isListed(service, wanted, query)) || undefined,
	);
	if (found === undefined)
		throw new Differs(`the check's task among those listed`, 'not there within a minute');
}

const isSame = (field: string) => (task: JsonRecord, value: string) =>
	[undefined, value, Number(value)].some((each) => each === task[field]);
const due = ({ complete_by }: JsonRecord) =>
	typeof complete_by === 'string' ? Date.parse(complete_by) : NaN;

/** Whether a task has no time at which it is due, which no filter by it says anything about. */
const isUndated = (task: JsonRecord) => Number.isNaN(due(task));

type ValueOf = (task: Task, service: CheckedService) => unknown;

/** A filter finds the task, and nothing of which it is wrong. */
const filter = (name: string, words: string, chosen: ValueOf, isRight = isSame(name)) =>
	clause(`The filter "${name}" lists the tasks ${words}`, async (service) => {
		const wanted = await task(service);
		const value = await chosen(await getTask(service, wanted), service);
		if (typeof value !== 'string' && typeof value !== 'number')
			throw new NotTried(`no value for ${name} was found on a task`);
		const query = { [name]: String(value) };
		await expectListed(service, wanted, query);
		const others = (await listed(service, query)).filter((each) => !isRight(each, String(value)));
		if (others.length > 0)
			throw new Differs('only tasks that match', `${others.length} that do not`);
	});

const filters: Clause[] = [
	clause(
		'The filter "query" searches title, description and additional context of tasks',
		async (service) => {
			const wanted = await task(service);
			await update(service, wanted, { additional_context: `For ${MARK}b` });
			for (const query of [`${MARK}a`, `${MARK}b`, CHECK_NAME])
				await expectListed(service, wanted, { query });
			if ((await listed(service, { query: randomUUID() })).length > 0)
				throw new Differs('no task for words that none has', 'some');
		},
	),
	filter('status', 'of one status', ({ status }) => status),
	clause('The filter "status" takes several statuses, separated by commas', async (service) => {
		const wanted = await task(service);
		const all = [...new Set((await tasksBefore(service)).map(({ status }) => status))].filter(
			(status) => typeof status === 'string',
		);
		if (all.length < 2) throw new NotTried('the tasks of this user are all of one status');
		await expectListed(service, wanted, { status: all.join(',') });
	}),
	filter('priority', 'of one priority', ({ priority }) => priority),
	filter('assigned_to', 'of one person', (_task, service) => userId(service)),
	filter(
		'involving',
		'of a person who is involved',
		(_task, service) => userId(service),
		() => true,
	),
	filter('team_id', 'of one team', ({ team_id }) => team_id),
	filter(
		'tags',
		'with a tag',
		() => MARK,
		({ tags }) => !Array.isArray(tags) || tags.includes(MARK),
	),
	filter(
		'complete_by_from',
		'due at or after a time',
		() => DUE,
		(each) => isUndated(each) || due(each) >= Date.parse(DUE),
	),
	filter(
		'complete_by_to',
		'due at or before a time',
		() => DUE,
		(each) => isUndated(each) || due(each) <= Date.parse(DUE),
	),
];

const pages: Clause[] = [
	clause(
		'The cursor of a page of tasks leads to the next one, if "limit" stays the same',
		async (service) => {
			await task(service);
			await draft(service);
			const ids = (await listed(service, { limit: '1' }, 10)).map(({ id }) => id);
			if (ids.length > 1) return;
			if ((await tasksBefore(service)).length > 0)
				throw new Differs('a second page of one task', 'none');
			throw new NotTried('this user sees no other task');
		},
	),
	clause('The list of tasks is read to its end', async (service) => {
		const ids = (await listed(service, { limit: '7' })).map(({ id }) => id);
		const all = (await listed(service)).map(({ id }) => id);
		if (!isDeepStrictEqual(ids, all.slice(0, ids.length)))
			throw new Differs('the same tasks in pages of 7 and of 100', 'others');
	}),
	clause('Tasks are listed by priority, then by due date', async (service) => {
		const all = await listed(service);
		const readPriority = ({ priority }: JsonRecord) => JSON.stringify(priority);
		const groups = [...new Set(all.map(readPriority))].map((priority) =>
			all.filter((each) => readPriority(each) === priority),
		);
		if (!isDeepStrictEqual(groups.flat(), all))
			throw new Differs('each priority in one place', 'in several');
		const dates = groups.map((group) => group.map(due).filter((time) => !Number.isNaN(time)));
		if (dates.some((times) => times.some((time, index) => time < (times[index - 1] ?? time))))
			throw new Differs('the sooner due date first', 'a later one before');
		if (dates.every(({ length }) => length < 2))
			throw new NotTried('no two tasks of one priority have a due date');
	}),
];

const creating: Clause[] = [
	clause(
		'GET /tasks answers a page of at most 20 tasks, and of up to 100 if asked',
		async (service) => {
			const { records: some, shape } = await firstPage(service);
			const many = await listed(service, {}, 1);
			if (some.length > 20 || many.length > 100)
				throw new Differs('at most 20, and 100', `${some.length}, and ${many.length}`);
			return shape;
		},
	),
	clause(
		'A task without a title is refused with 400 and error_code "invalid_request_body"',
		async (service) => {
			expectRefusal(await service.createTask({}), 400, 'invalid_request_body');
		},
	),
	clause('POST /tasks creates a task of what is sent, and answers it', async (service) => {
		const { sent, task: created } = await creation(service);
		expectSame(created, sent);
		return `a task with ${joinNames(created)}`;
	}),
	clause('POST /tasks creates a subtask', async (service) => {
		const parent = (await draft(service)).parent_task_id;
		const isShown = parent !== undefined;
		if (isShown && parent !== (await task(service)).id)
			throw new Differs('parent_task_id: the task', describeShape(parent));
		return isShown ? undefined : 'a task does not show parent_task_id';
	}),
	clause('GET /tasks/{task_id} answers the task', async (service) => {
		const { sent } = await creation(service);
		expectSame(await shownTask(service), sent);
	}),
	clause('A task that does not exist gets 404', async (service) => {
		const reply = await service.get('/tasks/b1c2d3e4-0000-4000-8000-000000000001');
		expectStatus(reply, 404);
		return describeShape(isRecord(reply.body) ? reply.body.error_code : reply.body);
	}),
	...['status', 'priority'].map((field) =>
		clause(`The ${field} of a task is a text or a number`, async (service) => {
			const all = (await tasksBefore(service)).map((each) => each[field]);
			const values = [...new Set(all)].filter((value) => value != null);
			if (values.length === 0) throw new NotTried(`this user sees no task with a ${field}`);
			const wrong = values.find((value) => typeof value === 'object');
			if (wrong !== undefined) throw new Differs('a text or a number', describeShape(wrong));
			return values.map((value) => JSON.stringify(value)).join(', ');
		}),
	),
	clause('The person of a task is in assigned_to, or in assignees', async (service) => {
		const [shown, user] = [await shownTask(service), await userId(service)];
		const isUser = (value: unknown) =>
			value === user || (isRecord(value) && (value.id === user || value.user_id === user));
		const places = ['assigned_to', 'assignees'].filter((field) =>
			[shown[field]].flat().some(isUser),
		);
		if (places.length === 0)
			throw new Differs(
				'the ID of the user in assigned_to or assignees',
				`an object with ${joinNames(shown)}`,
			);
		return places.join(', ');
	}),
];

/** Checks that a task has what was sent, as far as it shows it. Dates may be written otherwise. */
function expectSame(shown: Task, sent: JsonRecord) {
	const differing = Object.entries(sent).filter(([name, value]) => {
		if (value === undefined || shown[name] === undefined) return false;
		if (name === 'complete_by') return due(shown) !== Date.parse(DUE);
		return name !== 'assigned_to' && !isDeepStrictEqual(shown[name], value);
	});
	if (differing.length === 0 && shown.title !== undefined) return;
	throw new Differs(
		'the fields as they were sent',
		`others in ${differing.map(([name]) => name).join(', ') || 'title'}`,
	);
}

/** What a null clears, and where a value for it comes from. */
const CLEARED: Record<string, (service: CheckedService) => unknown> = {
	description: () => 'Some words',
	additional_context: () => 'Some more words',
	complete_by: () => DUE,
	assigned_to: userId,
	assigned_agent: async (service) =>
		(await readPages(service, 'assistants')).records
			.map(({ id }) => id)
			.find((id) => id !== 'default'),
	assigned_team_id: (service) => seenOn(service, 'assigned_team_id', 'team_id'),
	matter_id: (service) => seenOn(service, 'matter_id'),
};

const NOT_CLEARED = ['title', 'status', 'priority', 'tags', 'linked_items', 'draft', 'archived'];

const updating: Clause[] = [
	clause('PATCH /tasks/{task_id} with {} changes nothing', async (service) => {
		const before = await shownTask(service);
		expectUnchanged(before, await update(service, before, {}));
	}),
	clause('PATCH /tasks/{task_id} changes only the fields that are sent', async (service) => {
		const before = await shownTask(service);
		const after = await update(service, before, { description: 'Other words' });
		if (after.description !== 'Other words')
			throw new Differs('the description as sent', describeShape(after.description));
		expectUnchanged(before, after, 'description');
	}),
	...Object.entries(CLEARED).map(([field, valueFor]) =>
		clause(`null clears ${field} of a task`, async (service) => {
			const value = await valueFor(service);
			if (value === undefined) throw new NotTried(`no value for ${field} was found on a task`);
			const created = await task(service);
			const reply = await service.send('PATCH', writePath(created), { [field]: value });
			if (reply.status === 400)
				throw new NotTried(`the service took no value for ${field} that the check knows`);
			if (readTask(reply)[field] == null) throw new NotTried(`a task does not show ${field}`);
			const cleared = (await update(service, created, { [field]: null }))[field];
			if (cleared != null) throw new Differs(`${field}: null`, describeShape(cleared));
		}),
	),
	clause(`null is ignored for ${NOT_CLEARED.join(', ')} of a task`, async (service) => {
		const before = await shownTask(service);
		const nulls = Object.fromEntries(NOT_CLEARED.map((name) => [name, null]));
		expectUnchanged(before, await update(service, before, nulls));
	}),
	clause('Linked items are a list of objects, which [] empties', async (service) => {
		const [created, other] = [await task(service), await draft(service)];
		const reply = await service.send('PATCH', writePath(created), {
			linked_items: [{ type: 'task', id: other.id }],
		});
		if (reply.status === 400)
			throw new NotTried('the service does not take {type, id} as a linked item');
		await expectEmptied(service, created, 'linked_items');
	}),
	clause('Tags are a list of texts, which [] empties', async (service) =>
		expectEmptied(service, await task(service), 'tags'),
	),
];

async function expectEmptied(service: CheckedService, wanted: Task, field: string) {
	const before = (await getTask(service, wanted))[field];
	if (!Array.isArray(before) || before.length === 0)
		throw new Differs(`${field}: a list of what was sent`, describeShape(before));
	const after = (await update(service, wanted, { [field]: [] }))[field];
	if (after != null && !isDeepStrictEqual(after, []))
		throw new Differs(`${field}: a list of 0`, describeShape(after));
}

/** Checks that two states of a task are the same but for one field, and for when it was changed. */
function expectUnchanged(before: Task, after: Task, except?: string) {
	const changed = Object.keys({ ...before, ...after }).filter(
		(name) =>
			name !== except &&
			!/updated|modified|version|etag/i.test(name) &&
			!isDeepStrictEqual(before[name], after[name]),
	);
	if (changed.length > 0)
		throw new Differs('the other fields as before', `changed: ${changed.join(', ')}`);
}

type Flag = 'archived' | 'draft';

/** A task with a flag is listed only if that is filtered for; tells what else that filter lists. */
async function expectFlagged(service: CheckedService, flag: Flag, flagged: Task) {
	if (await isListed(service, flagged, { query: MARK }))
		throw new Differs(`no task with ${flag} without a filter`, 'it is listed');
	await expectListed(service, flagged, { query: MARK, [flag]: 'true' });
	const shown = (await listed(service, { [flag]: 'true' })).map((each) => each[flag]);
	if (shown.includes(true) && shown.includes(false)) return `${flag}=true lists these tasks, too`;
	if (shown.includes(false)) throw new Differs(`${flag}: true`, `${flag}: false`);
	return shown.includes(true)
		? `${flag}=true lists only these tasks`
		: `a task does not show ${flag}`;
}

/** Archives or accepts a task, which leaves its status as it is. */
async function setFlag(service: CheckedService, wanted: Task, flag: Flag, value: boolean) {
	const { status } = await getTask(service, wanted);
	const after = await update(service, wanted, { [flag]: value });
	if (after[flag] !== undefined && after[flag] !== value)
		throw new Differs(`${flag}: ${value}`, describeShape(after[flag]));
	if (!isDeepStrictEqual(after.status, status))
		throw new Differs('the status as before', describeShape(after.status));
}

const flags: Clause[] = [
	clause('A draft is listed only if drafts are filtered for', async (service) =>
		expectFlagged(service, 'draft', await draft(service)),
	),
	clause('draft: false accepts a draft, which is listed then', async (service) => {
		await setFlag(service, await draft(service), 'draft', false);
		await expectListed(service, await draft(service), { query: MARK });
	}),
	clause(
		'archived: true archives a task, which is listed only if archived tasks are filtered for',
		async (service) => {
			const created = await update(service, await task(service), { description: MARK });
			await expectListed(service, created, { query: MARK });
			await setFlag(service, created, 'archived', true);
			return await expectFlagged(service, 'archived', created);
		},
	),
];

/** Tasks (specification, "GET /tasks" to "PATCH /tasks/{task_id}"; readings, "Lists" and "Tasks"). */
export const tasks: Clause[] = [...creating, ...pages, ...filters, ...updating, ...flags];

/** Archives whatever a check created. */
export async function archiveAll(service: CheckedService) {
	for (const id of service.createdTasks)
		await service.send('PATCH', `/tasks/${encodeURIComponent(id)}`, { archived: true });
}

import { randomUUID } from 'node:crypto';
import type { Clock } from '../clock.mts';
import { notFound } from '../errors.mts';
import type { Random } from '../random.mts';
import type { Organization } from './organization.mts';
import { seededTasks } from './taskSeeds.mts';

/** The fields of a task that the API does not show. */
const NOT_SHOWN = ['sequence', 'shared_with', 'comments'];

/** A task as the sandbox keeps it. */
export interface Task {
	/** Increases with every new task. */
	sequence: number;
	id: string;
	display_id: string;
	title: string;
	description: string | null;
	additional_context: string | null;
	parent_task_id: string | null;
	assigned_to: string | null;
	assigned_agent: string | null;
	assigned_team_id: string | null;
	matter_id: string | null;
	status: string;
	priority: string | null;
	complete_by: string | null;
	tags: string[];
	linked_items: unknown[];
	draft: boolean;
	archived: boolean;
	team_id: string;
	visibility: 'private' | 'customer';
	access_level: 'read' | 'write';
	created_by: string;
	created_at: string;
	updated_at: string;
	shared_with: string[];
	comments: string[];
}

/** What a task is changed in. */
export type TaskChange = Partial<Omit<Task, 'sequence' | 'id'>>;

/** What a new task is made from: a title, and the fields that differ from an empty task. */
export type TaskDraft = Pick<Task, 'title'> & Partial<Task>;

/** The specification names no priorities: these come first, in this order, then any other, then none. */
const RANKED = ['urgent', 'high', 'medium', 'low'];

/** The organization's tasks. */
export class Tasks {
	/** The cursors that were issued: after which task they begin, and for which page size. */
	cursors = new Map<string, { last: Task; limit: number }>();
	#byId = new Map<string, Task>();
	#clock;
	#random;
	#organization;
	#ordered: readonly Task[] | undefined;
	#created = 0;

	constructor(clock: Clock, random: Random, organization: Organization) {
		this.#clock = clock;
		this.#random = random;
		this.#organization = organization;
		this.reset();
	}

	/** Every task in the order of the list: priority, due date, most recently created (specification, "GET /tasks"). */
	ordered() {
		this.#ordered ??= [...this.#byId.values()]
			.map((task) => ({
				task,
				rank: rankByPriority(task),
				due: task.complete_by === null ? Infinity : Date.parse(task.complete_by),
			}))
			// Without due dates, the difference is no number.
			.sort(
				(one, other) =>
					one.rank - other.rank || one.due - other.due || other.task.sequence - one.task.sequence,
			)
			.map(({ task }) => task);
		return this.#ordered;
	}

	cursorAfter(last: Task, limit: number) {
		const cursor = randomUUID();
		this.cursors.set(cursor, { last, limit });
		return cursor;
	}

	get(id: string) {
		const task = this.#byId.get(id);
		if (task === undefined) throw notFound('Task not found');
		return task;
	}

	/** A task as the API shows it. */
	view(task: Task): Record<string, unknown> {
		const shown = Object.entries(task).filter(([name]) => !NOT_SHOWN.includes(name));
		const { ada } = this.#organization.people;
		const person = {
			id: task.assigned_to,
			name: task.assigned_to === ada ? 'Ada Okafor' : 'Ben Silva',
		};
		const agent = { id: task.assigned_agent, name: 'Redliner' };
		const assignees = [person, agent].filter(({ id }) => id !== null);
		return {
			...Object.fromEntries(shown),
			assignees,
			url: `https://app.legal-ai.example/tasks/${task.display_id}`,
		};
	}

	create({ title, ...change }: TaskDraft) {
		const { people, teams } = this.#organization;
		this.#created += 1;
		const at = new Date(this.#clock.now()).toISOString();
		const task: Task = {
			id: this.#random.uuid(),
			sequence: this.#created,
			display_id: `LEGAL-${this.#created}`,
			title,
			description: null,
			additional_context: null,
			parent_task_id: null,
			assigned_to: null,
			assigned_agent: null,
			assigned_team_id: null,
			matter_id: null,
			status: 'open',
			priority: null,
			complete_by: null,
			tags: [],
			linked_items: [],
			draft: false,
			archived: false,
			team_id: teams.commercial,
			visibility: 'customer',
			access_level: 'write',
			created_by: people.ada,
			created_at: at,
			updated_at: at,
			shared_with: [],
			comments: [],
			...change,
		};
		this.#byId.set(task.id, task);
		this.#ordered = undefined;
		return task;
	}

	update(task: Task, change: TaskChange) {
		if (Object.keys(change).length === 0) return;
		Object.assign(task, change, { updated_at: new Date(this.#clock.now()).toISOString() });
		this.#ordered = undefined;
	}

	/** Adds `count` tasks of mixed priorities, due dates and statuses. */
	seed(count: number) {
		const priorities = ['low', 'medium', 'high', 'urgent', null];
		const statuses = ['open', 'in_progress', 'completed'];
		const now = this.#clock.now();
		for (let number = 1; number <= count; number += 1) {
			const due = new Date(now + Math.floor(this.#random.between(-30, 90)) * 86_400_000);
			this.create({
				title: `Seeded task ${number}`,
				priority: priorities[number % priorities.length] ?? null,
				status: statuses[number % statuses.length] ?? 'open',
				complete_by: number % 4 === 0 ? null : due.toISOString(),
				tags: [`batch-${number % 10}`],
			});
		}
	}

	/** Removes every task. */
	clear() {
		this.#byId.clear();
		this.#ordered = undefined;
	}

	/** Restores the tasks that a sandbox starts with. */
	reset() {
		this.clear();
		this.cursors.clear();
		this.#created = 0;
		for (const task of seededTasks(this.#organization, this.#clock.now())) this.create(task);
	}
}

function rankByPriority({ priority }: Task) {
	if (priority === null) return RANKED.length + 1;
	return RANKED.includes(priority) ? RANKED.indexOf(priority) : RANKED.length;
}

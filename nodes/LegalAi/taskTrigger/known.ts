import { hashOf } from '../api/account';
import type { Task } from '../api/tasks';

/** What starts a workflow. */
export type TaskEvent = 'created' | 'statusReached' | 'due';

/** What a trigger knows of the tasks, as n8n keeps it from one poll to the next. */
export interface Known {
	/** The event and the account that it is about. */
	scope: string;
	/** When the workflow was first published: the start of that day. */
	since: string;
	/** A hash for each task that has been listed, with spaces between them. */
	tasks: string;
}

/** How many tasks a trigger can tell apart. */
export const MOST_KNOWN = 20_000;

/**
 * Compares a poll with those before it: from when on tasks are due, what starts the workflow, and what is known once the list was read
 * to its end. What stands at a publication starts nothing, unless it is due: each due date starts the workflow once.
 */
export function compare(
	{ scope: knownScope, since: knownSince, tasks = '' }: Partial<Known>,
	{
		event,
		scope,
		today,
		isPublication,
	}: { event: TaskEvent; scope: string; today: string; isPublication: boolean },
): {
	since: string;
	isNew: (hash: string) => boolean;
	knownAfter: (listed: ReadonlySet<string>) => Known;
} {
	const before = new Set(tasks.match(/\S+/g));
	const isOther = scope !== knownScope;
	const startsNothing = event !== 'due' && (isPublication || isOther);
	const since = (isOther ? undefined : knownSince) ?? today;
	const remembered = (listed: ReadonlySet<string>): string[] =>
		event === 'due' ? [...new Set([...listed, ...before])].slice(0, MOST_KNOWN) : [...listed];
	return {
		since,
		isNew: (hash) => !startsNothing && !before.has(hash),
		knownAfter: (listed) => ({ scope, since, tasks: remembered(listed).join(' ') }),
	};
}

/** What has happened to a task, as a short hash: it is another one when it happens again. */
export function eventHash(event: TaskEvent, { id, status, complete_by: due }: Task): string {
	return shortHash([event, id, { created: null, statusReached: status, due }[event]]);
}

/** A hash that two of {@link MOST_KNOWN} tasks share once in a million times. */
export function shortHash(values: unknown[]): string {
	return hashOf(values).slice(0, 8);
}

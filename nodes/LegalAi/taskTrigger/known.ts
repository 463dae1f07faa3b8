import { hashOf } from '../api/client';
import type { Task } from '../api/tasks';

/** What starts a workflow. */
export type TaskEvent = 'created' | 'statusReached' | 'due';

/** What a trigger knows of the tasks, as n8n keeps it from one poll to the next. */
export interface Known {
	/** The event and the filters, and whose tasks they are, as hashes. */
	about: string;
	user: string;
	/** The start of the day on which the workflow was first published. */
	since: string;
	/** A hash for each event that was found, with spaces between them. */
	tasks: string;
}

/** How many events a trigger can tell apart. */
export const MOST_KNOWN = 20_000;

/** A poll, and what its trigger knew before. */
interface Poll {
	known: Partial<Known>;
	/** The hashes that the last list did not have. */
	unlisted?: ReadonlySet<string>;
	event: TaskEvent;
	about: string;
	user: string;
	today: string;
	isPublication: boolean;
}

/**
 * Compares a poll with those before it. What stands at a publication, or for another event, other filters or another user, starts
 * nothing unless it is due; due dates that were told stay known. Lists shift while they are read: what one of them lacks is still known.
 */
export function compare({ known, unlisted, event, about, user, today, isPublication }: Poll) {
	const isSame = known.about === about && known.user === user;
	const before = new Set<string>(known.tasks?.match(/\S+/g));
	const startsNothing = event !== 'due' && (isPublication || !isSame);
	const since = (isSame && known.since) || today;
	return {
		/** The start of the day from which on due tasks are listed. */
		since,
		isOtherUser: known.user !== undefined && known.user !== user,
		isNew: (hash: string) => !startsNothing && !before.has(hash),
		/** What is known once the list was read to its end. A status is left once its task has another, or two lists in a row lack it. */
		after: (listed: ReadonlySet<string>) => {
			const found = new Set([...listed].map(taskOf));
			const missing = [...before].filter((hash) => !found.has(taskOf(hash)));
			const kept = missing.filter((hash) => event !== 'statusReached' || !unlisted?.has(hash));
			const tasks = [...listed, ...kept].slice(0, MOST_KNOWN).join(' ');
			return { known: { about, user, since, tasks }, unlisted: new Set(missing) };
		},
	};
}

const HASH_LENGTH = 8;

/** What has happened to a task, as a short hash. That of a status begins with that of the task. */
export function eventHash(event: TaskEvent, { id, status, complete_by: due }: Task) {
	if (event === 'due') return shortHash([event, id, Date.parse(String(due)) || due]);
	const task = shortHash([event, id]);
	return event === 'created' ? task : task + shortHash([String(status)]).slice(0, 4);
}

/** The beginning of a status's hash; any other hash is that of the task alone. */
function taskOf(hash: string) {
	return hash.slice(0, HASH_LENGTH);
}

/** A hash that two of {@link MOST_KNOWN} tasks share once in a million times. */
export function shortHash(values: unknown[]) {
	return hashOf(values).slice(0, HASH_LENGTH);
}

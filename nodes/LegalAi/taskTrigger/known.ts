import { hashOf, type Task } from '../api';

/** What starts a workflow. */
export type TaskEvent = 'created' | 'statusReached' | 'due';

/** What a trigger knows of the tasks, as n8n keeps it from one poll to the next. */
export interface Known {
	/** The event and the filters, as a hash. */
	about: string;
	/** Whose tasks they are, as a hash. */
	user: string;
	/** When the workflow was first published: the start of that day. */
	since: string;
	/** A hash for each event that was found, with spaces between them. A `?` follows that of a status that the last list did not have. */
	tasks: string;
}

/** How many events a trigger can tell apart. */
export const MOST_KNOWN = 20_000;

/**
 * Compares a poll with those before it: from when on tasks are due, what starts the workflow, and what is known once the list was read
 * to its end. What stands at a publication starts nothing, unless it is due. Lists shift while they are read: what one of them
 * does not have is still known.
 *
 * @param kept what may be known, the best first: the first that is about the same counts
 */
export function compare(
	kept: readonly Partial<Known>[],
	{
		event,
		about,
		user,
		today,
		isPublication,
	}: Pick<Known, 'about' | 'user'> & { event: TaskEvent; today: string; isPublication: boolean },
): {
	since: string;
	isOtherUser: boolean;
	isNew: (hash: string) => boolean;
	knownAfter: (listed: ReadonlySet<string>) => Known;
} {
	const same = kept.find((each) => each.about === about && each.user === user);
	const { tasks, user: userBefore = user } = same ?? kept[0] ?? {};
	const before = new Set(tasks?.match(/\S+/g));
	const startsNothing = event !== 'due' && (isPublication || same === undefined);
	const since = same?.since ?? today;
	/** What was found before, the last first. A status is reached again if its task has had another, or two lists in a row did not have it. */
	const stillKnown = (listed: ReadonlySet<string>): string[] => {
		if (event !== 'statusReached') return [...before].filter((hash) => !listed.has(hash));
		const found = new Set([...listed].map(taskOf));
		return [...before]
			.filter((hash) => !hash.endsWith(MISSED) && !found.has(taskOf(hash)))
			.map((hash) => hash + MISSED);
	};
	return {
		since,
		isOtherUser: userBefore !== user,
		isNew: (hash) => !startsNothing && !before.has(hash) && !before.has(hash + MISSED),
		knownAfter: (listed) => ({
			about,
			user,
			since,
			tasks: [...listed, ...stillKnown(listed)].slice(0, MOST_KNOWN).join(' '),
		}),
	};
}

/** Follows the hash of a status that the last list did not have. */
export const MISSED = '?';
const HASH_LENGTH = 8;

/** What has happened to a task, as a short hash: it is another one when it happens again. That of a status begins with that of the task. */
export function eventHash(event: TaskEvent, { id, status, complete_by: due }: Task): string {
	if (event === 'due') return shortHash([event, id, Date.parse(String(due)) || due]);
	const task = shortHash([event, id]);
	return event === 'created' ? task : task + shortHash([String(status)]).slice(0, 4);
}

function taskOf(hash: string): string {
	return hash.slice(0, HASH_LENGTH);
}

/** A hash that two of {@link MOST_KNOWN} tasks share once in a million times. */
export function shortHash(values: unknown[]): string {
	return hashOf(values).slice(0, HASH_LENGTH);
}

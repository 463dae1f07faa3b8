import type { Task } from './tasks.mts';

/** A task's place in the list: priority's rank, due date in ms (null for none), and when it was created. */
export type Place = readonly [rank: number, due: number | null, sequence: number];

/** The specification names no priorities: these come first, in this order, then any other, then none. */
const RANKED = ['urgent', 'high', 'medium', 'low'];

export function placeOf({ priority, complete_by, sequence }: Task): Place {
	const rank = priority === null ? RANKED.length + 1 : RANKED.indexOf(priority);
	return [rank === -1 ? RANKED.length : rank, complete_by === null ? null : Date.parse(complete_by), sequence];
}

/** Below 0 if `a` comes first: by rank, by due date (none last), the most recently created first. */
export function comparePlaces(a: Place, b: Place): number {
	return a[0] - b[0] || compareDue(a[1], b[1]) || b[2] - a[2];
}

export function inOrder(tasks: readonly Task[]): Task[] {
	return tasks
		.map((task) => ({ task, place: placeOf(task) }))
		.sort((a, b) => comparePlaces(a.place, b.place))
		.map(({ task }) => task);
}

function compareDue(a: number | null, b: number | null): number {
	if (a === b) return 0;
	if (a === null) return 1;
	return b === null ? -1 : a - b;
}

import { expect, test } from 'vitest';

import type { Task } from '../../../nodes/LegalAi/api/tasks.ts';
import {
	compare,
	eventHash,
	MOST_KNOWN,
	type Known,
	type TaskEvent,
} from '../../../nodes/LegalAi/taskTrigger/known.ts';

/** A poll of a test: the tasks that are listed, e.g. `a` or `a:open` with what is looked at, and how it differs from any other. */
interface Poll {
	readonly lists: string;
	readonly is?: 'published' | 'elsewhere';
}

/** The tasks that each of the polls starts the workflow with. */
function started(event: TaskEvent, polls: readonly Poll[]): string[] {
	let known: Partial<Known> = {};
	return polls.map(({ lists, is }) => {
		const scope = is === 'elsewhere' ? is : 'here';
		const comparison = compare(known, {
			event,
			scope,
			today: '2026-05-01',
			isPublication: is === 'published',
		});
		const tasks = (lists.match(/\S+/g) ?? []).map((each) => ({
			each,
			hash: eventHash(event, taskOf(each)),
		}));
		known = comparison.knownAfter(new Set(tasks.map(({ hash }) => hash)));
		return tasks.flatMap(({ each, hash }) => (comparison.isNew(hash) ? [each] : [])).join(' ');
	});
}

function taskOf(each: string): Task {
	const [id = '', looked = ''] = each.split(':');
	return { id, status: looked, complete_by: looked };
}

test.for<[what: string, event: TaskEvent, polls: readonly (Poll & { starts: string })[]]>([
	[
		'nothing that stands when it is published',
		'created',
		[
			{ lists: 'a b', is: 'published', starts: '' },
			{ lists: 'a b', starts: '' },
		],
	],
	[
		'each new task once',
		'created',
		[
			{ lists: '', starts: '' },
			{ lists: 'a b', starts: 'a b' },
			{ lists: 'a b c', starts: 'c' },
		],
	],
	[
		'a task that left the filters and passes them again',
		'created',
		[
			{ lists: 'a', starts: '' },
			{ lists: '', starts: '' },
			{ lists: 'a', starts: 'a' },
		],
	],
	[
		'no task for a new status if it is about new tasks',
		'created',
		[
			{ lists: 'a:open', starts: '' },
			{ lists: 'a:done', starts: '' },
		],
	],
	[
		'nothing that came while it was not published',
		'created',
		[
			{ lists: 'a', starts: '' },
			{ lists: 'a b', is: 'published', starts: '' },
			{ lists: 'b c', starts: 'c' },
		],
	],
	[
		'nothing of another account that it is changed to, until that has news',
		'created',
		[
			{ lists: 'a', starts: '' },
			{ lists: 'x y', is: 'elsewhere', starts: '' },
			{ lists: 'x y z', is: 'elsewhere', starts: 'z' },
		],
	],
	[
		'a task each time that it comes into a status',
		'statusReached',
		[
			{ lists: 'a:done', starts: '' },
			{ lists: '', starts: '' },
			{ lists: 'a:done', starts: 'a:done' },
			{ lists: 'a:sent', starts: 'a:sent' },
		],
	],
	[
		'what is due when it is published',
		'due',
		[
			{ lists: 'a:1 b:2', is: 'published', starts: 'a:1 b:2' },
			{ lists: 'a:1 b:2', starts: '' },
		],
	],
	[
		'a task once for each due date',
		'due',
		[
			{ lists: 'a:1', starts: 'a:1' },
			{ lists: 'a:2', starts: 'a:2' },
			{ lists: '', starts: '' },
			{ lists: 'a:1', starts: '' },
		],
	],
	[
		'no due date again because it is published again or the key is replaced',
		'due',
		[
			{ lists: 'a:1', starts: 'a:1' },
			{ lists: 'a:1 b:1', is: 'published', starts: 'b:1' },
			{ lists: 'a:1', is: 'elsewhere', starts: '' },
		],
	],
])('a task trigger starts %s (%s)', ([, event, polls]) => {
	expect(started(event, polls)).toEqual(polls.map(({ starts }) => starts));
});

test('due dates are looked for from the day of the first publication on, whatever is published later, and anew for another account', () => {
	const poll = { event: 'due', scope: 'here', today: '2026-05-01', isPublication: true } as const;
	const first = compare({}, poll);
	expect(first.since).toBe('2026-05-01');
	const known = first.knownAfter(new Set());
	expect(compare(known, { ...poll, today: '2026-05-09' }).since).toBe('2026-05-01');
	expect(compare(known, { ...poll, today: '2026-05-09', scope: 'elsewhere' }).since).toBe(
		'2026-05-09',
	);
});

test('what a trigger knows stays small: 20,000 tasks in 180 kB, of due dates the last ones', () => {
	const hashes = (from: number): Set<string> =>
		new Set(
			Array.from({ length: MOST_KNOWN }, (_, index) =>
				eventHash('due', { id: String(from + index), complete_by: null }),
			),
		);
	const poll = { event: 'due', scope: 'here', today: '2026-05-01', isPublication: false } as const;
	const before = compare({}, poll).knownAfter(hashes(0));
	const { tasks } = compare(before, poll).knownAfter(hashes(10_000));
	expect(tasks.length).toBe(MOST_KNOWN * 9 - 1);
	const { isNew } = compare({ ...before, tasks }, poll);
	expect([...hashes(10_000)].filter(isNew)).toEqual([]);
});

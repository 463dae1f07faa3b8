import {
	compare,
	eventHash,
	MOST_KNOWN,
	type Known,
	type TaskEvent,
} from '../../../nodes/LegalAi/taskTrigger/poll.ts';

/** A poll: the tasks that are listed, e.g. `a` or `a:open` with what is looked at; those that start the workflow; and how it differs from any other. */
type Poll = [lists: string, starts: string, is?: 'published' | 'other filters' | 'other user'];

/** The tasks that each of the polls starts the workflow with. */
function started(event: TaskEvent, polls: Poll[]) {
	let known: Partial<Known> = {};
	let unlisted: ReadonlySet<string> | undefined;
	return polls.map(([lists, , is]) => {
		const { isNew, update } = compare({
			known,
			unlisted,
			event,
			about: is === 'other filters' ? is : 'all',
			user: is === 'other user' ? is : 'me',
			today: '2026-05-01',
			isPublication: is === 'published',
		});
		const tasks = (lists.match(/\S+/g) ?? []).map((each) => ({
			each,
			hash: eventHash(event, parseTask(each)),
		}));
		({ known, unlisted } = update(new Set(tasks.map(({ hash }) => hash))));
		return tasks.flatMap(({ each, hash }) => (isNew(hash) ? [each] : [])).join(' ');
	});
}

function parseTask(each: string) {
	const [, id = '', looked = ''] = /^(\w+)(?::(.*))?$/.exec(each) ?? [];
	return { id, status: looked, complete_by: looked };
}

test.for<[string, TaskEvent, Poll[]]>([
	[
		'nothing that stands when it is published',
		'created',
		[
			['a b', '', 'published'],
			['a b', ''],
		],
	],
	[
		'each new task once',
		'created',
		[
			['', ''],
			['a b', 'a b'],
			['a b c', 'c'],
		],
	],
	[
		'no task a second time that left the filters and passes them again',
		'created',
		[
			['a b', ''],
			['', ''],
			['', ''],
			['a', ''],
			['a b c', 'c'],
		],
	],
	[
		'no task for a new status if it is about new tasks',
		'created',
		[
			['a:open', ''],
			['a:done', ''],
		],
	],
	[
		'nothing that came while it was not published',
		'created',
		[
			['a', ''],
			['a b', '', 'published'],
			['b c', 'c'],
		],
	],
	[
		'nothing of another user that it is changed to, until that has news',
		'created',
		[
			['a', ''],
			['x y', '', 'other user'],
			['x y z', 'z', 'other user'],
		],
	],
	[
		'a task each time that it comes into a status, once it has left that for two polls or for another one',
		'statusReached',
		[
			['a:done', ''],
			['', ''],
			['a:done', ''],
			['', ''],
			['', ''],
			['a:done', 'a:done'],
			['a:sent', 'a:sent'],
			['a:done', 'a:done'],
		],
	],
	[
		'nothing of other filters that it is changed to, until there is news',
		'statusReached',
		[
			['a:done', ''],
			['a:done b:done', '', 'other filters'],
			['a:done b:done c:done', 'c:done', 'other filters'],
		],
	],
	[
		'what is due when it is published',
		'due',
		[
			['a:1 b:2', 'a:1 b:2', 'published'],
			['a:1 b:2', ''],
		],
	],
	[
		'a task once for each due date, whatever its spelling',
		'due',
		[
			['a:2026-05-01T12:00:00Z', 'a:2026-05-01T12:00:00Z'],
			['a:2026-05-01T12:00:00.000+00:00', ''],
			['a:2026-05-01T13:00:00+01:00', ''],
			['a:2026-05-02', 'a:2026-05-02'],
			['', ''],
			['a:2026-05-01T12:00:00Z a:soon', 'a:soon'],
			['a:later a:soon', 'a:later'],
		],
	],
	[
		'no due date again because it is published again, the filters change or another user replaces the key',
		'due',
		[
			['a:1', 'a:1'],
			['a:1 b:1', 'b:1', 'published'],
			['a:1', '', 'other filters'],
			['b:1', '', 'other user'],
		],
	],
])('a task trigger starts %s (%s)', ([, event, polls]) => {
	expect(started(event, polls)).toEqual(polls.map(([, starts]) => starts));
});

const poll = {
	event: 'due',
	about: 'all',
	user: 'me',
	today: '2026-05-01',
	isPublication: true,
} as const;

test('due dates are looked for from the day of the first publication on, whatever is published later, and anew for another user', () => {
	const first = compare({ ...poll, known: {} });
	expect(first).toMatchObject({ since: '2026-05-01', isOtherUser: false });
	const later = { ...poll, today: '2026-05-09', known: first.update(new Set()).known };
	expect(compare(later)).toMatchObject({ since: '2026-05-01', isOtherUser: false });
	expect(compare({ ...later, user: 'other' })).toMatchObject({
		since: '2026-05-09',
		isOtherUser: true,
	});
});

test('what a trigger knows stays small: 20,000 tasks in 180 kB, of those that left the list the last ones', () => {
	const hashes = (from: number) =>
		new Set(
			Array.from({ length: 10_000 }, (_, index) =>
				eventHash('due', { id: String(from + index), complete_by: null }),
			),
		);
	const known = [0, 10_000, 20_000].reduce<Partial<Known>>(
		(before, from) => compare({ ...poll, known: before }).update(hashes(from)).known,
		{},
	);
	expect(known.tasks?.length).toBe(MOST_KNOWN * 9 - 1);
	const { isNew } = compare({ ...poll, known, isPublication: false });
	expect([0, 10_000, 20_000].map((from) => [...hashes(from)].filter(isNew).length)).toEqual([
		10_000, 0, 0,
	]);
});

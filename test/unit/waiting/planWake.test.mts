import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import type { WaitState } from '../../../nodes/LegalAi/execution/runState.ts';
import { planWake, type WakeSituation } from '../../../nodes/LegalAi/waiting/planWake.ts';
import type { AskedItem, UnaskedItem, WaitingItem, WaitingItems } from '../../../nodes/LegalAi/waiting/waitingItem.ts';

const NOW = 1_760_000_000_000;
const SECOND = 1_000;
const MINUTE = 60_000;

/** An item whose question was asked in a session just now, with half an hour to wait. */
function asked(
	session: string,
	{ status = 'in_progress', acceptedAt = NOW, answerDeadline = NOW + 30 * MINUTE }: { status?: string; acceptedAt?: number; answerDeadline?: number } = {},
): AskedItem {
	const texts = { answer: null, reason: null, session_url: null, assistant_id: 'default' };
	const record = { id: `question in ${session}`, status, session_id: session, ...texts };
	return { accepted: { record, acceptedAt, isOwn: true }, answerDeadline, isChecked: false };
}

/** An item that is still to be asked. */
const unasked = (session: string, askUntil?: number): UnaskedItem => ({ session, askUntil, isPostponed: false });

/** The items of a run, behind one that has failed. */
const itemsOf = (...items: WaitingItem[]): WaitingItems => [{ failure: { error: 'No.' } }, ...items.map((value) => ({ value }))];

/** The first run: in the middle of the spread, without a timeout of the workflow. */
const first: WakeSituation = {
	...{ id: 'now', previous: undefined, isCalledBack: true, runBeganAt: NOW - SECOND, now: NOW, timeoutAt: undefined, jitter: 0.5 },
};

/** The state of a wait whose planned check is due now. */
const previous: WaitState = {
	id: 'before',
	round: 0,
	nextCheckAt: NOW,
	isPastLastWake: false,
	answerDeadlines: {},
	turns: {},
	blockingIds: [],
	isCalledBack: false,
};
const woken: WakeSituation = { ...first, previous };
const wokenAfter = (changes: Partial<WaitState>): WakeSituation => ({ ...woken, previous: { ...previous, ...changes } });

/** A question that was asked before this run, with so many minutes left. */
const open = (minutes = 10_000, session = 's'): WaitingItem =>
	asked(session, { acceptedAt: NOW - MINUTE, answerDeadline: NOW + minutes * MINUTE });
const many = (count: number): WaitingItem[] => Array.from({ length: count }, (_, index) => open(10_000, `s${index}`));

const minutesTo = (plan: WaitState | undefined): number => ((plan?.nextCheckAt ?? NaN) - NOW) / MINUTE;

describe('the next check of a paused question', () => {
	test.each<[string, number, WaitingItem[], WakeSituation]>([
		['after the first run', 2, [open()], first],
		['after the first check', 3, [open()], woken],
		['after the second check', 5, [open()], wokenAfter({ round: 1 })],
		['after many checks', 30, [open()], wokenAfter({ round: 99 })],
		['spread a tenth down', 27, [open()], { ...wokenAfter({ round: 99 }), jitter: 0 }],
		['spread a tenth up', 33, [open()], { ...wokenAfter({ round: 99 }), jitter: 1 }],
		['after a run in which callbacks may have come in vain', 7 / 6, [asked('s')], { ...first, runBeganAt: NOW - 10 * SECOND }],
		['after such a run that has asked many questions', 7 / 6, Array.from({ length: 90 }, (_, index) => asked(`s${index}`)), { ...first, runBeganAt: NOW - 10 * SECOND }],
		['after such a run that has asked nothing', 3, [open()], { ...woken, runBeganAt: NOW - 10 * SECOND }],
		['as soon as n8n allows, spread five seconds down', 65 / 60, [open()], { ...first, isCalledBack: false, jitter: 0 }],
		['as soon as n8n allows, spread five seconds up', 75 / 60, [open()], { ...first, isCalledBack: false, jitter: 1 }],
		['with a second for each of many questions', 10, many(600), first],
		['from the beginning again, after something was asked in this run', 2, [asked('s'), open(10_000, 't')], wokenAfter({ round: 9 })],
		['as planned, if the execution was resumed before', 4, [open()], wokenAfter({ round: 6, nextCheckAt: NOW + 4 * MINUTE })],
		['as after a check, if n8n woke the node seconds too early', 3, [open()], wokenAfter({ nextCheckAt: NOW + 4 * SECOND })],
		['when Max Wait is over before', 1, [open(1)], first],
		['when the last of several is given up', 1.5, [open(1), open(1.5, 't')], first],
		['when the question that others of its session wait for is given up', 1, [open(1), unasked('s', NOW + 60 * MINUTE)], first],
		['when asking is given up', 1, [unasked('s', NOW + MINUTE)], first],
		['10 seconds before n8n cancels the execution for its timeout', 5 / 6, [open()], { ...first, timeoutAt: NOW + MINUTE }],
		['with a timeout that is known from the first run', 5 / 6, [open()], wokenAfter({ lastWakeAt: NOW + 50 * SECOND })],
	])('comes %s', (_when, minutes, items, situation) => {
		expect(minutesTo(planWake(itemsOf(...items), situation))).toBeCloseTo(minutes, 6);
	});

	test('comes as soon as n8n allows until minute 6 if no callback brings the answer, then ever later', () => {
		const minutes = [first, ...[0, 1, 2, 3, 4, 5, 99].map((round) => wokenAfter({ round }))].map((situation) =>
			minutesTo(planWake(itemsOf(open()), { ...situation, isCalledBack: false })),
		);
		expect(minutes.map((each) => Math.round(each * 60))).toEqual([70, 70, 70, 70, 70, 120, 180, 1_800]);
	});

	test.each([10 * SECOND, -MINUTE])('is not planned if n8n would cancel the execution in %d ms', (left) => {
		const plan = planWake(itemsOf(open(30)), { ...first, timeoutAt: NOW + left });
		expect(plan).toMatchObject({ isPastLastWake: true, nextCheckAt: NOW + 30 * MINUTE });
	});
});

test('a callback before a planned check does not make the checks after it rarer', () => {
	const early = planWake(itemsOf(open()), wokenAfter({ round: 1, nextCheckAt: NOW + 4 * MINUTE }));
	expect(minutesTo(planWake(itemsOf(open()), wokenAfter({ ...early, nextCheckAt: NOW })))).toBeCloseTo(5, 6);
});

test.each<[string, WaitingItem[]]>([
	['every question is answered', [asked('s', { status: 'completed' })]],
	['Max Wait is over', [open(0)]],
	['asking was given up', [unasked('s', NOW)]],
	['there are no items', []],
])('there is nothing to wait for if %s', (_when, items) => {
	expect(planWake(itemsOf(...items), first)).toBeUndefined();
});

test("the stored plan says each item's deadline, which items still wait for their turn, and whose answers block others", () => {
	const items = itemsOf(open(5), open(7, 't'), unasked('s', NOW + MINUTE), unasked('u'));
	expect(planWake(items, wokenAfter({ rejected: 'stale' }))).toMatchObject({
		id: 'now',
		answerDeadlines: { 1: NOW + 5 * MINUTE, 2: NOW + 7 * MINUTE },
		turns: { 3: { session: 's', askUntil: NOW + MINUTE }, 4: { session: 'u' } },
		blockingIds: ['question in s'],
		rejected: 'stale',
		isCalledBack: false,
	});
});

test('the next check is always in the future, and never after the end of the wait or too late for n8n', () => {
	const time = (min: number, max: number): fc.Arbitrary<number> => fc.integer({ min: NOW + min, max: NOW + max });
	const DAY = 24 * 60 * MINUTE;
	const situations = fc.record({
		deadlines: fc.array(time(-DAY, 366 * DAY), { minLength: 1, maxLength: 50 }),
		round: fc.nat(1_000),
		planned: fc.option(time(-DAY, DAY), { nil: undefined }),
		timeoutAt: fc.option(time(-MINUTE, DAY), { nil: undefined }),
		jitter: fc.double({ min: 0, max: 1, noNaN: true }),
	});
	fc.assert(
		fc.property(situations, ({ deadlines, round, planned, timeoutAt, jitter }) => {
			const items = itemsOf(...deadlines.map((deadline, index) => asked(`s${index}`, { answerDeadline: deadline })));
			const end = Math.max(...deadlines);
			const lastWakeAt = (timeoutAt ?? Infinity) - 10 * SECOND;
			const last = timeoutAt === undefined ? {} : { lastWakeAt };
			const kept = planned === undefined ? undefined : { ...previous, round, nextCheckAt: planned, ...last };
			const plan = planWake(items, { ...first, previous: kept, timeoutAt, jitter });
			if (plan === undefined) return end <= NOW;
			const isLateEnough = plan.nextCheckAt > NOW && plan.nextCheckAt <= end;
			return isLateEnough && (plan.isPastLastWake ? plan.nextCheckAt === end : plan.nextCheckAt <= lastWakeAt);
		}),
	);
});

import type { Entry, Ledger } from '../../../nodes/LegalAi/execution/ledger.ts';
import {
	type Channel,
	isCheckDue,
	nextStep,
	type Situation,
	type Step,
} from '../../../nodes/LegalAi/execution/schedule.ts';

/* When an execution is woken, by what has become of its items. What the node does then: test/engine/wait. */

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

beforeEach(() => vi.useFakeTimers({ toFake: ['Date'], now: 0 }));
afterEach(() => {
	vi.useRealTimers();
	vi.restoreAllMocks();
});

/** An item that was accepted at the beginning, or before it. */
const open = (more: Partial<Entry> = {}): Entry => ({
	state: 'open',
	acceptedAt: 0,
	until: 100 * HOUR,
	...more,
});
const queued = (more: Partial<Entry> = {}): Entry => ({ state: 'new', until: HOUR, ...more });

const ledgerOf = (entries: Entry[], more: Partial<Ledger> = {}): Ledger => ({
	version: 3,
	executionId: '1',
	parameters: '',
	entries,
	...more,
});

function stepOf(
	entries: Entry[],
	situation: Partial<Situation> = {},
	more?: Partial<Ledger>,
): Step {
	return nextStep(ledgerOf(entries, more), {
		channel: 'callback',
		canPark: true,
		beganAt: Date.now(),
		...situation,
	});
}

/** In seconds from now, when n8n wakes it, and when everything open is checked. */
function wakeOf(entries: Entry[], situation?: Partial<Situation>, more?: Partial<Ledger>) {
	const step = stepOf(entries, situation, more);
	if (step.act !== 'park') throw new Error(`It does not park: ${step.act}`);
	const { wakeAt, checkAt } = step.wake;
	return [wakeAt / SECOND, (checkAt ?? NaN) / SECOND];
}

/** The minutes before each check of a question that is never answered. */
function minutesOf(channel: Channel, openCount: number, checks: number) {
	const ledger = ledgerOf(Array.from({ length: openCount }, () => open()));
	const times = [0];
	while (times.length <= checks) {
		const now = times.at(-1) ?? 0;
		// The first run has sent them.
		const beganAt = times.length === 1 ? 0 : now + 1;
		vi.setSystemTime(now + 21 * SECOND);
		const step = nextStep(ledger, { channel, canPark: true, beganAt });
		if (step.act !== 'park') throw new Error('It does not park');
		ledger.wake = { id: 'run', ...step.wake };
		times.push(step.wake.checkAt ?? NaN);
	}
	return times.slice(1).map((at, index) => (at - (times[index] ?? 0)) / MINUTE);
}

test.each<[Channel, number, number[]]>([
	['callback', 1, [5, 5, 8, 13, 21, 30, 30]],
	['polling', 1, [1.2, 1.2, 1.2, 1.2, 1.2, 2, 3, 5, 8, 13, 21, 30, 30]],
	['person', 1, [1.2, 1.2, 1.2, 1.2, 1.2, 2, 3, 5, 8, 13, 21, 30, 30]],
	['polling', 240, [4, 4, 4, 4, 4, 4, 4, 5, 8]],
])(
	'by %s, everything open (%i items) is checked after so many minutes',
	(channel, items, wanted) => {
		vi.spyOn(Math, 'random').mockReturnValue(0.5);
		const minutes = minutesOf(channel, items, wanted.length);
		// The run itself takes some seconds.
		for (const [index, expected] of wanted.entries())
			expect(Math.abs((minutes[index] ?? NaN) - expected)).toBeLessThan(0.4);
	},
);

test.each([
	['callback', 4.5, 5.5],
	['polling', 65 / 60, 75 / 60],
] as const)('checks by %s are spread', (channel, from, to) => {
	for (const random of [0, 0.999]) {
		vi.spyOn(Math, 'random').mockReturnValue(random);
		const [, checkAt = NaN] = wakeOf([open({ acceptedAt: -1 })], { channel });
		expect(checkAt / 60).toBeGreaterThanOrEqual(from);
		expect(checkAt / 60).toBeLessThanOrEqual(to);
	}
});

test.each<[string, Entry[], number]>([
	['the next turn', [queued({ dueAt: 50 * SECOND }), open()], 50],
	['a look at what rang', [open({ looks: 2, dueAt: 70 * SECOND }), open()], 70],
	['the end of the last wait', [open({ until: 40 * SECOND })], 40],
	[
		'the end of a wait that another of its session waits for',
		[open({ session: 's', until: 30 * SECOND }), queued({ session: 's' })],
		30,
	],
	['the end of sending', [queued({ dueAt: 2 * HOUR })], 3600],
])('wakes for %s', (_what, entries, wakeAt) => {
	expect(wakeOf(entries)[0]).toBe(wakeAt);
});

test('what happens before a planned check does not postpone it', () => {
	const wake = { id: 'before', round: 2, wakeAt: 90 * SECOND, checkAt: 100 * SECOND };
	vi.setSystemTime(90 * SECOND);
	expect(wakeOf([open({ acceptedAt: -HOUR })], {}, { wake })).toEqual([100, 100]);
});

test.each<[string, Entry[], Partial<Ledger>]>([
	['over', [{ state: 'over' }], {}],
	['past their time', [open({ until: -1 })], {}],
	['failed', [open({ failure: {} })], {}],
	['near the timeout of the execution', [open()], { timeoutAt: 10 * SECOND }],
])('outputs items that are %s', (_what, entries, more) => {
	expect(stepOf(entries, {}, more)).toEqual({ act: 'output' });
});

test('stays for what is due within seconds', () => {
	expect(stepOf([open({ looks: 3, dueAt: 2 * SECOND })])).toEqual({
		act: 'stay',
		until: 2 * SECOND,
	});
	expect(stepOf([queued({ dueAt: 15 * SECOND })])).toEqual({ act: 'stay', until: 15 * SECOND });
	expect(stepOf([queued({ dueAt: 50 * SECOND })], { canPark: false })).toEqual({
		act: 'stay',
		until: 50 * SECOND,
	});
});

test.each([
	['in the first run', undefined, 0, true],
	['when it is due', { checkAt: MINUTE, wakeAt: MINUTE }, MINUTE, true],
	['a little before', { checkAt: MINUTE, wakeAt: MINUTE }, MINUTE - 4 * SECOND, true],
	['not as a portion is sent', { checkAt: 5 * MINUTE, wakeAt: MINUTE }, MINUTE, false],
	[
		'if n8n runs the node for no known reason',
		{ checkAt: 5 * MINUTE, wakeAt: 5 * MINUTE },
		1,
		true,
	],
])('looks at everything open %s', (_when, wake, beganAt, isDue) => {
	expect(isCheckDue(wake && { id: 'run', round: 0, ...wake }, beganAt)).toBe(isDue);
});

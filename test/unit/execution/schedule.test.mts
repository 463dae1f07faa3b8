import type { Entry, Ledger } from '../../../nodes/LegalAi/execution/ledger.ts';
import {
	type Channel,
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

import type { Ledger } from '../../../nodes/LegalAi/execution/ledger.ts';
import { type Channel, nextStep } from '../../../nodes/LegalAi/execution/schedule.ts';

/* When an execution is woken, by what has become of its items. What the node does then: test/engine/wait. */

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

beforeEach(() => vi.useFakeTimers({ toFake: ['Date'], now: 0 }));
afterEach(() => {
	vi.useRealTimers();
	vi.restoreAllMocks();
});

/** So many questions that were accepted, and are never answered. */
const ledgerOf = (questions: number, acceptedAt = 0): Ledger => ({
	version: 4,
	executionId: '1',
	isOfEarlierExecution: false,
	parameters: '',
	entries: Array.from({ length: questions }, () => ({
		state: 'open',
		acceptedAt,
		until: 100 * HOUR,
	})),
});

/** When everything open is checked next. */
function checkAfter(ledger: Ledger, channel: Channel, beganAt: number) {
	const { wake } = nextStep(ledger, { channel, canPark: true, beganAt }) ?? {};
	if (wake === undefined) throw new Error('It does not park');
	ledger.wake = { id: 'run', ...wake };
	return wake.checkAt ?? NaN;
}

/** The minutes before each check. */
function minutesOf(channel: Channel, questions: number, checks: number) {
	const ledger = ledgerOf(questions);
	const times = [0];
	while (times.length <= checks) {
		const now = times.at(-1) ?? 0;
		vi.setSystemTime(now + 21 * SECOND);
		// The first run has sent them.
		times.push(checkAfter(ledger, channel, times.length === 1 ? 0 : now + 1));
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
		const minutes = checkAfter(ledgerOf(1, -1), channel, 0) / MINUTE;
		expect(minutes).toBeGreaterThanOrEqual(from);
		expect(minutes).toBeLessThanOrEqual(to);
	}
});

test.each([
	[15, 15 * SECOND],
	[4, undefined],
])(
	'a wait that is over in %i s is parked unless n8n could not wake it in time: only then do callbacks resume it',
	(seconds, wakeAt) => {
		const ledger = ledgerOf(1);
		for (const entry of ledger.entries) entry.until = seconds * SECOND;
		const step = nextStep(ledger, { channel: 'callback', canPark: true, beganAt: 0 });
		expect([step?.until, step?.wake?.wakeAt]).toEqual([seconds * SECOND, wakeAt]);
	},
);

test('the next question of a session is tried as soon as the time of the one before it is over', () => {
	const ledger = ledgerOf(2);
	Object.assign(ledger.entries[0] ?? {}, { session: 'session', until: 3 * MINUTE });
	Object.assign(ledger.entries[1] ?? {}, { session: 'session', state: 'new' });
	const step = nextStep(ledger, { channel: 'callback', canPark: true, beganAt: 0 });
	expect(step?.wake?.wakeAt).toBe(3 * MINUTE);
});

test('once a question was accepted later, everything open is checked as if all were new', () => {
	vi.spyOn(Math, 'random').mockReturnValue(0.5);
	const ledger = ledgerOf(2);
	Object.assign(ledger.entries[1] ?? {}, { acceptedAt: HOUR });
	ledger.wake = { id: 'run', round: 4, checkAt: HOUR, wakeAt: HOUR };
	vi.setSystemTime(HOUR);
	expect(checkAfter(ledger, 'callback', HOUR)).toBe(HOUR + 5 * MINUTE);
});

test('no check is planned for what has failed, while another item waits for its turn', () => {
	const ledger = ledgerOf(2);
	Object.assign(ledger.entries[0] ?? {}, { failure: { error: 'Gone' } });
	Object.assign(ledger.entries[1] ?? {}, { state: 'new', dueAt: 2 * MINUTE });
	const step = nextStep(ledger, { channel: 'callback', canPark: true, beganAt: 0 });
	expect(step?.wake).toEqual({ round: 0, wakeAt: 2 * MINUTE });
});

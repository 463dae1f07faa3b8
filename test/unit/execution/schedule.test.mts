import {
	beginEntry,
	type Entry,
	markFailed,
	type Open,
} from '../../../nodes/LegalAi/execution/entry.ts';
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

const open: Open = {
	state: 'open',
	record: { id: 'question' },
	acceptedAt: 0,
	answerBy: 100 * HOUR,
	ringName: 'name',
};

/** So many questions that were accepted, and are never answered. */
const createLedger = (questions: number, more: Partial<Open> = {}): Ledger => ({
	version: 5,
	id: 'ledger',
	executionId: '1',
	parameters: '',
	entries: Array.from({ length: questions }, () => ({ ...open, ...more })),
	notices: { hints: [], sent: {} },
});

const ledgerWith = (...entries: Entry[]): Ledger => ({ ...createLedger(0), entries });

/** When everything open is checked next. */
function checkAfter(ledger: Ledger, channel: Channel, beganAt: number) {
	const { wake } = nextStep(ledger, { channel, canPark: true, beganAt }) ?? {};
	if (wake === undefined) throw new Error('It does not park');
	ledger.wake = { id: 'run', ...wake };
	return wake.checkAt ?? NaN;
}

/** The minutes before each check. */
function listMinutes(channel: Channel, ledger: Ledger, checks: number) {
	const times = [0];
	while (times.length <= checks) {
		const now = times.at(-1) ?? 0;
		vi.setSystemTime(now + 21 * SECOND);
		// The first run has sent them.
		times.push(checkAfter(ledger, channel, times.length === 1 ? 0 : now + 1));
	}
	return times.slice(1).map((at, index) => (at - (times[index] ?? 0)) / MINUTE);
}

test.each<[Channel, number, number[], Partial<Open>?]>([
	['callback', 1, [5, 5, 8, 13, 21, 30, 30]],
	// Their callbacks ring at the execution that this one is a retry of.
	['callback', 1, [1.2, 1.2, 1.2, 1.2, 1.2, 2, 3, 5], { ringName: undefined, acceptedAt: -MINUTE }],
	['polling', 1, [1.2, 1.2, 1.2, 1.2, 1.2, 2, 3, 5, 8, 13, 21, 30, 30]],
	['person', 1, [1.2, 1.2, 1.2, 1.2, 1.2, 2, 3, 5, 8, 13, 21, 30, 30]],
	['polling', 240, [4, 4, 4, 4, 4, 4, 4, 5, 8]],
])(
	'by %s, everything open (%i items) is checked after so many minutes',
	(channel, items, wanted, more) => {
		vi.spyOn(Math, 'random').mockReturnValue(0.5);
		const minutes = listMinutes(channel, createLedger(items, more), wanted.length);
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
		const minutes = checkAfter(createLedger(1, { acceptedAt: -1 }), channel, 0) / MINUTE;
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
		const ledger = createLedger(1, { answerBy: seconds * SECOND });
		const step = nextStep(ledger, { channel: 'callback', canPark: true, beganAt: 0 });
		expect([step?.until, step?.wake?.wakeAt]).toEqual([seconds * SECOND, wakeAt]);
	},
);

test('the next question of a session is tried as soon as the time of the one before it is over', () => {
	const session = 'session';
	const ledger = ledgerWith({ ...open, session, answerBy: 3 * MINUTE }, beginEntry({ session }));
	const step = nextStep(ledger, { channel: 'callback', canPark: true, beganAt: 0 });
	expect(step?.wake?.wakeAt).toBe(3 * MINUTE);
});

test('a look at a question that has rung is planned, though another one of its session is open before it', () => {
	const session = 'session';
	const rung = { ...open, session, lookAt: 2 * MINUTE };
	const step = nextStep(ledgerWith({ ...open, session }, rung), {
		channel: 'callback',
		canPark: true,
		beganAt: 0,
	});
	expect(step?.wake?.wakeAt).toBe(2 * MINUTE);
});

test('once a question was accepted later, everything open is checked as if all were new', () => {
	vi.spyOn(Math, 'random').mockReturnValue(0.5);
	const ledger = ledgerWith(open, { ...open, acceptedAt: HOUR });
	ledger.wake = { id: 'run', round: 4, checkAt: HOUR, wakeAt: HOUR };
	vi.setSystemTime(HOUR);
	expect(checkAfter(ledger, 'callback', HOUR)).toBe(HOUR + 5 * MINUTE);
});

test('no check is planned for what has failed, while another item waits for its turn', () => {
	const later = { ...beginEntry(), retryAt: 2 * MINUTE };
	const ledger = ledgerWith(markFailed(open, { error: 'Gone' }), later);
	const step = nextStep(ledger, { channel: 'callback', canPark: true, beganAt: 0 });
	expect(step?.wake).toEqual({ round: 0, wakeAt: 2 * MINUTE });
});

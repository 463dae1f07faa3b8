import {
	beginEntry,
	type Entry,
	markFailed,
	type Open,
} from '../../../nodes/LegalAi/execution/entry.ts';
import type { Ledger } from '../../../nodes/LegalAi/execution/ledger.ts';
import {
	type Channel,
	findHoldUp,
	isCheckDue,
	nextLook,
	nextStep,
	nextTry,
	type RunState,
} from '../../../nodes/LegalAi/execution/schedule.ts';
import { ApiError, type ErrorKind } from '../../../nodes/LegalAi/api/errors.ts';

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

describe('a wait ends early', () => {
	test('10 s before n8n ends the execution', () => {
		const ledger = { ...createLedger(1), timeoutAt: 3 * MINUTE };
		const step = nextStep(ledger, { channel: 'callback', canPark: true, beganAt: 0 });
		expect(step?.wake?.wakeAt).toBe(3 * MINUTE - 10 * SECOND);
	});

	test('for an item that the limits have held up, when its time for being sent is over', () => {
		const ledger = ledgerWith(beginEntry({ sendBy: 2 * MINUTE }));
		const step = () => nextStep(ledger, { channel: 'callback', canPark: true, beganAt: 0 });
		vi.setSystemTime(3 * MINUTE);
		// However late, each is tried once.
		expect(step()).toMatchObject({ until: 3 * MINUTE });
		ledger.entries = [{ ...beginEntry({ sendBy: 2 * MINUTE }), retryAt: 4 * MINUTE }];
		expect(step()).toBeUndefined();
	});
});

test('if the callback of one of several questions can not ring here, all are checked as if polled', () => {
	vi.spyOn(Math, 'random').mockReturnValue(0.5);
	const ledger = ledgerWith(open, { ...open, ringName: undefined });
	expect(checkAfter(ledger, 'callback', 0)).toBe(70 * SECOND);
});

describe('an item that was turned away is tried again', () => {
	const turnedAway = (kind: ErrorKind, details = {}, entry = beginEntry()) =>
		nextTry(entry, new ApiError(kind, details));

	test('after the limits let the most through again, or when the service says', () => {
		expect(turnedAway('deferred')).toEqual({
			...{ heldUpBy: 'deferred', retryAt: 50 * SECOND, sendBy: undefined },
		});
		expect(turnedAway('deferred', { retryAfterMs: MINUTE })?.retryAt).toBe(MINUTE);
	});

	test('for five minutes at most once the service has turned it away', () => {
		const details = { status: 429 };
		expect(turnedAway('deferred', details)?.sendBy).toBe(5 * MINUTE);
		const entry = beginEntry({ sendBy: 40 * SECOND });
		expect(turnedAway('deferred', details, entry)).toMatchObject({
			...{ retryAt: 40 * SECOND, sendBy: 40 * SECOND },
		});
		vi.setSystemTime(40 * SECOND);
		expect(turnedAway('deferred', details, entry)).toBeUndefined();
	});

	test('later each time if its session is busy', () => {
		vi.spyOn(Math, 'random').mockReturnValue(0.5);
		const tries = [0, 1, 9].map((busyTries) =>
			turnedAway('sessionBusy', {}, { ...beginEntry(), busyTries }),
		);
		expect(tries.map((each) => each?.retryAt)).toEqual([2.5 * SECOND, 5 * SECOND, MINUTE]);
		expect(tries[0]?.heldUpBy).toBe('sessionBusy');
	});

	test('never for another reason', () => {
		expect(turnedAway('rejected')).toBeUndefined();
	});
});

test.each<[string, Entry[], string]>([
	['an open question of its session', [{ ...open, session: 's' }], 'sessionBusy'],
	['no open question of another session', [{ ...open, session: 'other' }], 'deferred'],
	['no question that has failed', [markFailed({ ...open, session: 's' }, {})], 'deferred'],
	[
		'what holds up the one before it',
		[beginEntry({ session: 's', heldUpBy: 'sessionBusy' })],
		'sessionBusy',
	],
	['the limits, if none before it was tried', [beginEntry({ session: 's' })], 'deferred'],
])('an item that was not tried was held up by %s', (_, before, holdUp) => {
	const entry = beginEntry({ session: 's' });
	expect(findHoldUp(entry, [...before, entry])).toBe(holdUp);
});

test('an item that was tried was held up by what turned it away', () => {
	const entry = beginEntry({ session: 's', heldUpBy: 'deferred' });
	expect(findHoldUp(entry, [{ ...open, session: 's' }, entry])).toBe('deferred');
});

describe('the next look at a question is', () => {
	const polling: RunState = { channel: 'polling', canPark: false, beganAt: 0 };
	const lookAfter = (ms: number, runState: Partial<RunState> = {}, ledger = createLedger(1)) => {
		vi.setSystemTime(ms);
		const [entry] = ledger.entries as Open[];
		return nextLook(entry ?? open, ledger, { ...polling, ...runState }).lookAt;
	};

	test.each([
		[0, 2_000, 2_750],
		[10 * SECOND, 8_000, 11_000],
		[MINUTE, 16_000, 22_000],
	])('%i ms after it was asked: in %i to %i ms and a little more', (ms, from, to) => {
		vi.spyOn(Math, 'random').mockReturnValueOnce(0).mockReturnValueOnce(0.75);
		expect([lookAfter(ms), lookAfter(ms)]).toEqual([ms + from, ms + to]);
	});

	test('as late as the limits for all of them together need', () => {
		expect(lookAfter(0, {}, createLedger(100))).toBe(20 * SECOND);
	});

	test('at the end of its time at the latest', () => {
		expect(lookAfter(0, {}, createLedger(1, { answerBy: SECOND }))).toBe(SECOND);
	});

	test('left to the checks if callbacks come, an earlier run has sent it, or the run parks before', () => {
		expect(lookAfter(0, { channel: 'callback' })).toBeUndefined();
		expect(lookAfter(SECOND, { canPark: true, beganAt: 1 })).toBeUndefined();
		expect(lookAfter(0, { canPark: true })).toBeGreaterThan(0);
		expect(lookAfter(19 * SECOND, { canPark: true })).toBeUndefined();
	});

	test('the next one of those after its ring', () => {
		const rung: Open = { ...open, laterLooks: [SECOND, MINUTE] };
		expect(nextLook(rung, createLedger(1), polling)).toEqual({
			...{ lookAt: SECOND, laterLooks: [MINUTE] },
		});
	});
});

test.each([
	['a first run', undefined, true],
	['a run at the planned check', { checkAt: HOUR, wakeAt: HOUR }, true],
	[
		'a run that n8n has woken a little early',
		{ checkAt: HOUR + SECOND, wakeAt: HOUR + SECOND },
		true,
	],
	['a run at a wake before the check', { checkAt: 2 * HOUR, wakeAt: HOUR }, false],
	['a run at a wake without a check', { wakeAt: HOUR }, false],
	['a run long before its wake', { checkAt: 2 * HOUR, wakeAt: 2 * HOUR }, true],
])('%s checks everything open: %s', (_, wake, isDue) => {
	expect(isCheckDue(wake && { id: 'run', round: 0, ...wake }, HOUR)).toBe(isDue);
});

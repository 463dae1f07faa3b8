import fc from 'fast-check';

import type { Accepted, Entry, InTurn, Plan } from '../../../nodes/LegalAi/execution/ledger.ts';
import { next, type Situation, type Step } from '../../../nodes/LegalAi/waiting/next.ts';

const NOW = 1_760_000_000_000;
const SECOND = 1_000;
const MINUTE = 60_000;
const RUN = 'this run';

/** A question that was accepted a minute ago, by an earlier run, with weeks to wait. */
function open({ session = 's', ...more }: Partial<Accepted> = {}): Accepted {
	const record = { id: `question in ${session}`, status: 'in_progress' };
	const accepted = {
		session,
		acceptedAt: NOW - MINUTE,
		acceptedIn: 'an earlier run',
		answerBy: NOW + 10_000 * MINUTE,
		isOwn: true,
	};
	return { state: 'accepted', record, ...accepted, ...more };
}

const openFor = (minutes: number, session = 's'): Accepted =>
	open({ session, answerBy: NOW + minutes * MINUTE });
/** The same, accepted in this run. */
const fresh = (session = 's'): Accepted => open({ session, acceptedAt: NOW, acceptedIn: RUN });
const answered: Accepted = { ...open(), answerBy: undefined };
const failed: Entry = { state: 'failed', error: { error: 'No.' }, before: { state: 'new' } };
const inTurn = (more: Partial<InTurn> = {}): InTurn => ({
	state: 'inTurn',
	askUntil: NOW + 60 * MINUTE,
	turnAt: 0,
	...more,
});
const many = (count: number, entry: (session: string) => Entry) =>
	Array.from({ length: count }, (_, index) => entry(`s${index}`));

/** A run of a second, in the middle of the spread, without a timeout of the workflow. */
const first: Situation = {
	...{ runId: RUN, answersBy: 'callback', canPark: true, isSubExecution: false },
	...{ runBeganAt: NOW - SECOND, now: NOW, timeoutAt: undefined, jitter: 0.5 },
};

/** A wait whose planned check is due now. */
const before: Plan = {
	id: 'before',
	round: 0,
	wakeAt: NOW,
	checkAt: NOW,
	isPastLastWake: false,
	isCalledBack: false,
};

/** What comes next, behind an item that has failed, once everything that is open was checked in this run. */
function afterChecks(entries: Entry[], situation: Partial<Situation> = {}, plan?: Partial<Plan>) {
	const seen = entries.map((entry) =>
		entry.state === 'accepted' ? { ...entry, checkedIn: RUN } : entry,
	);
	return next(
		{ entries: [failed, ...seen], plan: plan && { ...before, ...plan } },
		{ ...first, ...situation },
	);
}

function planOf(step: Step) {
	return step.act === 'park' ? step.plan : undefined;
}

const minutesTo = (time: number | undefined) => ((time ?? NaN) - NOW) / MINUTE;

describe('the next check of a paused question', () => {
	const longRun = { runBeganAt: NOW - 20 * SECOND };
	test.each<[string, number, Entry[], Partial<Situation>?, Partial<Plan>?]>([
		['after the first run', 5, [open()]],
		['after the first check', 5, [open()], {}, {}],
		['after the second check', 8, [open()], {}, { round: 1 }],
		['after many checks', 30, [open()], {}, { round: 99 }],
		['spread a tenth down', 27, [open()], { jitter: 0 }, { round: 99 }],
		['spread a tenth up', 33, [open()], { jitter: 1 }, { round: 99 }],
		['after a run in which callbacks may have come in vain', 7 / 6, [fresh()], longRun],
		['after such a run that has asked many questions', 7 / 6, many(90, fresh), longRun],
		['after such a run that has asked nothing', 8, [open()], longRun, { round: 1 }],
		[
			'as soon as n8n allows, spread five seconds down',
			65 / 60,
			[open()],
			{ answersBy: 'polling', jitter: 0 },
		],
		[
			'as soon as n8n allows, spread five seconds up',
			75 / 60,
			[open()],
			{ answersBy: 'polling', jitter: 1 },
		],
		['with a second for each of many questions', 10, many(600, (session) => open({ session }))],
		[
			'from the beginning again, after something was asked in this run',
			5,
			[fresh(), open({ session: 't' })],
			{},
			{ round: 9 },
		],
		[
			'as planned, if the execution was resumed before',
			4,
			[open()],
			{},
			{ round: 6, checkAt: NOW + 4 * MINUTE },
		],
		[
			'as soon as before, if nothing was checked meanwhile',
			8,
			[open()],
			{},
			{ round: 2, checkAt: undefined },
		],
		[
			'as after a check, if n8n woke the node seconds too early',
			8,
			[open()],
			{},
			{ round: 1, checkAt: NOW + 4 * SECOND },
		],
		['when Max Wait is over before', 1, [openFor(1)]],
		['when the last of several is given up', 1.5, [openFor(1), openFor(1.5, 't')]],
		[
			'when the question that others of its session wait for is given up',
			1,
			[openFor(1), inTurn({ session: 's' })],
		],
		[
			'10 seconds before n8n cancels the execution for its timeout',
			5 / 6,
			[open()],
			{ timeoutAt: NOW + MINUTE },
		],
		[
			'with a timeout that is known from the first run',
			5 / 6,
			[open()],
			{},
			{ lastWakeAt: NOW + 50 * SECOND },
		],
	])('comes %s', (_when, minutes, entries, situation, plan) => {
		expect(minutesTo(planOf(afterChecks(entries, situation, plan))?.checkAt)).toBeCloseTo(
			minutes,
			6,
		);
	});

	test.each([10 * SECOND, -MINUTE])(
		'is not planned if n8n would cancel the execution in %d ms',
		(left) => {
			const plan = planOf(afterChecks([openFor(30)], { timeoutAt: NOW + left }));
			expect(plan).toMatchObject({ isPastLastWake: true, wakeAt: NOW + 30 * MINUTE });
		},
	);

	test('is not made rarer by a callback before it', () => {
		const early = planOf(afterChecks([open()], {}, { round: 1, checkAt: NOW + 4 * MINUTE }));
		expect(
			minutesTo(
				planOf(afterChecks([open()], {}, { ...early, checkAt: NOW, wakeAt: NOW }))?.checkAt,
			),
		).toBeCloseTo(8, 6);
	});
});

describe('before the node parks', () => {
	const unseen = (
		situation: Partial<Situation>,
		plan: Partial<Plan> | undefined,
		...entries: Entry[]
	) => next({ entries, plan: plan && { ...before, ...plan } }, { ...first, ...situation });

	test.each<[string, Partial<Plan> | undefined]>([
		['the check is due', {}],
		[
			'n8n runs the node earlier than planned, for a reason that it does not know',
			{ wakeAt: NOW + MINUTE, checkAt: NOW + MINUTE },
		],
		['an earlier execution has sent it', undefined],
	])('everything open is checked if %s', (_what, plan) => {
		expect(unseen({}, plan, open(), answered, open({ session: 't' }))).toEqual({
			act: 'check',
			items: [0, 2],
			at: NOW,
		});
	});

	test.each<[string, Partial<Plan>]>([
		['after a callback', { isCalledBack: true }],
		['if n8n woke the node for more to send', { checkAt: NOW + MINUTE }],
	])('nothing is checked %s', (_when, plan) => {
		expect(unseen({}, plan, open()).act).toBe('park');
	});
});

test.each<[string, number[], Entry[]]>([
	['everything that has its turn', [1, 2], [inTurn(), inTurn()]],
	[
		'the first of each session',
		[1, 3],
		[inTurn({ session: 's' }), inTurn({ session: 's' }), inTurn({ session: 't' })],
	],
	['nothing of a session that waits for an answer', [], [open(), inTurn({ session: 's' })]],
	['the next of a session whose question is given up', [2], [openFor(0), inTurn({ session: 's' })]],
	[
		'what has its turn, and not what has to wait for it',
		[2],
		[inTurn({ turnAt: NOW + MINUTE }), inTurn()],
	],
	[
		'what would be given up before its turn',
		[1],
		[inTurn({ turnAt: NOW + MINUTE, askUntil: NOW })],
	],
])('what is sent next is %s', (_what, items, entries) => {
	const step = afterChecks(entries);
	expect(step.act === 'send' ? step.items : []).toEqual(items);
});

describe('while the limits hold up more to send,', () => {
	const limited = inTurn({ turnAt: NOW + 50 * SECOND });

	test('the node wakes for the next turn, and checks nothing: nothing can be output before', () => {
		const plan = planOf(afterChecks([open(), limited]));
		expect([plan?.wakeAt, plan?.checkAt]).toEqual([NOW + 50 * SECOND, undefined]);
	});

	test('a question that others of its session wait for is checked', () => {
		const step = afterChecks([open(), limited, inTurn({ session: 's' })]);
		expect(minutesTo(planOf(step)?.checkAt)).toBeCloseTo(5, 6);
	});

	test('an answer resumes nothing', () => {
		expect(afterChecks([answered, limited], {}, { isCalledBack: true }).act).toBe('park');
	});
});

test.each<[string, Entry[]]>([
	['every question is answered', [answered]],
	['Max Wait is over', [openFor(0)]],
	['there are no items', []],
])('everything is output if %s', (_when, entries) => {
	expect(afterChecks(entries)).toEqual({ act: 'output', isCutShort: false });
});

test('questions are looked at once more before they are output as timed out, unless that was within their own request', () => {
	const stepBy = (answersBy: Situation['answersBy']): Step =>
		next(
			{ entries: [openFor(0)], plan: { ...before, isCalledBack: true } },
			{ ...first, answersBy },
		);
	expect(stepBy('callback')).toEqual({ act: 'check', items: [0], at: NOW });
	expect(stepBy('sync').act).toBe('output');
});

test.each<[string, Partial<Situation>, Step['act'], Entry?]>([
	['the node waits for callbacks', {}, 'park'],
	['everything is output if only checks bring answers', { answersBy: 'polling' }, 'output'],
	[
		'everything is output in a sub-execution, whose caller would be canceled',
		{ isSubExecution: true },
		'output',
	],
	[
		'everything is output if no callback can come, since the rest was not sent',
		{},
		'output',
		inTurn({ turnAt: NOW + MINUTE }),
	],
])(
	'with no wake left before the execution timeout, %s',
	(_what, situation, act, entry = open()) => {
		expect(afterChecks([entry], situation, { lastWakeAt: NOW }).act).toBe(act);
	},
);

describe('in the process', () => {
	const inProcess = { canPark: false, answersBy: 'polling' } as const;

	test.each<[string, number, Partial<Situation>, ...Accepted[]]>([
		['begins after two and a half seconds', 2.5, inProcess, fresh()],
		['gets rarer', 10, inProcess, open({ acceptedAt: NOW - 10 * SECOND, acceptedIn: RUN })],
		['comes at least every 20 seconds', 20, inProcess, open()],
		['is spread a fifth up', 3, { ...inProcess, jitter: 1 }, fresh()],
		['comes soon for the latest of several', 2.5, inProcess, open(), fresh('t')],
		['comes when Max Wait is over', 1, inProcess, open({ answerBy: NOW + SECOND })],
		[
			'waits for the last of several to be given up',
			20,
			inProcess,
			open({ answerBy: NOW + SECOND }),
			open({ session: 't' }),
		],
		[
			'is made for a quick answer before the node parks, if only checks bring it',
			2.5,
			{ answersBy: 'polling' },
			fresh(),
		],
	])('a check %s', (_what, seconds, situation, ...entries) => {
		const items = entries.map((_entry, index) => index + 1);
		expect(afterChecks(entries, situation)).toEqual({
			act: 'check',
			items,
			at: NOW + seconds * SECOND,
		});
	});

	test('no check comes after 20 seconds if the node can park', () => {
		expect(
			afterChecks([fresh()], { answersBy: 'polling', runBeganAt: NOW - 18 * SECOND }).act,
		).toBe('park');
	});
});

test('a node that parks waits for what can still come, wakes at a time to come, and never after the end of the wait or too late for n8n', () => {
	const time = (min: number, max: number) => fc.integer({ min: NOW + min, max: NOW + max });
	const DAY = 24 * 60 * MINUTE;
	const session = fc.option(fc.constantFrom('s0', 's1', 'other'), { nil: undefined });
	const situations = fc.record({
		deadlines: fc.array(fc.oneof(time(-MINUTE, 2 * MINUTE), time(-DAY, 366 * DAY)), {
			maxLength: 5,
		}),
		turns: fc.array(
			fc.record({ turnAt: time(-DAY, DAY), askUntil: time(-DAY, 2 * DAY), session }),
			{ maxLength: 5 },
		),
		answersBy: fc.constantFrom('callback', 'polling', 'person'),
		isSubExecution: fc.boolean(),
		round: fc.nat(1_000),
		planned: fc.option(time(-DAY, DAY), { nil: undefined }),
		timeoutAt: fc.option(time(-MINUTE, DAY), { nil: undefined }),
		jitter: fc.double({ min: 0, max: 1, noNaN: true }),
	});
	fc.assert(
		fc.property(situations, ({ deadlines, turns, round, planned, timeoutAt, ...situation }) => {
			const entries = [
				...deadlines.map((answerBy, index) => open({ session: `s${index}`, answerBy })),
				...turns.map(inTurn),
			];
			const end = Math.max(...deadlines, ...turns.map(({ askUntil }) => askUntil));
			const lastWakeAt = (timeoutAt ?? Infinity) - 10 * SECOND;
			const last = timeoutAt === undefined ? {} : { lastWakeAt };
			const plan =
				planned === undefined ? undefined : { round, wakeAt: planned, checkAt: planned, ...last };
			const step = afterChecks(entries, { ...situation, timeoutAt }, plan);
			if (step.act === 'output') return end <= NOW || step.isCutShort;
			if (step.act !== 'park') return true;
			const { wakeAt, isPastLastWake } = step.plan;
			return wakeAt > NOW && wakeAt <= end && (isPastLastWake || wakeAt <= lastWakeAt);
		}),
		{ numRuns: 1_000 },
	);
});

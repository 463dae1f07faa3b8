import { releaseClock } from '../test/support/clock.mts';
import type { Sandbox } from '../test/sandbox/sandbox.mts';
import {
	askingAndWaiting,
	atLimits,
	CALLBACK_SPEED,
	type Job,
	legalAi,
	SESSIONS,
} from './support/atLimits.mts';
import { OURS } from './support/figures.mts';
import { openResults } from './support/results.mts';
import { alternate, isQuick } from './support/rounds.mts';

const MINUTE = 60_000;
/** The sandbox takes 2 to 5 minutes for an answer, as the specification says. */
const LONGEST_ANSWER_MS = 5 * MINUTE;
const QUESTIONS = isQuick ? 90 : 300;
/** How much faster the clock runs: the less, the less the time that the processor takes counts. */
const SPEED = isQuick ? 30 : 10;

const results = openResults(
	'limits',
	'At the limits of the service: 60 sessions, 400 requests a minute',
);
afterEach(releaseClock);

/** How long the limit of sessions makes so many questions take, the first minute's worth being there at once. */
function dictated(count: number) {
	return Math.max(0, ((count - SESSIONS) / SESSIONS) * MINUTE);
}

/** A batch is sent in portions: between two, n8n looks for executions to wake once a minute. */
const MOST_TIMES = 1.2;

/** From the first request to the last question that was accepted. */
function askingTime({ requests, questions }: Sandbox) {
	return (questions.at(-1)?.askedAt ?? 0) - (requests[0]?.at ?? 0);
}

/** The time that it takes, over what the limits dictate, and how often the node was told to wait. */
async function measure(
	what: string,
	dictatedMs: number,
	job: Job,
	meaning: string,
	{ speed = SPEED, atMost = MOST_TIMES } = {},
) {
	const told: number[] = [];
	const run = async () => {
		const { ms, told: count } = await atLimits(job, speed);
		told.push(count);
		return ms / dictatedMs;
	};
	results.figure({
		what: `${what}: time, compared with the shortest that the limits allow`,
		unit: '×',
		contenders: await alternate({ [OURS]: run }, { warmUps: 0 }),
		targets: [{ atMost }],
		meaning,
		note: `${what}: measured in n8n’s engine, with a clock that runs ${speed} times faster, both for the node and for the sandbox. Only waiting is measured, not the speed of the machine.`,
	});
	results.figure({
		what: `${what}: how often the service said to wait (429)`,
		unit: 'times',
		contenders: { [OURS]: told },
		targets: [{ atMost: 0 }],
		meaning: 'The node slows down by itself, and never runs into the limit.',
	});
}

test('asking', async () => {
	await measure(
		`${QUESTIONS} questions, ask`,
		dictated(QUESTIONS),
		async (sandbox, n8n) => {
			await legalAi(sandbox, n8n, QUESTIONS, 'ask');
			return askingTime(sandbox);
		},
		'Hundreds of questions are asked as fast as the service takes them.',
	);
});

test('three batches at once', async () => {
	await measure(
		`Three batches of ${QUESTIONS} questions at once, ask`,
		dictated(3 * QUESTIONS),
		async (sandbox, n8n) => {
			await Promise.all([1, 2, 3].map(async () => await legalAi(sandbox, n8n, QUESTIONS, 'ask')));
			return askingTime(sandbox);
		},
		'Several batches share the limits. None of them waits until the others have ended.',
		{ atMost: 1.3 },
	);
});

test('asking and waiting', async () => {
	await measure(
		`${QUESTIONS} questions, ask and wait`,
		dictated(QUESTIONS) + LONGEST_ANSWER_MS,
		askingAndWaiting(QUESTIONS),
		'The answers come out as soon as the service has them.',
		{ speed: CALLBACK_SPEED },
	);
});

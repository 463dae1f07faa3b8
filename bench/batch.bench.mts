import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';

import { install, uninstall } from '../test/engine/acceleratedClock.mts';
import { runNode } from '../test/engine/engine.mts';
import { startSandbox } from '../test/sandbox/sandbox.mts';

const MINUTE = 60_000;
const LOOK = 'GET /assistants/:assistant_id/questions/:question_id';

const sandbox = await startSandbox();
beforeEach(async () => {
	await sandbox.reset();
	install(30);
});
afterEach(uninstall);
afterAll(() => sandbox.close());

const askAndWait = async (count: number) =>
	await runNode({
		sandbox,
		items: Array.from({ length: count }, (_, index) => ({ json: { words: `Question ${index}` } })),
		parameters: { resource: 'question', operation: 'askAndWait', waitUsing: 'polling', question: '={{ $json.words }}' },
	});

test('300 questions at 60 new sessions and 400 requests a minute', async () => {
	const answerTime = 2 * MINUTE;
	sandbox.settings.answerTime = [answerTime, answerTime];
	const began = Date.now();
	const run = await askAndWait(300);
	const took = Date.now() - began;

	expect(run.json.every(({ status }) => status === 'completed')).toBe(true);
	const dictated = ((300 - 60) / 60) * MINUTE + answerTime;
	const told = sandbox.requests.filter(({ status }) => status === 429).length;
	console.log(
		`300 questions: ${(took / dictated).toFixed(3)} of the time that the limits dictate, ${sandbox.requests.length} requests, ${told} told to wait`,
	);
});

test('a sweep of 10,000 tasks with 50 questions polled beside it', async () => {
	sandbox.tasks.clear();
	sandbox.tasks.seed(10_000);
	sandbox.settings.answerTime = [2 * MINUTE, 4 * MINUTE];
	const began = Date.now();
	const [swept, asked] = await Promise.all([
		runNode({ sandbox, parameters: { resource: 'task', operation: 'getAll', returnAll: true } }),
		askAndWait(50),
	]);
	expect(swept.json).toHaveLength(10_000);
	expect(asked.json.every(({ status }) => status === 'completed')).toBe(true);

	const minutes = new Map<number, number>();
	for (const { at, status } of sandbox.requests) {
		const minute = Math.floor((at - began) / MINUTE);
		if (status !== 429) minutes.set(minute, (minutes.get(minute) ?? 0) + 1);
	}
	const polls = sandbox.requests.filter(({ route }) => route === LOOK).length;
	const told = sandbox.requests.filter(({ status }) => status === 429).length;
	console.log(
		`sweep of 10,000 tasks and ${polls} polls: ${sandbox.requests.length} requests, at most ${Math.max(...minutes.values())} a minute, ${told} told to wait`,
	);
});

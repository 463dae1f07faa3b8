import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';

import { startSandbox } from '../../sandbox/sandbox.mts';
import { install, uninstall } from '../acceleratedClock.mts';
import { runNode } from '../engine.mts';

const MINUTE = 60_000;

const sandbox = await startSandbox();
beforeEach(() => {
	install(30);
});
afterEach(uninstall);
afterAll(() => sandbox.close());

test('300 questions against the real limits are each answered once, and none is asked twice', async () => {
	const answerTime = 2 * MINUTE;
	sandbox.settings.answerTime = [answerTime, answerTime];
	const items = Array.from({ length: 300 }, (_, index) => ({ json: { words: `Question ${index}` } }));
	const run = await runNode({
		sandbox,
		items,
		parameters: { resource: 'question', operation: 'askAndWait', waitUsing: 'polling', question: '={{ $json.words }}' },
	});

	expect(run.error).toBeUndefined();
	const texts = run.json.map(({ id }) => sandbox.questions.find((question) => question.id === id)?.text);
	expect(texts).toEqual(items.map(({ json }) => json.words));
	expect(run.json.every(({ status }) => status === 'completed')).toBe(true);
	expect(sandbox.questions).toHaveLength(300);
}, 60_000);

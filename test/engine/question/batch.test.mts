import { expect } from 'vitest';

import { questions } from '../../support/wait/waking.mts';
import { wakingTest } from '../../support/wait/waits.mts';

const MINUTE = 60_000;

const test = wakingTest({ newSessionsPerMinute: 60, requestsPerMinute: 400, answerTime: [2 * MINUTE, 2 * MINUTE] }, 60);

test('300 questions against the real limits are each answered once, and none is asked twice', { timeout: 60_000 }, async ({ sandbox, run }) => {
	const items = questions(300);
	const { json } = await run('question.askAndWait', { question: '={{ $json.words }}', options: { waitUsing: 'polling' } }, { items });

	const texts = json.map(({ id }) => sandbox.questions.find((question) => question.id === id)?.text);
	expect(texts).toEqual(items.map((item) => item.json.words));
	expect(json.every(({ status }) => status === 'completed')).toBe(true);
	expect(sandbox.questions).toHaveLength(300);
	expect(sandbox.requests.filter(({ status }) => status === 429)).toEqual([]);
});

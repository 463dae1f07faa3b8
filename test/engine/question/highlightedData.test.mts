import { expect } from 'vitest';

import type { NodeRun } from '../../support/engine/engine.mts';
import { sandboxTest } from '../../support/fixtures.mts';
import { questions } from '../../support/wait/waits.mts';

// n8n's list of executions shows highlighted data, and can be searched by it.

const test = sandboxTest({ answerTime: [Infinity, Infinity] });

const highlightedIn = ({ run }: NodeRun): unknown => run.data.resultData.metadata;

test.for(['ask', 'askAndWait'])(
	'an execution that has asked a question is found by the IDs of the question and its session (%s)',
	async (operation, { sandbox, run }) => {
		const asked = await run(`question.${operation}`, { question: 'May we sign?' });
		const [{ id, sessionId } = {}] = sandbox.questions;
		expect(highlightedIn(asked)).toEqual({ legal_ai_question: id, legal_ai_session: sessionId });
	},
);

test("n8n's highlighted data keeps as many question IDs as fit, and cuts none of them", async ({
	sandbox,
	run,
}) => {
	const highlighted = highlightedIn(
		await run('question.ask', { question: 'May we sign?' }, { items: questions(12) }),
	);
	const kept = (highlighted as { legal_ai_question: string }).legal_ai_question;
	const ids = kept.split(', ');
	expect(sandbox.questions.map(({ id }) => id)).toEqual(expect.arrayContaining(ids));
	expect(kept.length).toBeLessThanOrEqual(255);
	expect(kept.length + `, ${ids[0] ?? ''}`.length).toBeGreaterThan(255);
});

test("n8n's highlighted data does not show a created task as a question", async ({ run }) => {
	const created = await run('task.create', { title: 'Review' });
	expect([created.status, highlightedIn(created)]).toEqual(['success', undefined]);
});

import { expect, test } from 'vitest';

import { runNode, type NodeRun } from '../../support/engine/engine.mts';
import { sandboxOfFile } from '../../support/lifetimes.mts';

// n8n's list of executions shows highlighted data, and can be searched by it.

const sandbox = await sandboxOfFile();

const highlightedIn = ({ execution }: NodeRun): unknown => execution.run.data.resultData.metadata;

const ask = async (operation: 'ask' | 'askAndWait', count = 1): Promise<NodeRun> => {
	const items = Array.from({ length: count }, (_, index) => ({ json: { words: `Question ${index}` } }));
	return await runNode({ sandbox, items, parameters: { resource: 'question', operation, question: '={{ $json.words }}' } });
};

test.each(['ask', 'askAndWait'] as const)('an execution that has asked a question is found by the IDs of the question and its session (%s)', async (operation) => {
	sandbox.settings.answer = () => ({ status: 'completed', answer: 'Yes', after: Infinity });
	const run = await ask(operation);
	const [{ id, sessionId } = { id: '', sessionId: '' }] = sandbox.questions;
	expect(highlightedIn(run)).toEqual({ legal_ai_question: id, legal_ai_session: sessionId });
});

test('of many questions, as many IDs are kept as n8n takes, none of them cut', async () => {
	const highlighted = highlightedIn(await ask('ask', 12)) as Record<string, string>;
	const ids = (highlighted.legal_ai_question ?? '').split(', ');
	expect(sandbox.questions.map(({ id }) => id)).toEqual(expect.arrayContaining(ids));
	const { length } = ids.join(', ');
	expect(length).toBeLessThanOrEqual(255);
	expect(length + `, ${ids[0] ?? ''}`.length).toBeGreaterThan(255);
});

test('a task that was created is not taken for a question', async () => {
	const run = await runNode({ sandbox, parameters: { resource: 'task', operation: 'create', title: 'Review' } });
	expect([run.status, highlightedIn(run)]).toEqual(['success', undefined]);
});

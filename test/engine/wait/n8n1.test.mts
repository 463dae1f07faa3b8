import type { INodeType, IWebhookFunctions } from 'n8n-workflow';
import { beforeEach, expect, test } from 'vitest';

import { hints } from '../../../nodes/LegalAi/messages/hints.ts';
import { Instance, LEGAL_AI, runNode, type NodeRun, type NodeRunOptions } from '../../support/engine/engine.mts';
import { seenAs } from '../../support/engine/seenAs.mts';
import { N8N_1 } from '../../support/engine/version.mts';
import { freshNodes } from '../freshNodes.mts';
import { pass, rest, settle } from '../stoppedClock.mts';
import { onStoppedClock } from './onStoppedClock.mts';
import { answer } from './waking.mts';

const MINUTE = 60_000;

let n8n: Instance;
const sandbox = await onStoppedClock(() => undefined);
beforeEach(async () => {
	n8n = await Instance.start(N8N_1);
	return async () => {
		await n8n.close();
	};
});

/** Asks one question, and polls for the answer. */
async function ask(more: Partial<NodeRunOptions>): Promise<NodeRun> {
	const options = { waitUsing: 'polling', maxWait: 5 };
	const parameters = { resource: 'question', operation: 'askAndWait', question: 'May we sign?', options };
	return await settle(runNode({ sandbox, n8n, parameters, ...more }));
}

const hintsOf = ({ execution }: NodeRun): string => JSON.stringify(execution.task('Legal AI')?.hints);

test('a sub-workflow does not pause: its caller would be given its own items', async () => {
	sandbox.settings.answer = () => ({ status: 'completed', answer: 'Yes.', after: 3 * MINUTE });
	const run = await ask({ mode: 'integrated' });
	expect([run.status, run.json[0]?.answer]).toEqual(['success', 'Yes.']);
	expect(hintsOf(run)).toContain(hints.polledHere.replaceAll('"', '\\"'));
});

test('where nothing calls back, the node looks as often as it takes', async () => {
	const parked = await ask({});
	expect([parked.status, sandbox.questions[0]?.callbackUrl]).toEqual(['waiting', undefined]);
	expect((parked.waitTill?.getTime() ?? Infinity) - Date.now()).toBeLessThan(3 * MINUTE);
	await pass(2 * MINUTE);
	const again = await settle(parked.wake());
	expect(again.status).toBe('waiting');
	await sandbox.complete(sandbox.questions[0]?.id ?? '', { answer: 'Yes.' });
	expect((await settle(again.wake())).json).toMatchObject([{ answer: 'Yes.' }]);
});

test('a time-out of the workflow that is longer than Max Wait leaves the wait as it is', async () => {
	const parked = await ask({ settings: { executionTimeout: 60 * 60 } });
	expect([parked.status, sandbox.questions.length]).toEqual(['waiting', 1]);
	await sandbox.complete(sandbox.questions[0]?.id ?? '', { answer: 'Yes.' });
	await pass(5 * MINUTE);
	const over = await settle(parked.wake());
	expect(over.json).toMatchObject([{ answer: 'Yes.' }]);
	expect(hintsOf(over)).not.toContain('timeout');
});

test('a shorter one has the node look before it, and then wait for the callback alone', async () => {
	const options = { waitUsing: 'callback', maxWait: 30 };
	const parameters = { resource: 'question', operation: 'askAndWait', question: 'May we sign?', options };
	const parked = await settle(runNode({ sandbox, n8n, parameters, settings: { executionTimeout: 10 * 60 } }));
	expect((parked.waitTill?.getTime() ?? 0) - Date.now()).toBe(10 * MINUTE - 10_000);
	await pass(10 * MINUTE - 10_000);
	const again = await settle(parked.wake());
	expect((again.waitTill?.getTime() ?? 0) - Date.now()).toBeGreaterThan(20 * MINUTE - 1);
	await settle(sandbox.complete(sandbox.questions[0]?.id ?? '', { answer: 'Yes.' }));
	await rest();
	const over = await settle(again.resumed());
	expect(over.json).toMatchObject([{ answer: 'Yes.' }]);
	expect(hintsOf(over)).toContain('execution timeout');
});

/** The node, whose credential n8n reads only once so many callbacks have come. */
function readingLate(callbacks: number): Record<string, INodeType> {
	const nodeTypes = freshNodes();
	const legalAi = nodeTypes[LEGAL_AI];
	if (legalAi === undefined) throw new Error('The node is missing');
	let come = 0;
	let goOn = (): void => undefined;
	const allCame = new Promise<void>((resolve) => (goOn = resolve));
	const webhook = (context: IWebhookFunctions) => {
		come += 1;
		if (come === callbacks) goOn();
		return { getCredentials: async (type: string) => await allCame.then(async () => await context.getCredentials(type)) };
	};
	return { ...nodeTypes, [LEGAL_AI]: seenAs(legalAi, { webhook }) };
}

test.each([
	['the same question', [0, 0]],
	['two questions, one of which was heard of before', [0, 1]],
])('of two callbacks at the same moment, for %s, one resumes: what comes next runs once', async (_, [one = 0, other = 0]) => {
	const parameters = { resource: 'question', operation: 'askAndWait', question: '={{ $json.words }}' };
	const items = [{ json: { words: 'May we sign?' } }, { json: { words: 'Who pays?' } }];
	const parked = await settle(runNode({ sandbox, n8n, parameters, items, nodeTypes: readingLate(3) }));
	const answers = await settle(Promise.all([1, one, other].map(async (index) => await answer(sandbox, parked, 'Yes.', index))));
	await rest();
	expect((await settle(parked.resumed())).json).toMatchObject([{ answer: 'Yes.' }, { answer: 'Yes.' }]);
	expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
	expect(n8n.endings.entries.map(({ status }) => status)).toEqual(['waiting', 'success']);
});

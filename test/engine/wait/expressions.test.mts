import { Expression } from 'n8n-workflow';
import { expect, test, vi } from 'vitest';

import { runNode, type NodeRun } from '../../support/engine/engine.mts';
import { sandboxOfFile } from '../../support/lifetimes.mts';
import { answerTo, deliver } from '../trigger/listening.mts';

const sandbox = await sandboxOfFile({ answer: () => ({ status: 'completed', answer: '', after: Infinity }) });

/** Two questions that wait, every field of theirs an expression. */
async function park(): Promise<NodeRun> {
	const parked = await runNode({
		sandbox,
		items: [{ json: { words: 'May we sign?' } }, { json: { words: 'Who pays?' } }],
		parameters: {
			...{ resource: 'question', operation: 'askAndWait', question: '={{ $json.words }}' },
			assistantId: { __rl: true, mode: 'id', value: '={{ "default" }}' },
			additionalFields: { sessionId: '={{ $json.nothing }}' },
			options: { maxWait: '={{ 20 + 10 }}', onErrorStatus: '={{ "fail" }}' },
		},
	});
	expect([parked.error?.message, parked.status]).toEqual([undefined, 'waiting']);
	return parked;
}

/** The expressions that n8n evaluates meanwhile: each can cost it an isolate, tens of milliseconds. */
async function evaluatedWhile(act: () => Promise<unknown>): Promise<unknown[]> {
	const resolve = vi.spyOn(Expression.prototype, 'resolveSimpleParameterValue');
	await act();
	const values: unknown[] = resolve.mock.calls.map(([value]) => value);
	resolve.mockRestore();
	return values.filter((value) => typeof value === 'string' && value.startsWith('='));
}

test('asking evaluates what the user has entered once an item, and nothing of our own', async () => {
	const entered = ['={{ "default" }}', '={{ "fail" }}', '={{ $json.nothing }}', '={{ $json.words }}', '={{ 20 + 10 }}'];
	expect((await evaluatedWhile(park)).toSorted()).toEqual(entered.flatMap((value) => [value, value]).toSorted());
});

test('a wake that finds nothing new evaluates nothing', async () => {
	const parked = await park();
	const evaluated = await evaluatedWhile(async () => {
		expect((await parked.wake()).status).toBe('waiting');
	});
	expect(evaluated).toEqual([]);
});

test('a wake that finds the answers evaluates what says how to output them, once an item', async () => {
	const parked = await park();
	sandbox.callbackFaults.drop = true;
	for (const { id } of sandbox.questions) await sandbox.complete(id);
	const evaluated = await evaluatedWhile(async () => {
		const over = await parked.wake();
		expect(over.status).toBe('success');
		expect(over.hints.join()).toContain('session');
	});
	expect(evaluated.toSorted()).toEqual(['={{ "fail" }}', '={{ "fail" }}', '={{ 20 + 10 }}', '={{ 20 + 10 }}']);
});

test('an answer that is only noted evaluates nothing', async () => {
	const parked = await park();
	const evaluated = await evaluatedWhile(async () => {
		expect((await deliver(sandbox, parked.resumeUrl, answerTo(sandbox.questions[0]?.id ?? '')))[0]).toBe(200);
	});
	expect(evaluated).toEqual([]);
});

import type { IDataObject, IExecuteData, IWebhookFunctions } from 'n8n-workflow';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

import { readEntryMemory } from '../../../nodes/LegalAi/execution/entryMemory.ts';
import { adoptEarlierPark } from '../../../nodes/LegalAi/waiting/earlierVersion.ts';

const NOW = 1_760_000_000_000;
beforeAll(() => {
	vi.setSystemTime(NOW);
});
afterAll(() => {
	vi.useRealTimers();
});

const question = { id: 'q1', status: 'in_progress', assistant_id: 'default' };
/** It was prepared for the case that nothing is heard of it. */
const open = { ...question, timed_out: true };
const answered = { id: 'q2', status: 'completed', assistant_id: 'default', answer: 'Yes' };
const failed = { error: 'The question is empty.' };

/** What n8n has parked, as a callback finds it: the node comes with this input. */
function parkedWith(...main: { json: IDataObject }[][]): IExecuteData {
	const node = { id: 'n', name: 'Legal AI', type: 'legalAi', typeVersion: 1, position: [0, 0] as [number, number], parameters: {}, disabled: true };
	return { node, data: { main }, source: null };
}

const items = (...all: IDataObject[]): { json: IDataObject }[] => all.map((json) => ({ json }));

function adopt(stack: unknown[]): ReturnType<typeof adoptEarlierPark> {
	const context = { runExecutionData: { executionData: { nodeExecutionStack: stack } }, getExecutionId: () => '7' };
	return adoptEarlierPark(context as unknown as IWebhookFunctions);
}

describe('an execution that was parked before the node woke by itself', () => {
	test('is told by its open questions, and goes on with a copy of the node behind the parked one', () => {
		const parked = parkedWith(items(open, failed, answered));
		const after = parkedWith(items({}));
		const stack = [parked, after];
		const memory = adopt(stack);

		expect(memory).toEqual({
			executionId: '7',
			accepted: { 0: { at: NOW, isSent: true, record: question }, 2: { at: NOW, isSent: true, record: answered } },
			parked: { round: 0, giveUpAt: {}, holding: ['q1'], failures: { 1: failed }, hasBadSignatures: false },
		});
		expect(stack).toHaveLength(3);
		const [first, copy, last] = stack;
		expect([first, last]).toEqual([parked, after]);
		expect(copy?.node).toEqual({ ...parked.node, disabled: false });
		expect(readEntryMemory(copy)).toEqual(memory);
	});

	test('keeps its items, although n8n takes the parked ones away as it resumes', () => {
		const parked = parkedWith(items(open));
		const stack = [parked];
		adopt(stack);
		parked.data.main = [];
		expect(stack[1]?.data.main).toEqual([items(open)]);
		expect(open).toHaveProperty('timed_out', true);
	});

	test.each(['id', 'status', 'assistant_id'])('has failed for an item that lacks its "%s"', (field) => {
		const lacking = { ...open, [field]: undefined };
		expect(adopt([parkedWith(items(open, lacking))])).toMatchObject({ accepted: { 0: {} }, parked: { failures: { 1: lacking } } });
	});
});

test.each<[string, unknown[]]>([
	['nothing', []],
	['what is no entry', ['entry']],
	['a node without input', [parkedWith()]],
	['a node whose input has no list', [{ ...parkedWith(), data: {} }]],
	['a node with no items', [parkedWith([])]],
	['questions that are answered', [parkedWith(items(answered))]],
	['an item without fields', [parkedWith([{ json: null as unknown as IDataObject }])]],
	...['id', 'status', 'assistant_id'].map((field): [string, unknown[]] => [`a question without "${field}"`, [parkedWith(items({ ...open, [field]: null }))]]),
])('%s is none of ours', (_, stack) => {
	const before = [...stack];
	expect(adopt(stack)).toBeUndefined();
	expect(stack).toEqual(before);
});

import type { IExecuteData, IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';
import { describe, expect, test, vi } from 'vitest';

import { readEntryMemory, writeEntryMemory, type EntryMemory } from '../../../nodes/LegalAi/execution/entryMemory.ts';
import {
	canWake,
	dropError,
	executionTimeout,
	parkAndWake,
	parkedEntry,
	readParkedMemory,
	runNext,
	writeParkedMemory,
} from '../../../nodes/LegalAi/waiting/executionStack.ts';

const memory: EntryMemory = {
	executionId: '7',
	accepted: {},
	parked: { round: 0, giveUpAt: {}, holding: [], failures: {}, hasBadSignatures: false },
};

function entryOf(name: string, more: Partial<IExecuteData> = {}): IExecuteData {
	const node = { id: name, name, type: 'legalAi', typeVersion: 1, position: [0, 0] as [number, number], parameters: {}, alwaysOutputData: true };
	return { node, data: { main: [[{ json: { of: name } }]] }, source: null, ...more };
}

/** A running node as n8n shows it itself, with what n8n goes on with. */
function running(entry = entryOf('Legal AI'), stack: unknown[] = [entryOf('After')]) {
	const ownContext = {};
	const runExecutionData = {
		executionData: { nodeExecutionStack: stack, contextData: { 'node:Legal AI': ownContext } },
		resultData: { runData: { 'Legal AI': [{}] } },
	};
	const context = {
		runExecutionData,
		additionalData: {},
		getContext: () => ownContext,
		getExecuteData: () => entry,
		getNode: () => entry.node,
		putExecutionToWait: vi.fn(() => Promise.resolve()),
	};
	return { context, entry, stack, runExecutionData, runs: runExecutionData.resultData.runData['Legal AI'] };
}

/** What a running node sees, with something else in place of what n8n shows it. */
const seen = (context: object, changes: object = {}): IExecuteFunctions => ({ ...context, ...changes }) as unknown as IExecuteFunctions;

describe('the node can be woken', () => {
	test('if it sees what n8n goes on with', () => {
		expect(canWake(seen(running().context))).toBe(true);
	});

	const { context, entry, runExecutionData } = running();
	const { executionData } = runExecutionData;
	test.each<[string, object]>([
		['if it sees nothing of the run', { runExecutionData: undefined }],
		['if nothing is left to run', { runExecutionData: {} }],
		['if there is no stack', { runExecutionData: { executionData: {} } }],
		['if the stack is no list', { runExecutionData: { executionData: { ...executionData, nodeExecutionStack: { includes: () => false } } } }],
		['if the stack takes nothing', { runExecutionData: { executionData: { ...executionData, nodeExecutionStack: Object.freeze([]) } } }],
		['if its entry is still on the stack', { runExecutionData: { executionData: { ...executionData, nodeExecutionStack: [entry] } } }],
		['if its entry is a copy', { getExecuteData: () => ({ ...entry }) }],
		['if the run is a copy', { runExecutionData: structuredClone(runExecutionData) }],
		['if there are no contexts of nodes', { runExecutionData: { executionData: { nodeExecutionStack: [] } } }],
	])('not %s', (_, changes) => {
		expect(canWake(seen(context, changes))).toBe(false);
	});
});

describe('a parked node', () => {
	const at = new Date(1_760_000_000_000);

	test('leaves an end without output and a copy of itself on the stack, in this order, and then waits', async () => {
		const { context, entry, stack, runs } = running();
		const { node, data } = { ...entry };
		await parkAndWake(seen(context), memory, at);

		const ending = { ...node, alwaysOutputData: false };
		expect(entry).toEqual({ node: ending, data: { main: [] }, source: null });
		const [end, copy, after] = stack as IExecuteData[];
		expect(end).toEqual({ node: { ...ending, disabled: true }, data: { main: [] }, source: null });
		expect(copy).toMatchObject({ node, data });
		expect(copy?.node).not.toBe(node);
		expect(copy === undefined ? undefined : readEntryMemory(copy)).toEqual(memory);
		expect(after?.node.name).toBe('After');
		expect(context.putExecutionToWait).toHaveBeenCalledExactlyOnceWith(at);
		expect(runs).toHaveLength(1);
	});

	test('has a run for n8n to take away, if its runs are counted in advance', async () => {
		const { context, runs } = running(entryOf('Legal AI', { runIndex: 0 }));
		await parkAndWake(seen(context), memory, at);
		expect(runs).toEqual([{}, { startTime: 0, executionTime: 0, executionIndex: 0, executionStatus: 'waiting', source: [] }]);
	});

	test.each([undefined, {}, { resultData: {} }, { resultData: { runData: {} } }, { resultData: { runData: { 'Legal AI': {} } } }])(
		'parks although n8n has noted its runs in another place than here: %j',
		async (runExecutionData) => {
			const { context } = running(entryOf('Legal AI', { runIndex: 0 }));
			await parkAndWake(seen(context, { runExecutionData }), memory, at);
			expect(context.putExecutionToWait).toHaveBeenCalledOnce();
		},
	);
});

test.each<[object, unknown]>([
	[{ runExecutionData: { resultData: { error: 'crashed', runData: {} } } }, { resultData: { runData: {} } }],
	[{ runExecutionData: {} }, {}],
	[{ runExecutionData: { resultData: 'none' } }, { resultData: 'none' }],
])('an error is dropped, and nothing else: %j', (context, expected) => {
	dropError(seen(context));
	expect(context).toEqual({ runExecutionData: expected });
});

describe('a callback', () => {
	const copy = entryOf('Legal AI');
	writeEntryMemory(copy, memory);
	const received = (...stack: unknown[]): IWebhookFunctions =>
		({ runExecutionData: { executionData: { nodeExecutionStack: stack } }, getNode: () => copy.node }) as unknown as IWebhookFunctions;
	const parked = entryOf('Legal AI');

	test('finds what the node remembers behind the parked entry, and changes it', () => {
		const own = { ...copy };
		const context = received(parked, entryOf('Before'), own);
		expect(readParkedMemory(context)).toEqual(memory);
		writeParkedMemory(context, { ...memory, executionId: '8' });
		expect(readEntryMemory(own)?.executionId).toBe('8');
	});

	const other = entryOf('Other');
	writeEntryMemory(other, memory);
	const unparked = entryOf('Legal AI');
	writeEntryMemory(unparked, { executionId: '7', accepted: {} });
	test.each<[string, unknown[]]>([
		['nothing is left to run', []],
		['it is first', [copy]],
		['another node has parked', [parked, other]],
		['the node has not parked', [parked, unparked]],
		['the node remembers nothing', [parked, entryOf('Legal AI')]],
		['there is a text', [parked, 'copy']],
		['there is nothing', [parked, null]],
		['there is an entry without a node', [parked, { ...copy, node: undefined }]],
		['there is an entry without data', [parked, { ...copy, data: undefined }]],
	])('finds nothing if %s', (_, stack) => {
		const before = structuredClone(stack);
		expect(readParkedMemory(received(...stack))).toBeUndefined();
		writeParkedMemory(received(...stack), { ...memory, executionId: '8' });
		expect(stack).toEqual(before);
	});

	test('finds the parked entry itself, and has another run after it', () => {
		const stack = [parked, entryOf('After')];
		const context = { runExecutionData: { executionData: { nodeExecutionStack: stack } } } as unknown as IWebhookFunctions;
		expect(parkedEntry(context)).toBe(parked);
		runNext(context, copy);
		expect(stack.map(({ node }) => node.name)).toEqual(['Legal AI', 'Legal AI', 'After']);
		expect(stack[1]).toBe(copy);
	});

	test.each([undefined, {}, { executionData: { nodeExecutionStack: ['entry'] } }])('finds no parked entry in %j', (runExecutionData) => {
		const context = { runExecutionData } as unknown as IWebhookFunctions;
		expect(parkedEntry(context)).toBeUndefined();
		expect(() => { runNext(context, copy); }).not.toThrow();
	});
});

test.each([
	[{ executionTimeoutTimestamp: 5 }, 5],
	[{ executionTimeoutTimestamp: '5' }, undefined],
	[{}, undefined],
	[undefined, undefined],
])('n8n ends an execution with %j at %j', (additionalData, expected) => {
	expect(executionTimeout(seen({ additionalData }))).toBe(expected);
});

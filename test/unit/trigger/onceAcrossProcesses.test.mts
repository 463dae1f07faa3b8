import type { WorkflowExecuteMode } from 'n8n-workflow';
import { expect, test } from 'vitest';

import { comesFirst } from '../../../nodes/LegalAi/trigger/onceAcrossProcesses.ts';

type Context = Parameters<typeof comesFirst>[0];

const answer = { id: 'q', status: 'completed' };

/** A store that all executions share, with what was asked of it. */
class Store {
	readonly entries = new Set<unknown>();
	readonly asked: unknown[] = [];
	readonly warnings: string[] = [];
	failures: Error[] = [];
	#isBusy = false;

	/** One execution's view of it. */
	execution(id: string, mode: WorkflowExecuteMode = 'webhook'): Context {
		return {
			getMode: () => mode,
			getExecutionId: () => id,
			getNode: () => ({ id: 'n', name: 'Legal AI Trigger', type: '', typeVersion: 1, position: [0, 0], parameters: {} }),
			logger: { error: () => undefined, info: () => undefined, debug: () => undefined, warn: (line) => this.warnings.push(line) },
			helpers: {
				checkProcessedAndRecord: async (items, scope, options) => {
					expect(this.#isBusy).toBe(false);
					this.#isBusy = true;
					this.asked.push([scope, options]);
					await new Promise(setImmediate);
					this.#isBusy = false;
					const failure = this.failures.shift();
					if (failure !== undefined) throw failure;
					const processed = items.filter((item) => this.entries.has(item));
					for (const item of items) this.entries.add(item);
					return { new: items.filter((item) => !processed.includes(item)), processed };
				},
			},
		};
	}
}

test('a callback comes first once, whatever execution it starts', async () => {
	const store = new Store();
	expect(await comesFirst(store.execution('1'), answer)).toBe(true);
	expect(await comesFirst(store.execution('2'), answer)).toBe(false);
	expect(await comesFirst(store.execution('3'), { ...answer, status: 'error' })).toBe(true);
	expect(await comesFirst(store.execution('4'), { ...answer, id: 'q2' })).toBe(true);
});

test('of many at once, one comes first: they ask the store one after the other', async () => {
	const store = new Store();
	const verdicts = await Promise.all(
		Array.from({ length: 20 }, async (_, index) => await comesFirst(store.execution(String(index)), answer)),
	);
	expect(verdicts.filter(Boolean)).toHaveLength(1);
});

test('an execution that n8n begins again still has its callback to itself', async () => {
	const store = new Store();
	expect(await comesFirst(store.execution('1'), answer)).toBe(true);
	expect(await comesFirst(store.execution('1'), answer)).toBe(true);
	expect(await comesFirst(store.execution('2'), answer)).toBe(false);
});

test('a retry from the list goes on, and what comes after it does not', async () => {
	const store = new Store();
	expect(await comesFirst(store.execution('1', 'retry'), answer)).toBe(true);
	expect(await comesFirst(store.execution('2', 'retry'), answer)).toBe(true);
	expect(await comesFirst(store.execution('3'), answer)).toBe(false);
});

test('a manual run is not noted', async () => {
	const store = new Store();
	expect(await comesFirst(store.execution('1', 'manual'), answer)).toBe(true);
	expect(store.asked).toEqual([]);
});

test('two processes that find no row yet collide: it is asked once more', async () => {
	const store = new Store();
	store.failures = [new Error('duplicate key value violates unique constraint')];
	store.entries.add('["q","completed"]');
	expect(await comesFirst(store.execution('2'), answer)).toBe(false);
	expect(store.asked).toHaveLength(2);
});

test('without the store the workflow starts, and the log says why, without what is secret', async () => {
	const store = new Store();
	const failure = new Error('no row https://files.example/a?X-Amz-Signature=secret');
	store.failures = [failure, failure];
	expect(await comesFirst(store.execution('1'), answer)).toBe(true);
	expect(store.warnings).toEqual([
		'Legal AI Trigger could not find out whether a callback was received before, so it starts the workflow: Error: no row https://files.example/a',
	]);
	expect(await comesFirst(store.execution('2'), answer)).toBe(true);
	expect(await comesFirst(store.execution('3'), answer)).toBe(false);
});

test('what is noted is bounded', async () => {
	const store = new Store();
	await comesFirst(store.execution('1'), answer);
	expect(store.asked).toEqual([['node', { mode: 'entries', maxEntries: 4_000 }]]);
});

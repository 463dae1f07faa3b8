import type { WorkflowExecuteMode } from 'n8n-workflow';
import { expect, onTestFinished, test, vi } from 'vitest';

import { comesFirst } from '../../../nodes/LegalAi/trigger/onceAcrossProcesses.ts';

type Context = Parameters<typeof comesFirst>[0];

const answer = { id: 'q', status: 'completed' };

/** A store that all executions share, with what was asked of it. */
class Store {
	entries = new Set<unknown>();
	readonly asked: unknown[] = [];
	readonly warnings: string[] = [];
	failures: Error[] = [];
	/** So many calls of as many workers read the store before any of them writes to it: each undoes what the ones before have noted. */
	atOnce = 0;
	#workers = 1;
	readonly #reading: (() => void)[] = [];
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
					this.asked.push([scope, options]);
					if (this.atOnce > 0) return await this.#race(items);
					if (this.#workers > 1) return this.#checkAndRecord(items);
					expect(this.#isBusy).toBe(false);
					this.#isBusy = true;
					await new Promise(setImmediate);
					this.#isBusy = false;
					const failure = this.failures.shift();
					if (failure !== undefined) throw failure;
					return this.#checkAndRecord(items);
				},
			},
		};
	}

	#checkAndRecord<Item>(items: Item[], found = new Set(this.entries)): { new: Item[]; processed: Item[] } {
		this.entries = new Set([...found, ...items]);
		return { new: items.filter((item) => !found.has(item)), processed: items.filter((item) => found.has(item)) };
	}

	async #race<Item>(items: Item[]): Promise<{ new: Item[]; processed: Item[] }> {
		const found = new Set(this.entries);
		await new Promise<void>((resolve) => {
			this.#reading.push(resolve);
			if (this.#reading.length === this.atOnce) for (const write of this.#reading) write();
		});
		if (this.atOnce > 0) [this.#workers, this.atOnce] = [this.atOnce, 0];
		return this.#checkAndRecord(items, found);
	}
}

/** The function as so many workers have it, each in a process of its own. */
async function workers(count: number): Promise<(typeof comesFirst)[]> {
	const all: (typeof comesFirst)[] = [];
	while (all.length < count) {
		vi.resetModules();
		all.push((await import('../../../nodes/LegalAi/trigger/onceAcrossProcesses.ts')).comesFirst);
	}
	return all;
}

test('of deliveries that reach several workers at the same moment, one comes first', async () => {
	const store = new Store();
	store.atOnce = 5;
	const all = await workers(5);
	const verdicts = await Promise.all(all.map(async (first, index) => await first(store.execution(String(index)), answer, false)));
	expect(verdicts.filter(Boolean)).toHaveLength(1);
});

test('what one worker has noted is not forgotten because another one noted something at the same moment', async () => {
	const store = new Store();
	store.atOnce = 3;
	const answers = ['q1', 'q2', 'q3'].map((id) => ({ id, status: 'completed' }));
	const all = await workers(3);
	await Promise.all(all.map(async (first, index) => await first(store.execution(String(index)), answers[index] ?? answer, false)));
	for (const again of answers) expect(await comesFirst(store.execution('9'), again, true)).toBe(false);
});

test('deliveries that start executions one after the other are confirmed at moments well apart, within half a second', async () => {
	vi.useFakeTimers({ now: 0 });
	onTestFinished(() => {
		vi.useRealTimers();
	});
	const confirmedAt: number[] = [];
	const ids = ['100', '101', '102', '103', '104'];
	for (const id of ids) {
		vi.setSystemTime(0);
		const confirming = comesFirst(new Store().execution(id), answer, false).then(() => confirmedAt.push(Date.now()));
		await vi.runAllTimersAsync();
		await confirming;
	}
	const [first = NaN, ...others] = confirmedAt.toSorted((a, b) => a - b);
	expect(confirmedAt.every((time) => time < 500)).toBe(true);
	others.reduce((before, time) => {
		expect(time - before).toBeGreaterThan(50);
		return time;
	}, first);
});

test('the store is asked once for what this process received itself', async () => {
	const store = new Store();
	await comesFirst(store.execution('1'), answer, true);
	expect(store.asked).toHaveLength(1);
});

test('a callback comes first once, whatever execution it starts', async () => {
	const store = new Store();
	expect(await comesFirst(store.execution('1'), answer, true)).toBe(true);
	expect(await comesFirst(store.execution('2'), answer, true)).toBe(false);
	expect(await comesFirst(store.execution('3'), { ...answer, status: 'error' }, true)).toBe(true);
	expect(await comesFirst(store.execution('4'), { ...answer, id: 'q2' }, true)).toBe(true);
});

test('of many at once, one comes first: they ask the store one after the other', async () => {
	const store = new Store();
	const verdicts = await Promise.all(
		Array.from({ length: 20 }, async (_, index) => await comesFirst(store.execution(String(index)), answer, true)),
	);
	expect(verdicts.filter(Boolean)).toHaveLength(1);
});

test('an execution that n8n begins again still has its callback to itself', async () => {
	const store = new Store();
	expect(await comesFirst(store.execution('1'), answer, true)).toBe(true);
	expect(await comesFirst(store.execution('1'), answer, true)).toBe(true);
	expect(await comesFirst(store.execution('2'), answer, true)).toBe(false);
});

test('a retry from the list goes on, and what comes after it does not', async () => {
	const store = new Store();
	expect(await comesFirst(store.execution('1', 'retry'), answer, true)).toBe(true);
	expect(await comesFirst(store.execution('2', 'retry'), answer, true)).toBe(true);
	expect(await comesFirst(store.execution('3'), answer, true)).toBe(false);
});

test('a manual run is not noted', async () => {
	const store = new Store();
	expect(await comesFirst(store.execution('1', 'manual'), answer, true)).toBe(true);
	expect(store.asked).toEqual([]);
});

test('two processes that find no row yet collide: it is asked once more', async () => {
	const store = new Store();
	store.failures = [new Error('duplicate key value violates unique constraint')];
	store.entries.add('["q","completed"]');
	expect(await comesFirst(store.execution('2'), answer, true)).toBe(false);
	expect(store.asked).toHaveLength(2);
});

test('without the store the workflow starts, and the log says why, without what is secret', async () => {
	const store = new Store();
	const failure = new Error('no row https://files.example/a?X-Amz-Signature=secret');
	store.failures = [failure, failure];
	expect(await comesFirst(store.execution('1'), answer, true)).toBe(true);
	expect(store.warnings).toEqual([
		'Legal AI Trigger could not find out whether a callback was received before, so it starts the workflow: Error: no row https://files.example/a',
	]);
	expect(await comesFirst(store.execution('2'), answer, true)).toBe(true);
	expect(await comesFirst(store.execution('3'), answer, true)).toBe(false);
});

test('what is noted is bounded', async () => {
	const store = new Store();
	await comesFirst(store.execution('1'), answer, true);
	expect(store.asked).toEqual([['node', { mode: 'entries', maxEntries: 4_000 }]]);
});

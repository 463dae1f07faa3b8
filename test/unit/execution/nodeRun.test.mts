import { Readable } from 'node:stream';

import { NodeOperationError, type IDataObject } from 'n8n-workflow';
import { afterEach, describe, expect, test, vi } from 'vitest';

import { OutcomeUnknownError } from '../../../nodes/LegalAi/api/errors.ts';
import { readEntryMemory } from '../../../nodes/LegalAi/execution/entryMemory.ts';
import { createClient, NodeRun, type ItemRun, type Outcome } from '../../../nodes/LegalAi/execution/nodeRun.ts';
import { InvalidInputError } from '../../../nodes/LegalAi/messages/template.ts';
import { nodeWith } from './runningNode.mts';

const valuesOf = (count: number): Outcome<number>[] => Array.from({ length: count }, (_, value) => ({ value }));
const no = (): never => {
	throw new InvalidInputError({ message: 'It is not right', description: 'Mend it.' });
};

describe('preparing', () => {
	test('takes the items in their order', async () => {
		const run = await NodeRun.start(nodeWith(3).context);
		expect(await run.prepareItems((itemIndex) => itemIndex * 10)).toEqual([{ value: 0 }, { value: 10 }, { value: 20 }]);
	});

	test('ends with the first item that is not right', async () => {
		const run = await NodeRun.start(nodeWith(3).context);
		const prepared: number[] = [];
		const preparing = run.prepareItems((itemIndex) => {
			prepared.push(itemIndex);
			return itemIndex === 1 ? no() : itemIndex;
		});
		await expect(preparing).rejects.toThrow('It is not right [item 1]');
		expect(prepared).toEqual([0, 1]);
	});

	test('goes on after it with Continue on Fail', async () => {
		const run = await NodeRun.start(nodeWith(3, { continueOnFail: true }).context);
		expect(await run.prepareItems((itemIndex) => (itemIndex === 1 ? no() : itemIndex))).toEqual([
			{ value: 0 },
			{ failure: { error: 'It is not right [item 1]', details: { description: 'Mend it.' } } },
			{ value: 2 },
		]);
	});

	test('needs an address that a key may be sent to', async () => {
		await expect(NodeRun.start(nodeWith(1, { baseUrl: 'http://legal-ai.example.com/api/v1' }).context)).rejects.toThrow(NodeOperationError);
	});
});

describe('executing', () => {
	/** Lets what is under way go on only when told, and counts it. */
	function gate(): { pass: () => Promise<void>; open: () => void; atOnce: () => number } {
		let most = 0;
		let now = 0;
		let release = (): void => undefined;
		const opened = new Promise<void>((resolve) => (release = resolve));
		return {
			pass: async () => {
				most = Math.max(most, ++now);
				await opened;
				now -= 1;
			},
			open: () => { release(); },
			atOnce: () => most,
		};
	}

	test.each([
		[3, undefined, 3],
		['5', undefined, 40],
		[2.9, undefined, 2],
		[0, undefined, 40],
		[1, undefined, 1],
		[3, 50, 50],
	])('with Max Concurrent Requests of %j and a limit of %j has %i items under way', async (requestsAtOnce, limit, expected) => {
		const run = await NodeRun.start(nodeWith(60, { requestsAtOnce }).context);
		const { pass, open, atOnce } = gate();
		const executed = run.executeItems(valuesOf(60), pass, { limit });
		await new Promise(setImmediate);
		open();
		await executed;
		expect(atOnce()).toBe(expected);
	});

	test('takes the items of a session one after the other, in their order, and the others beside them', async () => {
		const run = await NodeRun.start(nodeWith(5).context);
		const begun: number[] = [];
		const { pass, open, atOnce } = gate();
		const executed = run.executeItems(
			valuesOf(5),
			async (_item, value) => {
				begun.push(value);
				await pass();
				return value;
			},
			{ concurrencyKey: (value) => (value % 2 === 0 ? 'session' : undefined) },
		);
		await new Promise(setImmediate);
		expect(begun).toEqual([0, 1, 3]);
		open();
		expect(await executed).toEqual(valuesOf(5));
		expect(begun).toEqual([0, 1, 3, 2, 4]);
		expect(atOnce()).toBe(3);
	});

	test('leaves out what has failed before', async () => {
		const failed: Outcome<number> = { failure: { error: 'Before.' } };
		const run = await NodeRun.start(nodeWith(2).context);
		const executed: number[] = [];
		const outcomes = await run.executeItems([failed, { value: 1 }], async (_item, value) => await Promise.resolve(executed.push(value)));
		expect(outcomes[0]).toEqual(failed);
		expect(executed).toEqual([1]);
	});

	test('begins nothing more of a session, nor of any other, once an item has failed', async () => {
		const run = await NodeRun.start(nodeWith(6, { requestsAtOnce: 2 }).context);
		const begun: number[] = [];
		const executed = run.executeItems(
			valuesOf(6),
			async (_item, value) => {
				begun.push(value);
				if (value === 0) no();
				await new Promise(setImmediate);
			},
			{ concurrencyKey: (value) => (value < 3 ? 'session' : undefined) },
		);
		await expect(executed).rejects.toThrow('It is not right [item 0]');
		expect(begun).toEqual([0, 3]);
	});

	test('ends with the item that failed first, for which the others under way are stopped', async () => {
		const run = await NodeRun.start(nodeWith(2).context);
		const wasStopped: unknown[] = [];
		const executed = run.executeItems(valuesOf(2), async (_item, value) => {
			if (value === 0) await new Promise(setImmediate);
			wasStopped.push(run.client.signal?.aborted);
			no();
		});
		await expect(executed).rejects.toThrow('It is not right [item 1]');
		expect(wasStopped).toEqual([false, true]);
	});

	test('gives nothing where there is nothing to do', async () => {
		const run = await NodeRun.start(nodeWith(0).context);
		expect(await run.executeItems([], async () => await Promise.resolve('done'))).toEqual([]);
	});

	test('that ends says what the service has accepted before', async () => {
		const run = await NodeRun.start(nodeWith(2, { requestsAtOnce: 1 }).context);
		const executed = run.executeItems(valuesOf(2), async ({ acceptOnce }, value) =>
			value === 1 ? no() : await acceptOnce(async () => await Promise.resolve({ id: 'q' }), (record) => record),
		);
		await expect(executed).rejects.toMatchObject({ context: { accepted: [{ item: 0, id: 'q' }] } });
	});

	test('has the service accept something once, however often n8n runs the node', async () => {
		const { context } = nodeWith(1);
		const ask = async (request: () => Promise<{ id: string }>): Promise<Outcome<IDataObject>[]> =>
			await (await NodeRun.start(context)).executeItems<number, IDataObject>(valuesOf(1), async ({ acceptOnce }) => await acceptOnce(request, (record) => ({ ...record, isRevived: true })));
		expect(await ask(async () => await Promise.resolve({ id: 'q' }))).toEqual([{ value: { id: 'q' } }]);
		expect(await ask(no)).toEqual([{ value: { id: 'q', isRevived: true } }]);
	});

	test('does not ask again what may have been accepted', async () => {
		const { context } = nodeWith(1);
		let requests = 0;
		const ask = async (maybeAccepted: boolean): Promise<unknown> =>
			await (await NodeRun.start(context)).executeItems(valuesOf(1), async ({ acceptOnce }) =>
				await acceptOnce(
					async () => {
						requests += 1;
						return await Promise.reject(new OutcomeUnknownError({ maybeAccepted }));
					},
					(record) => record,
				),
			).catch((error: unknown) => error);
		await ask(false);
		await ask(true);
		await ask(true);
		expect(requests).toBe(2);
	});

	test('gives each item its own', async () => {
		const run = await NodeRun.start(nodeWith(2).context);
		const items = await run.executeItems(valuesOf(2), async ({ item, itemIndex }: ItemRun) => await Promise.resolve([itemIndex, item.json]));
		expect(items).toEqual([{ value: [0, { index: 0 }] }, { value: [1, { index: 1 }] }]);
	});
});

describe('the output', () => {
	test('has the items in the order of the input, paired, failed ones among them', async () => {
		const run = await NodeRun.start(nodeWith(3).context);
		expect(run.output([{ value: [{ json: { a: 1 } }, { json: { a: 2 } }] }, { failure: { error: 'No.' } }, { value: [] }])).toEqual([
			[
				{ json: { a: 1 }, pairedItem: { item: 0 } },
				{ json: { a: 2 }, pairedItem: { item: 0 } },
				{ json: { error: 'No.' }, pairedItem: { item: 1 } },
			],
		]);
	});

	test('leaves nothing on the entry that n8n would have to store', async () => {
		const { context, entry } = nodeWith(1);
		const run = await NodeRun.start(context);
		expect(readEntryMemory(entry)).toBeDefined();
		run.output([]);
		expect(readEntryMemory(entry)).toBeUndefined();
	});

	test('has each sentence beside it once, and counts what there were several of', async () => {
		const { context, hints } = nodeWith(2);
		const run = await NodeRun.start(context);
		for (const sentence of ['Look.', 'Look.', 'See.']) run.hint(sentence);
		run.count('One file.', '<count> files.');
		for (let count = 0; count < 3; count++) run.count('One page.', '<count> pages.');
		run.output([]);
		expect(hints).toEqual(['Look.', 'See.', 'One file.', '3 pages.']);
	});

	test('needs once what all items need, whatever comes of it', async () => {
		const run = await NodeRun.start(nodeWith(2).context);
		let times = 0;
		const act = async (): Promise<void> => {
			times += 1;
			await Promise.reject(new Error('No.'));
		};
		await expect(run.once('probe', act)).rejects.toThrow('No.');
		await expect(run.once('probe', act)).rejects.toThrow('No.');
		await expect(run.once('another', act)).rejects.toThrow('No.');
		expect(times).toBe(2);
	});
});

describe('a client', () => {
	afterEach(() => {
		vi.useRealTimers();
	});

	test('heeds the limits of its key, however that was pasted', async () => {
		vi.useFakeTimers();
		const sent: string[] = [];
		const stop = new AbortController();
		const lookWith = async (apiKey: string): Promise<void> => {
			const helpers = {
				httpRequestWithAuthentication: async () => {
					sent.push(apiKey);
					return await Promise.resolve({ statusCode: 429, headers: { 'retry-after': '20' }, body: Readable.from([Buffer.from('{}')]) });
				},
			};
			const getCredentials = async (): Promise<object> => await Promise.resolve({ baseUrl: 'https://limited.example.com/api/v1', apiKey });
			const { context } = nodeWith(1, { changes: { helpers, getCredentials } });
			const client = await createClient(context, { signal: stop.signal, concurrentRequests: 1 });
			await client.request({ method: 'GET', subject: 'other', path: ['me'] }, () => undefined);
		};
		const looks: Promise<void>[] = [];
		for (const key of ['key', ' key\n', 'another key']) {
			looks.push(lookWith(key));
			await vi.advanceTimersByTimeAsync(0);
		}
		expect(sent).toEqual(['key', 'another key']);
		stop.abort();
		await Promise.allSettled(looks);
	});
});

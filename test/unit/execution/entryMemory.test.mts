import fc from 'fast-check';
import type { IExecuteData, IExecuteFunctions } from 'n8n-workflow';
import { describe, expect, test } from 'vitest';

import { isRecord } from '../../../nodes/LegalAi/api/json.ts';
import { keepSpareMemory, readEntryMemory, takeSpareMemory, writeEntryMemory, type EntryMemory } from '../../../nodes/LegalAi/execution/entryMemory.ts';

const memory: EntryMemory = {
	executionId: '7',
	accepted: { 0: { at: 1_760_000_000_000, isSent: true, record: { id: 'q1', status: 'in_progress', assistant_id: 'default' } } },
	parked: {
		round: 2,
		nextLook: 1_760_000_050_000,
		isCalledBack: true,
		giveUpAt: { 2: 1_760_000_060_000 },
		holding: ['q1'],
		failures: { 1: { error: 'No.' } },
		hasBadSignatures: true,
		lastWake: 1_760_000_100_000,
		isPastLastWake: true,
	},
};

function entry(metadata?: IExecuteData['metadata']): IExecuteData {
	const node = { id: 'n', name: 'Legal AI', type: 'legalAi', typeVersion: 1, position: [0, 0] as [number, number], parameters: {} };
	return { node, data: { main: [[{ json: {} }]] }, source: null, ...(metadata === undefined ? {} : { metadata }) };
}

/** What an entry is after n8n has stored it with the execution and loaded it again. */
function stored(given: IExecuteData): IExecuteData {
	return JSON.parse(JSON.stringify(given)) as IExecuteData;
}

/** An entry on which something stands in our place. */
function entryWith(kept: unknown): IExecuteData {
	const metadata = {};
	Object.assign(metadata, { legalAi: kept });
	return entry(metadata);
}

describe('an entry', () => {
	test('remembers what was written to it, also after it was stored', () => {
		const written = entry();
		writeEntryMemory(written, memory);
		expect(readEntryMemory(written)).toEqual(memory);
		expect(readEntryMemory(stored(written))).toEqual(memory);
	});

	test('remembers what is accepted after that was written, too', () => {
		const written = entry();
		const accepted = { ...memory.accepted };
		writeEntryMemory(written, { executionId: '7', accepted });
		accepted[3] = { at: 1, isSent: false, record: { id: 'q4' } };
		expect(readEntryMemory(written)?.accepted[3]?.record.id).toBe('q4');
	});

	test('keeps what others have put beside it, and shares nothing with the entry it was copied from', () => {
		const parentExecution = { executionId: '1', workflowId: 'w' };
		const first = entry({ parentExecution });
		const second = { ...first };
		writeEntryMemory(second, memory);
		expect(first.metadata).toEqual({ parentExecution });
		expect(second.metadata).toMatchObject({ parentExecution });
		writeEntryMemory(second, undefined);
		expect(second.metadata).toStrictEqual({ parentExecution });
	});

	test('without anything of ours remembers nothing', () => {
		for (const none of [undefined, entry(), entry({}), entry({ subExecutionsCount: 1 })]) {
			expect(readEntryMemory(none)).toBeUndefined();
		}
	});

	test.each([[null], [7], ['x'], [[]], [{}], [{ executionId: 7, accepted: {} }], [{ executionId: '7' }], [{ executionId: '7', accepted: [] }]])(
		'with %j in our place remembers nothing',
		(kept) => {
			expect(readEntryMemory(entryWith(kept))).toBeUndefined();
		},
	);

	test('leaves out what can not have been written by this node', () => {
		const own = { at: 1, isSent: true, record: { id: 'q1' } };
		const accepted = { 0: own, 1: { ...own, record: {} }, 2: null, 3: { ...own, at: '1' }, 4: { ...own, isSent: 1 } };
		expect(readEntryMemory(entryWith({ executionId: '7', accepted }))).toEqual({ executionId: '7', accepted: { 0: own } });
		expect(readEntryMemory(entryWith({ executionId: '7', accepted: {}, parked: { round: 'x', nextLook: 'x', isCalledBack: 1, giveUpAt: { 0: 'x', 1: 7 }, holding: ['q1', 7], failures: { 0: 'no', 1: { error: 'No.' } }, lastWake: 'x', isPastLastWake: 1 } }))).toStrictEqual({
			executionId: '7',
			accepted: {},
			parked: { round: 0, giveUpAt: { 1: 7 }, holding: ['q1'], failures: { 1: { error: 'No.' } }, hasBadSignatures: false },
		});
	});

	test('parked by an earlier version is read as one that waits for nothing yet', () => {
		const parked = { round: 0, giveUpAt: {}, holding: [], failures: {}, hasBadSignatures: false };
		expect(readEntryMemory(entryWith({ executionId: '7', accepted: {}, parked: {} }))?.parked).toStrictEqual(parked);
	});

	test('with anything at all in our place is read as a memory or as none', () => {
		const piece = fc.anything({ maxDepth: 3, withNullPrototype: true });
		const parked = fc.record({ round: piece, nextLook: piece, isCalledBack: piece, giveUpAt: fc.oneof(piece, fc.dictionary(fc.string(), piece)), holding: fc.oneof(piece, fc.array(piece)), failures: fc.oneof(piece, fc.dictionary(fc.string(), piece)), hasBadSignatures: piece, lastWake: piece }, { requiredKeys: [] });
		const accepted = fc.dictionary(fc.string(), fc.record({ at: piece, isSent: piece, record: piece }, { requiredKeys: [] }));
		const anything = fc.oneof(
			piece,
			fc.record({ executionId: fc.oneof(fc.string(), piece), accepted: fc.oneof(accepted, piece), parked: fc.oneof(parked, piece) }, { requiredKeys: [] }),
		);
		fc.assert(
			fc.property(anything, (kept) => {
				const read = readEntryMemory(entryWith(kept));
				if (read === undefined) return;
				expect(read.executionId).toBeTypeOf('string');
				for (const { at, isSent, record } of Object.values(read.accepted)) {
					expect([typeof at, typeof isSent, typeof record.id]).toEqual(['number', 'boolean', 'string']);
				}
				if (read.parked === undefined) return;
				const { round, nextLook, giveUpAt, holding, failures, hasBadSignatures, lastWake } = read.parked;
				expect(['number', 'undefined']).toContain(typeof nextLook);
				expect(Object.values(giveUpAt).every((time) => typeof time === 'number')).toBe(true);
				expect(holding.every((id) => typeof id === 'string')).toBe(true);
				expect([typeof round, typeof hasBadSignatures]).toEqual(['number', 'boolean']);
				expect(['number', 'undefined']).toContain(typeof lastWake);
				expect(Object.values(failures).every(isRecord)).toBe(true);
			}),
			{ numRuns: 1_000 },
		);
	});
});

test('what is kept a second time is for one run alone, and leaves what others keep beside it', () => {
	const kept = { of: 'others' };
	const context = { getContext: (type: string) => (type === 'node' ? kept : {}) } as unknown as IExecuteFunctions;
	expect(takeSpareMemory(context)).toBeUndefined();
	keepSpareMemory(context, memory);
	expect(takeSpareMemory(context)).toEqual(memory);
	expect(takeSpareMemory(context)).toBeUndefined();
	expect(kept).toStrictEqual({ of: 'others' });
});

import type { IDataObject, IExecuteData, IExecuteFunctions } from 'n8n-workflow';
import { describe, expect, test } from 'vitest';

import { OutcomeUnknownError } from '../../../nodes/LegalAi/api/errors.ts';
import { keepSpareMemory, readEntryMemory, writeEntryMemory, type EntryMemory, type ParkedState } from '../../../nodes/LegalAi/execution/entryMemory.ts';
import { RunMemory } from '../../../nodes/LegalAi/execution/runMemory.ts';

const TYPE = 'n8n-nodes-legal-ai.legalAi';
const parked: ParkedState = { round: 2, giveUpAt: {}, holding: [], failures: {}, hasBadSignatures: false };
const kept: EntryMemory = {
	executionId: '7',
	accepted: { 0: { at: 1, isSent: true, record: { id: 'q0', status: 'error' } }, 1: { at: 2, isSent: false, record: { id: 'q1', status: 'completed' } } },
	parked,
};

function newEntry(memory?: EntryMemory): IExecuteData {
	const node = { id: 'n', name: 'Legal AI', type: TYPE, typeVersion: 1, position: [0, 0] as [number, number], parameters: {} };
	const entry: IExecuteData = { node, data: { main: [[]] }, source: null };
	if (memory !== undefined) writeEntryMemory(entry, memory);
	return entry;
}

/** A node as n8n runs it with an entry of its stack; the tool of an agent that runs it itself with each call's JSON. */
function running(entry: IExecuteData, { executionId = '7', call, isTool = call !== undefined }: { executionId?: string; call?: IDataObject; isTool?: boolean } = {}): IExecuteFunctions {
	const spare = {};
	return {
		getContext: () => spare,
		getExecuteData: () => entry,
		getExecutionId: () => executionId,
		getInputData: () => (call === undefined ? [] : [{ json: call }]),
		getNode: () => (isTool ? { ...entry.node, type: `${TYPE}Tool` } : entry.node),
	} as unknown as IExecuteFunctions;
}

describe('a run of the node', () => {
	test('begins with nothing', () => {
		const memory = new RunMemory(running(newEntry()));
		expect(memory.isEmpty).toBe(true);
		expect(memory.woken).toBeUndefined();
		expect(memory.acceptedFor(0)).toBeUndefined();
		expect(memory.sentIds).toEqual([]);
	});

	test('goes on where the same execution was', () => {
		const memory = new RunMemory(running(newEntry(kept)));
		expect(memory.isEmpty).toBe(false);
		expect(memory.woken).toEqual(parked);
		expect([memory.acceptedFor(0), memory.acceptedFor(1)]).toEqual([kept.accepted[0], kept.accepted[1]]);
	});

	test('of an execution that is retried from the list has left what could not be answered, and waits anew', () => {
		const memory = new RunMemory(running(newEntry(kept), { executionId: '8' }));
		expect(memory.woken).toBeUndefined();
		expect([memory.acceptedFor(0), memory.acceptedFor(1)]).toEqual([undefined, kept.accepted[1]]);
	});

	test('goes on with what was kept a second time if its entry remembers nothing', () => {
		const context = running(newEntry());
		keepSpareMemory(context, kept);
		expect(new RunMemory(context).woken).toEqual(parked);
	});

	test('names what it has sent, not what it has found', () => {
		const memory = new RunMemory(running(newEntry()));
		memory.update(1, { id: 'found' });
		expect(memory.sentIds).toEqual([]);
		memory.accept(0, { id: 'sent' });
		memory.update(0, { id: 'sent', status: 'completed' });
		expect(memory.sentIds).toEqual([{ item: 0, id: 'sent' }]);
		expect(memory.isEmpty).toBe(false);
	});

	test('gives what a parked entry has to know', () => {
		const memory = new RunMemory(running(newEntry()));
		const accepted = memory.update(0, { id: 'q' });
		expect(memory.toPark(parked)).toEqual({ executionId: '7', accepted: { 0: accepted }, parked });
	});

	test('leaves nothing on its entry once all is out, and still knows it if n8n runs it again', () => {
		const entry = newEntry(kept);
		const memory = new RunMemory(running(entry));
		expect(readEntryMemory(entry)).toBeDefined();
		memory.finish();
		expect(readEntryMemory(entry)).toBeUndefined();
		expect(new RunMemory(running(entry)).acceptedFor(0)).toEqual(kept.accepted[0]);
	});
});

describe('a tool that an agent runs many times with one entry', () => {
	test('knows each call by itself, and leaves the entry as it is', () => {
		const entry = newEntry(kept);
		const [one, other] = [{ question: 'May we sign?' }, { question: 'May we sign?' }];
		const memory = new RunMemory(running(entry, { call: one }));
		expect(memory.isEmpty).toBe(true);
		memory.accept(0, { id: 'q' });
		memory.markUncertain(1, new OutcomeUnknownError());

		const again = new RunMemory(running(entry, { call: one }));
		expect(again.acceptedFor(0)?.record.id).toBe('q');
		expect(() => again.acceptedFor(1)).toThrow(OutcomeUnknownError);
		const another = new RunMemory(running(entry, { call: other }));
		expect(another.isEmpty).toBe(true);
		expect(another.acceptedFor(1)).toBeUndefined();
		expect(readEntryMemory(entry)).toEqual(kept);

		again.finish();
		expect(readEntryMemory(entry)).toEqual(kept);
		expect(new RunMemory(running(entry, { call: one })).acceptedFor(0)?.record.id).toBe('q');
	});

	test('goes by its entry if it is called with nothing', () => {
		const entry = newEntry(kept);
		expect(new RunMemory(running(entry, { isTool: true })).acceptedFor(0)).toEqual(kept.accepted[0]);
	});
});

import type { IDataObject, INodeExecutionData, IWebhookFunctions } from 'n8n-workflow';

import { isRecord } from '../api/json';
import { isFinal } from '../api/questions';
import type { Accepted, AcceptedRecord, ParkedMemory } from '../execution/entryMemory';
import { writeEntryMemory } from '../execution/entryMemory';
import { parkedEntry, runNext } from './executionStack';

/**
 * Executions that were parked by versions before 0.1.0 have their open questions as the parked node's input, and no copy
 * of the node behind it. The first callback gives them one and resumes them, so that they end like all others. Those that
 * time out without any output their questions by themselves.
 *
 * @returns what such an execution waits for; undefined if it waits for nothing of this node
 */
export function adoptEarlierPark(context: IWebhookFunctions): ParkedMemory | undefined {
	const entry = parkedEntry(context);
	const items = entry?.data.main?.[0] ?? [];
	if (entry === undefined || !items.some(({ json }) => isOpenQuestion(json))) return undefined;

	const accepted: Record<string, Accepted> = {};
	const failures: Record<string, IDataObject> = {};
	for (const [itemIndex, { json }] of items.entries()) {
		if (isQuestion(json)) accepted[itemIndex] = { at: Date.now(), isSent: true, record: withoutTimeOut(json) };
		else failures[itemIndex] = json;
	}
	const memory = {
		executionId: context.getExecutionId(),
		accepted,
		parked: { round: 0, giveUpAt: {}, holding: openIdsOf(items), failures, hasBadSignatures: false },
	};
	// Data of its own: n8n takes the parked entry's away as it resumes.
	const copy = { ...entry, node: { ...entry.node, disabled: false }, data: { ...entry.data } };
	writeEntryMemory(copy, memory);
	runNext(context, copy);
	return memory;
}

function isQuestion(json: unknown): json is AcceptedRecord {
	return isRecord(json) && typeof json.id === 'string' && typeof json.status === 'string' && typeof json.assistant_id === 'string';
}

function openIdsOf(items: INodeExecutionData[]): string[] {
	return items.flatMap(({ json }) => (isOpenQuestion(json) ? [String(json.id)] : []));
}

function isOpenQuestion(json: IDataObject): boolean {
	return isQuestion(json) && !isFinal({ status: String(json.status) });
}

/** Such items were prepared for the case that nothing is heard of them. */
function withoutTimeOut(question: AcceptedRecord): AcceptedRecord {
	const copy = { ...question };
	Reflect.deleteProperty(copy, 'timed_out');
	return copy;
}

import { createHash } from 'node:crypto';

import { DataDeduplicationService } from 'n8n-core';
import type {
	DeduplicationScope,
	ICheckProcessedContextData,
	IDataDeduplicator,
} from 'n8n-workflow';

/** The table behind n8n's de-duplication: one row per node, as JSON. It outlives the processes. */
const rows = new Map<string, string>();

/** By workflow: resolves at once, or never if the process that runs it was killed. */
const hangsIfKilled = new WeakMap<object, () => Promise<void>>();

/** Makes all use of the table by a workflow hang once the process that runs it was killed. */
export function hangTableIfKilled(workflow: object, hangIfKilled: () => Promise<void>) {
	hangsIfKilled.set(workflow, hangIfKilled);
}

let isBroken = false;

/** Makes reading and writing the table fail (true), or work again (false). */
export function breakProcessedData(breaks: boolean) {
	isBroken = breaks;
}

let others = 0;

/** Adds entries to the row of each node, as its other executions would: n8n keeps only the newest entries of a node. */
export function noteByOthers(count: number) {
	for (const [key, row] of rows) {
		const added = Array.from({ length: count }, () => hashItem(`another ${(others += 1)}`));
		const entries = [...(JSON.parse(row) as string[]), ...added];
		rows.set(key, JSON.stringify(entries.slice(-Math.max(count, 1))));
	}
}

function writeKey(scope: DeduplicationScope, { workflow, node }: ICheckProcessedContextData) {
	return `${workflow.id} ${scope === 'node' ? `n:${node?.id}` : ''}`;
}

async function read(scope: DeduplicationScope, contextData: ICheckProcessedContextData) {
	await hangsIfKilled.get(contextData.workflow)?.();
	if (isBroken) throw new Error('database is locked');
	const row = rows.get(writeKey(scope, contextData));
	return row === undefined ? undefined : (JSON.parse(row) as string[]);
}

/** As in n8n, step by step: it reads the row, then writes it, without a transaction. A row can be inserted only once. */
const deduplicator: IDataDeduplicator = {
	checkProcessedAndRecord: async (items, scope, contextData, { mode, maxEntries = Infinity }) => {
		if (mode !== 'entries') throw new Error(`The mode ${mode} is not supported`);
		const key = writeKey(scope, contextData);
		const entries = await read(scope, contextData);
		const known = new Set(entries);
		const processed = items.filter((item) => known.has(hashItem(item)));
		const added = items.filter((item) => !known.has(hashItem(item)));
		await Promise.resolve();
		if (entries === undefined && rows.has(key))
			throw new Error('UNIQUE constraint failed: processed_data.workflowId');
		rows.set(key, JSON.stringify([...known, ...added.map(hashItem)].slice(-maxEntries)));
		return { new: added, processed };
	},
	removeProcessed: async (items, scope, contextData) => {
		const key = writeKey(scope, contextData);
		const removed = new Set(items.map(hashItem));
		const entries = (await read(scope, contextData)) ?? [];
		rows.set(key, JSON.stringify(entries.filter((entry) => !removed.has(entry))));
	},
	clearAllProcessedItems: () => Promise.reject(new Error('Not supported')),
	getProcessedDataCount: async (scope, contextData) =>
		(await read(scope, contextData))?.length ?? 0,
};

function hashItem(item: string | number) {
	return createHash('md5').update(String(item)).digest('base64');
}

// n8n-core accepts one only once. A worker of the test runner loads this module again for each test file, with its own table.
Reflect.deleteProperty(DataDeduplicationService, 'instance');
await DataDeduplicationService.init(deduplicator);

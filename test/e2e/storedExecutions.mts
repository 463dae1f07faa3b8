import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { parse, stringify } from 'flatted';

import type { ExecutionStatus } from '../support/n8n/executions.mts';
import { asList, asRecord, asText, isRecord, type JsonRecord } from '../support/unknownJson.mts';

/** An n8n that keeps its database in a folder of its own. */
interface Stored {
	readonly userFolder: string;
}

/** Looks into n8n's database behind its back. */
export function inDatabase<Result>({ userFolder }: Stored, look: (database: DatabaseSync) => Result): Result {
	const database = new DatabaseSync(join(userFolder, '.n8n', 'database.sqlite'), { timeout: 5_000 });
	try {
		return look(database);
	} finally {
		database.close();
	}
}

/** Has n8n wake a parked execution at its next look, as if the time until then were over. */
export function wakeNow(n8n: Stored, executionId: string): void {
	const now = new Date().toISOString().replace('T', ' ').replace('Z', '');
	const update = "UPDATE execution_entity SET waitTill = ? WHERE id = ? AND status = 'waiting'";
	inDatabase(n8n, (database) => database.prepare(update).run(now, executionId));
}

/** Has n8n wake all parked executions at their next looks. */
export function wakeAllNow(n8n: Stored): void {
	for (const [id, status] of storedStatuses(n8n)) if (status === 'waiting') wakeNow(n8n, id);
}

/** The status of every execution, by id. */
export function storedStatuses(n8n: Stored): Map<string, ExecutionStatus> {
	const rows = inDatabase(n8n, (database) => database.prepare('SELECT id, status FROM execution_entity').all());
	return new Map(rows.map(({ id, status }) => [String(id), String(status) as ExecutionStatus]));
}

/** Whether an execution has a node left to run that has been parked before. */
export function hasBeenParked(n8n: Stored, executionId: string): boolean {
	return stackOf(storedDataOf(n8n, executionId)).some((entry) => {
		const { metadata } = asRecord(entry, 'An entry of the stack');
		return isRecord(metadata) && isRecord(metadata.legalAi) && metadata.legalAi.parked !== undefined;
	});
}

function storedDataOf(n8n: Stored, executionId: string): JsonRecord {
	const row = inDatabase(n8n, (database) =>
		database.prepare('SELECT data FROM execution_data WHERE executionId = ?').get(executionId),
	);
	return asRecord(parse(asText(row?.data, 'The stored data')), 'The stored data');
}

function stackOf(data: JsonRecord): unknown[] {
	return asList(asRecord(data.executionData, 'What is left to run').nodeExecutionStack, 'The stack') as unknown[];
}

/**
 * Makes an execution what versions before 0.2 left when they parked it: the open questions are the waiting node's
 * input, marked for the case that nothing is heard of them, and no copy of the node waits behind it.
 */
export function parkAsBefore(n8n: Stored, executionId: string): void {
	const data = storedDataOf(n8n, executionId);
	const stack = stackOf(data);
	const [parked, , copy] = stack.splice(0, 3).map((entry) => asRecord(entry, 'An entry of the stack'));
	const memory = asRecord(asRecord(copy?.metadata, 'What the node remembers').legalAi, 'What the node remembers');
	const items = Object.values(asRecord(memory.accepted, 'The accepted questions')).map((accepted, item) => ({
		json: { ...asRecord(asRecord(accepted, 'An accepted question').record, 'A question'), timed_out: true },
		pairedItem: { item },
	}));
	stack.unshift({ ...parked, data: { main: [items] } });
	inDatabase(n8n, (database) => {
		database.prepare('UPDATE execution_data SET data = ? WHERE executionId = ?').run(stringify(data), executionId);
	});
}

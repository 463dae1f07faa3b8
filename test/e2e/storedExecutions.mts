import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { parse } from 'flatted';

import type { ExecutionStatus } from '../../harness/executions.mts';
import { asList, asRecord, asText, isRecord } from '../../harness/unknownJson.mts';

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

/** Whether an execution has a node left to run that knows what it has asked: a retry asks nothing again. */
export function hasAsked(n8n: Stored, executionId: string): boolean {
	const row = inDatabase(n8n, (database) => database.prepare('SELECT data FROM execution_data WHERE executionId = ?').get(executionId));
	const { executionData } = asRecord(parse(asText(row?.data, 'The stored data')), 'The stored data');
	const stack = asList(asRecord(executionData, 'What is left to run').nodeExecutionStack, 'The stack');
	return stack.some((entry) => {
		const { metadata } = asRecord(entry, 'An entry of the stack');
		return isRecord(metadata) && isRecord(metadata.legalAi);
	});
}

import { readEntryMemory } from '../../../nodes/LegalAi/execution/entryMemory.ts';
import { readData } from './database.mts';
import type { Execution } from './execution.mts';
import type { Instance } from './instance.mts';

/**
 * Makes an execution what versions before 0.1.0 left when they parked it: the open questions are the waiting node's
 * input, marked for the case that nothing is heard of them, and no copy of the node waits behind it.
 */
export function parkAsBefore({ database }: Instance, { id }: Execution): void {
	const data = readData(database.get(id));
	const stack = data.executionData?.nodeExecutionStack ?? [];
	const [parked] = stack;
	const memory = stack.map(readEntryMemory).find((found) => found !== undefined);
	if (parked === undefined || memory === undefined) throw new Error(`Execution ${id} is not parked at the node`);
	parked.data = {
		main: [Object.values(memory.accepted).map(({ record }, item) => ({ json: { ...record, timed_out: true }, pairedItem: { item } }))],
	};
	stack.splice(0, stack.length, parked);
	database.update(id, { data });
}

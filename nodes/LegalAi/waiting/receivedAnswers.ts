import { BoundedMap } from '../api/boundedMap';
import type { Question } from '../api/questions';

/**
 * Answers to parked executions that still wait for others, by {@link answerKey}. n8n stores nothing for a webhook that does not
 * resume, so the process keeps them. If one is missing (after a restart, in another process, or because there were too many), the
 * node checks the question instead.
 */
export const receivedAnswers = new BoundedMap<string, Question>(5_000);

/** Services choose the IDs of their questions: only the execution that waits for a question gets its answer. */
export function answerKey(executionId: string, { id }: { id: string }): string {
	return `${executionId} ${id}`;
}

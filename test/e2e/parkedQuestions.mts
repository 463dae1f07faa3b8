import type { Sandbox } from '../sandbox/sandbox.mts';
import { type ExecutionSummary, finalStatuses } from '../support/n8n/executions.mts';
import type { N8nClient, StoredWorkflow } from '../support/n8n/n8nClient.mts';

/**
 * Lets the service answer what the next execution of a workflow asks, as soon as n8n has parked it: callbacks that
 * come before are turned away, and real answers take minutes. Returns the id of the execution, which then goes on.
 */
export async function answerOnceParked(
	n8n: N8nClient,
	sandbox: Sandbox,
	workflow: StoredWorkflow,
	known: readonly ExecutionSummary[],
): Promise<string> {
	const { id } = await n8n.waitForNextExecution(workflow.id, known, ['waiting', ...finalStatuses]);
	const open = sandbox.questions.filter(({ status }) => status === 'in_progress');
	for (const question of open) await sandbox.complete(question.id);
	return id;
}

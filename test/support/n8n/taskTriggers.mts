import type { StoredCredential } from '../../../harness/n8nClient.mts';
import { chain, legalAi, node } from '../../../harness/workflows.mts';

/** Polled every four seconds: n8n refuses an interval of less than a minute, and takes several Poll Times. */
const pollTimes = {
	item: Array.from({ length: 15 }, (_, index) => ({
		mode: 'custom',
		cronExpression: `${index * 4} * * * * *`,
	})),
};

/** A workflow that begins with a Legal AI Task Trigger. */
export function taskTriggerWorkflow(credential: StoredCredential) {
	const more = {
		// An edit keeps the ID, by which n8n's durable cursors are kept.
		id: 'task-trigger',
		type: 'n8n-nodes-legal-ai.legalAiTaskTrigger',
		typeVersion: 1,
		webhookId: undefined,
	};
	const trigger = legalAi('Task Trigger', credential, { pollTimes }, more);
	return chain('On task', [trigger, node('Next', 'n8n-nodes-base.noOp', {})]);
}

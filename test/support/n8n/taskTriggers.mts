import { itemsOf } from '../../../harness/executions.mts';
import type { N8nClient, StoredCredential, StoredWorkflow } from '../../../harness/n8nClient.mts';
import { until } from '../../../harness/polling.mts';
import { chain, legalAi, node } from '../../../harness/workflows.mts';

const NEXT = 'Next';

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
	return chain('On task', [trigger, node(NEXT, 'n8n-nodes-base.noOp', {})]);
}

/** The titles of the tasks that have started a workflow, the oldest execution first, once there are at least so many. */
export async function startedWith(
	n8n: N8nClient,
	{ id }: StoredWorkflow,
	count: number,
): Promise<unknown[]> {
	return await until(`${count} tasks to start the workflow`, async () => {
		const ended = await Promise.all(
			(await n8n.executions(id)).map(async (each) => await n8n.waitForExecution(each.id)),
		);
		const titles = ended
			.reverse()
			.flatMap((execution) => itemsOf(execution, NEXT).map(({ json }) => json.title));
		return titles.length >= count ? titles : undefined;
	});
}

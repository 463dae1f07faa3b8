import type { INode, INodeParameters, IWorkflowSettings } from 'n8n-workflow';

import type { Sandbox } from '../../sandbox/sandbox.mts';
import { type Execution, finalStatuses, readItems } from '../../../harness/executions.mts';
import type {
	N8nClient,
	StoredCredential,
	WorkflowDefinition,
} from '../../../harness/n8nClient.mts';
import { until } from '../../../harness/polling.mts';
import { byHand, chain, legalAi, node, webhook } from '../../../harness/workflows.mts';

/** A node that asks the `words` of each item, and waits for the answers. */
export function askAndWait(
	credential: StoredCredential,
	parameters: INodeParameters = {},
	more: Partial<INode> = {},
) {
	const question = {
		resource: 'question',
		operation: 'askAndWait',
		question: '={{ $json.words }}',
		...parameters,
	};
	return legalAi('Ask', credential, question, more);
}

/** The node behind it, which shows what comes out. */
export const after = node('After', 'n8n-nodes-base.noOp', {});

export function readAnswers(execution: Execution): unknown[] {
	return readItems(execution, 'After').map(({ json }) => json.answer);
}

/** The answers to {@link questions}, as `answersWhenTold` has them. */
export function answersTo(count: number): string[] {
	return Array.from({ length: count }, (_, index) => `Answer to Question ${index}`);
}

/** Publishes a workflow that a webhook starts, calls that, and waits until the execution is parked or over. */
export async function begin(
	n8n: N8nClient,
	path: string,
	definition: WorkflowDefinition,
	body: BodyInit | null = null,
) {
	const workflow = await n8n.publish(definition);
	await n8n.callWebhook(path, { method: 'POST', body });
	return await n8n.waitForNextExecution(workflow.id, [], ['waiting', ...finalStatuses]);
}

/** The same of nodes in a row, behind a webhook. */
export async function start(
	n8n: N8nClient,
	path: string,
	nodes: INode[],
	{ settings, body }: { settings?: IWorkflowSettings; body?: BodyInit } = {},
) {
	return await begin(n8n, path, chain(path, [webhook(path), ...nodes], settings), body);
}

/** Publishes a workflow of these nodes that others call; gives its ID, and the node that calls it. */
export async function createCall(
	n8n: N8nClient,
	nodes: INode[],
): Promise<[id: string, call: INode]> {
	const trigger = node(
		'When Called',
		'n8n-nodes-base.executeWorkflowTrigger',
		{ inputSource: 'passthrough' },
		{ typeVersion: 1.1 },
	);
	const { id } = await n8n.publish(chain('Called', [trigger, ...nodes]));
	const workflowId = { __rl: true, mode: 'id', value: id };
	const call = node(
		'Call',
		'n8n-nodes-base.executeWorkflow',
		{ source: 'database', workflowId, options: { waitForSubWorkflow: true } },
		{ typeVersion: 1.2 },
	);
	return [id, call];
}

/** Starts a workflow that calls another one, of these nodes; gives the parked executions of both. */
export async function startCaller(
	n8n: N8nClient,
	path: string,
	nodes: INode[],
	more?: Parameters<typeof start>[3],
): Promise<[caller: Execution, called: Execution]> {
	const [called, call] = await createCall(n8n, nodes);
	const caller = await start(n8n, path, [call, after], more);
	return [caller, await n8n.waitForNextExecution(called, [], ['waiting'])];
}

/** What has come out of `Next`, behind a trigger, the oldest execution first, once these are over and there are at least so many items. */
export async function startedWith(n8n: N8nClient, { id }: { id: string }, count: number) {
	return await until(`${count} items to start the workflow`, async () => {
		const executions = (await n8n.executions(id)).toReversed();
		const ended = await Promise.all(executions.map((each) => n8n.waitForExecution(each.id)));
		const items = ended.flatMap((execution) =>
			readItems(execution, 'Next').map(({ json }) => json),
		);
		return items.length >= count ? items : undefined;
	});
}

/** Runs nodes in a row by hand, and waits until the execution is over. */
export async function runByHand(n8n: N8nClient, ...nodes: INode[]) {
	const workflow = await n8n.createWorkflow(chain('By hand', [byHand, ...nodes]));
	return await n8n.runToEnd(workflow, { timeout: 120_000 });
}

/** Answers the questions that are open now. */
export async function completeAll(sandbox: Sandbox) {
	const openNow = () =>
		sandbox.questions.filter(({ status }) => status === 'in_progress').map(({ id }) => id);
	// Of many, some may be answered by themselves meanwhile.
	for (const id of openNow()) if (openNow().includes(id)) await sandbox.complete(id);
}

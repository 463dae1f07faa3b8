import type { IExecuteFunctions, INodeExecutionData, IWebhookFunctions, NodeApiError, NodeOperationError } from 'n8n-workflow';

import { isOutOfReach } from '../api/baseUrl';
import { isRecord } from '../api/json';
import type { Run } from '../operation';
import { isAgentTool } from '../run';

/**
 * The address that resumes this execution at this node (n8n puts a token of its own into it), for the service to
 * send answers to. Undefined where parking would be for nothing; the node's output then has a hint that says why.
 */
export function findResumeAddress({ context, client, hint }: Run): string | undefined {
	const node = context.getNode();
	if (isAgentTool(node)) {
		hint('As a tool of an AI agent this node polled for the answer: the call of a tool can not be parked.');
		return undefined;
	}

	const resumeUrl: unknown = context.evaluateExpression('{{ $execution.resumeUrl }}', 0);
	if (typeof resumeUrl !== 'string' || !URL.canParse(resumeUrl)) {
		hint('This n8n gives no address to resume the execution at, so the node polled for the answers.');
		return undefined;
	}
	const url = new URL(resumeUrl);
	if (isOutOfReach(url.href, client.baseUrl)) {
		hint(
			`The node polled for the answers: the service can't call back to ${url.hostname}, which is known in your own network alone. To wait without holding a worker, have the public address of this n8n set (WEBHOOK_URL).`,
		);
		return undefined;
	}
	url.pathname += `/${encodeURIComponent(node.id)}`;
	return url.href;
}

/**
 * Parks the execution until a callback resumes it; no worker is held. A parked node is not run again: where nothing
 * resumes it before `deadline` (ms since the epoch), n8n hands `items` on as the node's output.
 */
export async function park(context: IExecuteFunctions, items: INodeExecutionData[], deadline: number): Promise<void> {
	context.getExecuteData().data = { main: [items] };
	await context.putExecutionToWait(new Date(deadline));
}

/** The items that an execution was parked with: n8n keeps them as the waiting node's input. */
export function readParkedItems(context: IWebhookFunctions): INodeExecutionData[] {
	const items: unknown = context.evaluateExpression('{{ $input.all() }}');
	return Array.isArray(items) ? items.filter((item): item is INodeExecutionData => isRecord(item) && isRecord(item.json)) : [];
}

/**
 * Makes a resumed node fail. n8n has no public way for that: what its engine heeds is `metadata.resumeError` of the
 * waiting node, which it sets itself for sub-workflows. An n8n that does not know it goes on with the items.
 */
export function failResumedNode(context: IWebhookFunctions, error: NodeApiError | NodeOperationError): void {
	const execution: unknown = Reflect.get(context, 'runExecutionData');
	const data = isRecord(execution) && isRecord(execution.executionData) ? execution.executionData : undefined;
	const entry: unknown = Array.isArray(data?.nodeExecutionStack) ? data.nodeExecutionStack[0] : undefined;
	if (!isRecord(entry)) return;
	entry.metadata = { ...(isRecord(entry.metadata) ? entry.metadata : {}), resumeError: error };
}

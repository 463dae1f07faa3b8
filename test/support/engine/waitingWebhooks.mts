import { timingSafeEqual } from 'node:crypto';

import type { IRunExecutionData } from 'n8n-workflow';

import { readData } from './database.mts';
import { refusal, type HttpCall } from './listener.mts';
import type { N8nProcess } from './process.mts';
import { createAdditionalData, createWorkflow } from './workflows.mts';
import { callNode, findWebhooks } from './webhooks.mts';

/**
 * Handles a call to a parked execution, `<execution id>/<path of the node's webhook>`, as n8n does. The node's `webhook()`
 * runs on a copy from the database. Its changes are stored only if it resumes the execution.
 */
export async function callParked(n8nProcess: N8nProcess, call: HttpCall) {
	const [id = '', suffix = ''] = call.path.split(/\/(.*)/s);
	const { n8n } = n8nProcess;
	const stored = n8n.database.find(id);
	if (stored === undefined) return refusal(404, `The execution "${id}" does not exist.`);

	const data = readData(stored);
	if (!sameText(call.query.get('signature') ?? '', data.resumeToken ?? '')) {
		return { status: 401, body: { error: 'Invalid token' } };
	}
	if (stored.status === 'running') return refusal(409, `The execution "${id}" is running already.`);
	if (data.resultData.error !== undefined)
		return refusal(409, `The execution "${id}" has finished with error.`);
	if (stored.status === 'success')
		return refusal(409, `The execution "${id} has finished already.`);

	const name = data.resultData.lastNodeExecuted ?? '';
	const options = n8n.readOptions(stored);
	const workflow = createWorkflow(structuredClone(stored.workflow), options);
	const node = workflow.getNode(name);
	const entry = data.executionData?.nodeExecutionStack[0];
	if (entry === undefined) return refusal(500, 'The execution has nothing left to run.');
	if (node === null) return refusal(404, 'Could not find node to process webhook.');
	entry.node.disabled = true;
	data.waitTill = undefined;
	popRun(data, name);

	const { method: called } = call.request;
	const webhook = findWebhooks(workflow, node).find(
		({ restarts, method, path }) => restarts && method === called && path === suffix,
	);
	if (webhook === undefined)
		return refusal(404, `The execution "${id}" has no waiting webhook with this path.`);
	const additionalData = createAdditionalData(stored.workflow, options, id, n8n.origin, () =>
		n8nProcess.hangIfKilled(),
	);
	const mode = options.mode ?? 'trigger';
	const { workflowData, reply } = await callNode({
		workflow,
		node,
		webhook,
		http: call,
		mode,
		additionalData,
		data,
	});
	if (workflowData === undefined) return reply;

	entry.data.main = workflowData;
	entry.metadata = { ...entry.metadata, forwardAllOutputs: true };
	try {
		await n8nProcess.resume(id, data);
	} catch {
		return refusal(500, 'There was a problem executing the workflow');
	}
	return reply;
}

/** The run that was shown during the wait is removed; what an agent gave its tool stays. */
function popRun({ resultData: { runData } }: IRunExecutionData, name: string) {
	const popped = runData[name]?.pop();
	if (popped?.inputOverride === undefined) return;
	const { source, inputOverride } = popped;
	runData[name]?.push({ startTime: 0, executionTime: 0, executionIndex: 0, source, inputOverride });
}

function sameText(one: string, other: string) {
	return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
}

import { createRunExecutionData } from 'n8n-workflow';

import { refusal, type HttpCall } from './listener.mts';
import type { N8nProcess } from './process.mts';
import { callNode, createWebhook, findWebhooks } from './webhooks.mts';
import {
	createAdditionalData,
	createWorkflow,
	type ExecuteOptions,
	type WorkflowJson,
} from './workflows.mts';

/** A workflow whose triggers listen. */
interface ActiveWorkflow {
	workflow: WorkflowJson;
	options: ExecuteOptions;
}

/** The triggers of active workflows, by the paths of their webhooks. */
export class Triggers {
	#listening = new Map<string, ActiveWorkflow>();

	/** Registers the webhooks of a workflow's triggers, as activating it does; gives their paths. */
	async register(active: ActiveWorkflow, origin: string) {
		const { workflow: json, options } = active;
		const workflow = createWorkflow(structuredClone(json), options);
		const additionalData = createAdditionalData(json, options, '', origin);
		const triggers = Object.values(workflow.nodes).flatMap((node) =>
			findWebhooks(workflow, node)
				.filter(({ restarts }) => !restarts)
				.map(({ path }) => ({
					path,
					call: { workflow, node, mode: 'trigger', additionalData } as const,
				})),
		);
		for (const { path, call } of triggers) {
			await createWebhook(call);
			this.#listening.set(path, active);
		}
		return triggers.map(({ path }) => path);
	}

	/** Handles a call to a trigger's production address. It starts an execution if the trigger says so. */
	async call(n8nProcess: N8nProcess, call: HttpCall) {
		const unknown = refusal(404, `The requested webhook "${call.path}" is not registered.`);
		const active = this.#listening.get(call.path);
		if (active === undefined) return unknown;
		const options = n8nProcess.n8n.readOptions(active);
		const workflow = createWorkflow(structuredClone(active.workflow), options);
		const { origin } = n8nProcess.n8n;
		for (const node of Object.values(workflow.nodes)) {
			const webhook = findWebhooks(workflow, node).find(
				({ path, restarts }) => path === call.path && !restarts,
			);
			if (webhook === undefined) continue;
			const additionalData = createAdditionalData(active.workflow, options, '', origin, () =>
				n8nProcess.hangIfKilled(),
			);
			delete additionalData.executionId;
			const mode = options.mode ?? 'trigger';
			const { workflowData, reply } = await callNode({
				workflow,
				node,
				webhook,
				http: call,
				mode,
				additionalData,
				data: null,
			});
			if (workflowData === undefined) return reply;
			const data = createRunExecutionData({
				executionData: {
					nodeExecutionStack: [{ node, data: { main: workflowData }, source: null }],
				},
			});
			await n8nProcess.begin({
				workflow: active.workflow,
				options: { ...active.options, mode: 'webhook' },
				data,
			});
			return reply;
		}
		return unknown;
	}
}

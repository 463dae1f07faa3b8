import type { IExecuteFunctions, INodeType } from 'n8n-workflow';

import { PassOn } from '../engine/nodeTypes.mts';
import {
	legalAiNode,
	type NodeRunOptions,
	runWorkflow,
	workflowAround,
} from '../engine/engine.mts';
import type { Wait } from './wait.mts';
import { asking, questions } from './asking.mts';

/** Runs another workflow with its items. */
class Caller extends PassOn implements INodeType {
	override async execute(this: IExecuteFunctions) {
		const parentExecution = {
			executionId: this.getExecutionId(),
			workflowId: 'caller',
			shouldResume: true,
		};
		const called = await this.executeWorkflow({ id: 'called' }, this.getInputData(), undefined, {
			parentExecution,
		});
		return called.data.map((items) => items ?? []);
	}
}

/** Runs a workflow that calls another one with its items, in which the node runs: it asks and waits unless told otherwise. */
export async function callSubWorkflow(
	{ service, n8n, clock }: Wait,
	options: Partial<NodeRunOptions>,
) {
	const called = {
		...workflowAround(legalAiNode({ parameters: asking, ...options })),
		id: 'called',
	};
	const caller = {
		...workflowAround(
			legalAiNode({ parameters: {}, node: { type: 'test.caller' } }),
			options.settings,
		),
		id: 'caller',
	};
	const nodeTypes = { 'test.caller': new Caller() };
	const given = { service, n8n, nodeTypes, workflows: [called], items: questions(1), ...options };
	return await clock.settle(runWorkflow(caller, given));
}

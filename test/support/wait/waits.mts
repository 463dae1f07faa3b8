import type { INodeParameters } from 'n8n-workflow';

import { node } from '../../../harness/workflows.mts';
import { BEFORE } from '../engine/execution.mts';
import { PASS_ON } from '../engine/nodeTypes.mts';
import type { WorkflowJson } from '../engine/workflows.mts';

/** The routes of questions, as the sandbox records them. */
export const ASK = 'POST /assistants/:assistant_id/questions';
export const CHECK = 'GET /assistants/:assistant_id/questions/:question_id';

/** The parameters of a node that asks what each item has in "words", and waits. */
export const asking: INodeParameters = {
	resource: 'question',
	operation: 'askAndWait',
	question: '={{ $json.words }}',
};

/** Items with a question each. */
export function questions(count: number) {
	return Array.from({ length: count }, (_, index) => ({ json: { words: `Question ${index}` } }));
}

/** The workflow with another branch that comes later in its JSON: n8n's recovery then takes another node for the last one. */
export function withSideBranch(workflow: WorkflowJson): WorkflowJson {
	const { nodes, connections } = workflow;
	const side = node('Side', PASS_ON, {}, { position: [0, -100] });
	const to = { node: side.name, type: 'main', index: 0 } as const;
	const main = [[to, ...(connections[BEFORE]?.main?.[0] ?? [])]];
	return {
		...workflow,
		nodes: [...nodes, side],
		connections: { ...connections, [BEFORE]: { main } },
	};
}

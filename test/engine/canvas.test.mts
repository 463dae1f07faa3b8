import type { INodeParameters, INodeType } from 'n8n-workflow';

import { LegalAi } from '../../nodes/LegalAi/LegalAi.node.ts';
import { LegalAiEmail } from '../../nodes/LegalAiEmail/LegalAiEmail.node.ts';
import { LegalAiTaskTrigger } from '../../nodes/LegalAi/LegalAiTaskTrigger.node.ts';
import { LegalAiTrigger } from '../../nodes/LegalAi/LegalAiTrigger.node.ts';
import { legalAiNode } from '../support/engine/engine.mts';
import { createWorkflow } from '../support/engine/workflows.mts';

test.for<[string, INodeParameters, INodeType]>([
	['Ask and Wait: Question', {}, new LegalAi()],
	['Accept Draft: Task', { resource: 'task', operation: 'acceptDraft' }, new LegalAi()],
	['Get: User', { resource: 'user', operation: 'get' }, new LegalAi()],
	['Completed, Error, Filtered', {}, new LegalAiTrigger()],
	['Task Created', {}, new LegalAiTaskTrigger()],
	['Status Reached', { event: 'statusReached', statuses: ['done'] }, new LegalAiTaskTrigger()],
	['Task Due', { event: 'due' }, new LegalAiTaskTrigger()],
	['legal@example.com', { ourAddresses: 'legal@example.com' }, new LegalAiEmail()],
])(
	'the canvas shows what a node does in the words of its panel: "%s" with %j',
	([words, parameters, nodeType]) => {
		expect(shown(nodeType, 'subtitle', parameters)).toBe(words);
	},
);

test.for([
	['question', 'askAndWait', 'Waiting for Legal AI to answer. This usually takes 2 to 5 minutes.'],
	[
		'question',
		'waitForAnswer',
		'Waiting for Legal AI to answer. This usually takes 2 to 5 minutes.',
	],
	['question', 'ask', "Sending questions in portions, as the service's limits allow."],
	['task', 'create', "Creating tasks in portions, as the service's limits allow."],
	['task', 'waitForStatus', 'Waiting until the task reaches the status.'],
])(
	'while an execution is paused, the canvas says at the node what it waits for: %s.%s',
	([resource, operation, words]) => {
		expect(shown(new LegalAi(), 'waitingNodeTooltip', { resource, operation })).toBe(words);
	},
);

/** What n8n makes of a text of the canvas. */
function shown(
	nodeType: INodeType,
	text: 'subtitle' | 'waitingNodeTooltip',
	parameters: INodeParameters,
) {
	const node = legalAiNode({ parameters });
	const { expression } = createWorkflow(
		{ nodes: [node], connections: {} },
		{ nodeTypes: { [node.type]: nodeType } },
	);
	return expression.getSimpleParameterValue(node, nodeType.description[text], 'internal', {});
}

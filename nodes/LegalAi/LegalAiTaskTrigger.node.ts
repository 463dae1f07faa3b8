import { NodeConnectionTypes } from 'n8n-workflow';
import type {
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
	IPollFunctions,
} from 'n8n-workflow';

import { testLegalAiApi } from './connection/credentialTest';
import { listSearch, loadOptions } from './listSearch';
import { pollTasks } from './taskTrigger/poll';
import { taskTriggerParameters } from './taskTrigger/properties';

/** The Legal AI Task Trigger: starts a workflow with tasks that are new, reach a status, or are due. */
export class LegalAiTaskTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Legal AI Task Trigger',
		name: 'legalAiTaskTrigger',
		icon: { light: 'file:../../icons/legalAi.svg', dark: 'file:../../icons/legalAi.dark.svg' },
		group: ['trigger'],
		version: 1,
		subtitle:
			'={{ { created: "Task Created", statusReached: "Status Reached", due: "Task Due" }[$parameter["event"]] }}',
		description: 'Start a workflow when a legal task is created, reaches a status, or is due',
		defaults: { name: 'Legal AI Task Trigger' },
		builderHint: {
			searchHint:
				'Starts a workflow with each legal task that is created, reaches a status (someone has approved or completed it), or is due. Each item is a task. It checks as often as "pollTimes" says, so do not add a Schedule Trigger or a loop. What exists when the workflow is published starts nothing, unless it is due.',
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-legal-ai.legalAi',
					relationHint: 'Creates and updates the tasks that start this trigger',
				},
			],
		},
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'legalAiApi', required: true, testedBy: 'testLegalAiApi' }],
		polling: true,
		properties: taskTriggerParameters.properties,
	};

	methods = { credentialTest: { testLegalAiApi }, listSearch, loadOptions };

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		return await pollTasks(this);
	}
}

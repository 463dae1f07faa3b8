import {
	NodeConnectionTypes,
	NodeOperationError,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IWebhookDescription,
} from 'n8n-workflow';

import { listSearch } from './lookups';
import { nodeProperties } from './properties';
import { findOperation, resources } from './resources';
import { resume } from './resources/question/resume';
import { runOperation } from './run';

/** Takes the callbacks for executions parked at this node (see `resume`). It is no trigger: nothing is registered. */
const resumeWebhooks: IWebhookDescription[] = [
	{
		name: 'default',
		httpMethod: 'POST',
		responseMode: 'onReceived',
		path: '={{ $nodeId }}',
		isFullPath: true,
		restartWebhook: true,
	},
];

/** The Legal AI node: questions, files, playbooks, templates, tasks, assistants and the user behind the key. */
export class LegalAi implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Legal AI',
		name: 'legalAi',
		icon: { light: 'file:../../icons/legalAi.svg', dark: 'file:../../icons/legalAi.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
		description: 'Ask legal questions about contracts, and manage legal files and tasks',
		defaults: { name: 'Legal AI' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'legalAiApi', required: true }],
		webhooks: resumeWebhooks,
		properties: nodeProperties(resources),
	};

	methods = { listSearch };

	webhook = resume;

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const resource = this.getNodeParameter('resource', 0);
		const name = this.getNodeParameter('operation', 0);
		const operation = findOperation(resource, name);
		if (operation === undefined) {
			throw new NodeOperationError(this.getNode(), `'${name}' is not an operation of '${resource}'`, {
				description: "Choose one from the list in 'Operation'.",
			});
		}
		return await runOperation(this, operation);
	}
}

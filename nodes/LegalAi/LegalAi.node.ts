import {
	NodeConnectionTypes,
	NodeOperationError,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { listSearch } from './lookups';
import { nodeProperties } from './properties';
import { resources } from './resources';
import { runOperation } from './run';

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
		properties: nodeProperties(resources),
	};

	methods = { listSearch };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const resource = this.getNodeParameter('resource', 0);
		const name = this.getNodeParameter('operation', 0);
		const operation = resources[resource]?.operations[name];
		if (operation === undefined) {
			throw new NodeOperationError(this.getNode(), `'${name}' is not an operation of '${resource}'`, {
				description: "Choose one from the list in 'Operation'.",
			});
		}
		return await runOperation(this, operation);
	}
}

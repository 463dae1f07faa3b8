import {
	NodeConnectionTypes,
	NodeOperationError,
	type IExecuteFunctions,
	type IHookFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IWebhookFunctions,
	type IWebhookResponseData,
} from 'n8n-workflow';

import { attachFiles } from './callbacks/attachFiles';
import { receiveCallback } from './callbacks/receive';
import { readWebhookSecret } from './callbacks/signature';
import { triggerPanel, triggerProperties } from './callbacks/triggerProperties';

/** The Legal AI Trigger: starts a workflow with each answer that the service sends to this workflow's address. */
export class LegalAiTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Legal AI Trigger',
		name: 'legalAiTrigger',
		icon: { light: 'file:../../icons/legalAi.svg', dark: 'file:../../icons/legalAi.dark.svg' },
		group: ['trigger'],
		version: 1,
		subtitle: '={{ $parameter["events"].join(", ") }}',
		description: 'Starts the workflow when the answer to a legal question is there',
		defaults: { name: 'Legal AI Trigger' },
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'legalAiApi', required: true }],
		webhooks: [
			{
				name: 'default',
				httpMethod: 'POST',
				responseMode: 'onReceived',
				// Nothing of its own: n8n then answers with what the webhook function says.
				responseData: '',
				path: '={{ "legal-ai/" + $workflow.id }}',
				isFullPath: true,
			},
		],
		triggerPanel,
		properties: triggerProperties,
	};

	/** The service keeps no list of receivers, each question names its own: there is nothing to register there. */
	webhookMethods = {
		default: {
			async checkExists(this: IHookFunctions): Promise<boolean> {
				return false;
			},

			async create(this: IHookFunctions): Promise<boolean> {
				if (this.getNodeParameter('options.verifySignature', true) === false) return true;
				if (readWebhookSecret(await this.getCredentials('legalAiApi')) !== '') return true;
				throw new NodeOperationError(
					this.getNode(),
					"The credential has no 'Webhook Secret', without which nobody can tell whether an answer comes from the service",
					{
						description:
							"Open the 'Legal AI API' credential and enter the webhook secret that was shown when the API key was created. If you have lost it, create a new key.",
					},
				);
			},

			async delete(this: IHookFunctions): Promise<boolean> {
				return true;
			},
		},
	};

	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		return await receiveCallback(this);
	}

	/**
	 * Runs within the execution that a callback has started, with its payload as the input. Files are fetched here and
	 * not while the sender waits: the answer is safe in the execution by then, and retrying that fetches them anew.
	 */
	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return [await Promise.all(this.getInputData().map(async (item) => await attachFiles(this, item)))];
	}
}

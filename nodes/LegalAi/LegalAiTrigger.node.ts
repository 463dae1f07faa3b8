import { NodeConnectionTypes, NodeOperationError } from 'n8n-workflow';
import type {
	IExecuteFunctions,
	IHookFunctions,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';

import { CALLBACK_WEBHOOK, TRIGGER_PATH, webhookSecretsOf } from './callbacks';
import { testLegalAiApi } from './connection/credentialTest';
import { credentialTexts, triggerTexts } from './messages';
import { attachFiles } from './trigger/attachFiles';
import { isFirstExecution } from './trigger/deliveries';
import { readTriggerParameters, triggerPanel, triggerProperties } from './trigger/properties';
import { receiveCallback } from './trigger/receive';

/** The Legal AI Trigger: starts a workflow with each answer that the service sends to this workflow's address. */
export class LegalAiTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Legal AI Trigger',
		name: 'legalAiTrigger',
		icon: { light: 'file:../../icons/legalAi.svg', dark: 'file:../../icons/legalAi.dark.svg' },
		group: ['trigger'],
		version: 1.1,
		subtitle: '={{ $parameter["events"].join(", ").toTitleCase() }}',
		// The nodes panel shows it for the node and the trigger together.
		description:
			'Review, redline and draft contracts, ask legal questions, manage legal tasks, or start a workflow when a question is answered',
		defaults: { name: 'Legal AI Trigger' },
		builderHint: {
			searchHint:
				'Starts a workflow with the answer to a question that a Legal AI node asked with the operation "ask" and "callbackTarget" set to "trigger" (this workflow) or "workflow" (another one). A workflow can have one such trigger; its credential needs a webhook secret. To get the answer in the same execution, use the operation "askAndWait" of the Legal AI node and no trigger.',
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-legal-ai.legalAi',
					relationHint: 'Asks the questions whose answers this trigger receives',
				},
			],
		},
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'legalAiApi', required: true, testedBy: 'testLegalAiApi' }],
		webhooks: [
			{
				...CALLBACK_WEBHOOK,
				// By the workflow alone, so that any workflow's "Ask" can name it, and no process has to keep a registration.
				// Therefore n8n evaluates an expression for each callback: a fixed path would be the same for all workflows.
				path: `={{ "${TRIGGER_PATH}/" + $workflow.id }}`,
			},
		],
		triggerPanel,
		properties: triggerProperties,
	};

	methods = { credentialTest: { testLegalAiApi } };

	/** Nothing is registered at the service: each question names its own receiver. */
	webhookMethods = {
		default: {
			async checkExists(this: IHookFunctions): Promise<boolean> {
				return false;
			},

			async create(this: IHookFunctions): Promise<boolean> {
				// n8n would listen at a test address for two minutes, and an answer takes longer.
				if (this.getMode() === 'manual')
					throw new NodeOperationError(this.getNode(), triggerTexts.publishThenAsk);
				if (this.getNodeParameter('options.verifySignature', true) === false) return true;
				if (webhookSecretsOf(await this.getCredentials('legalAiApi')).length > 0) return true;
				throw new NodeOperationError(this.getNode(), credentialTexts.webhookSecretMissing);
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
	 * Runs within the execution that a callback has started, with its payload as the input. Files are downloaded here and
	 * not while the sender waits: the answer is safe in the execution by then, and a retry downloads them again.
	 */
	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const { options } = readTriggerParameters(
			(name) => this.getNodeParameter(name, 0, null) as unknown,
		);
		const output: INodeExecutionData[] = [];
		for (const item of this.getInputData()) {
			const complete = options.downloadFiles ? await attachFiles(this, item, options) : item;
			const isFirst = !options.skipDuplicates || (await isFirstExecution(this, item.json));
			if (isFirst) output.push(complete);
		}
		return [output];
	}
}

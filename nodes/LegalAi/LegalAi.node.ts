import { NodeConnectionTypes } from 'n8n-workflow';
import type {
	IExecuteFunctions,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
} from 'n8n-workflow';

import { RESUME_PATH } from './callbacks/resumeAddress';
import { CALLBACK_WEBHOOK } from './callbacks/webhookRequest';
import { testLegalAiApi } from './connection/credentialTest';
import { failedItemJson, toNodeError } from './errors/nodeError';
import { runToBeRetried } from './execution/executionStack';
import { listSearch, loadOptions } from './listSearch';
import { hints, invalidInput, parameterMessages } from './messages';
import { findOperation, resources } from './resources';
import { nodeProperties, byOperation } from './resources/nodeProperties';
import { resumeByCallback } from './waiting/resumeWebhook';

/** Receives the callbacks for executions parked at this node. It is no trigger: nothing is registered. */
const resumeWebhooks = [{ ...CALLBACK_WEBHOOK, path: RESUME_PATH, restartWebhook: true }];

const BEFORE_EXECUTION = {
	type: 'warning',
	location: 'outputPane',
	whenToDisplay: 'beforeExecution',
} as const;

/** The Legal AI node: questions, files, playbooks, templates, tasks, assistants and the user behind the key. */
export class LegalAi implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Legal AI',
		name: 'legalAi',
		icon: { light: 'file:../../icons/legalAi.svg', dark: 'file:../../icons/legalAi.dark.svg' },
		group: ['transform'],
		version: 1.1,
		subtitle: byOperation(resources, ({ option }, label) => `${option.name}: ${label}`),
		description:
			'Review, redline and draft contracts, ask legal questions, and manage legal files and tasks',
		defaults: { name: 'Legal AI' },
		usableAsTool: {
			replacements: {
				description:
					'Let an AI agent review, redline and draft contracts, ask legal questions, and manage legal files and tasks',
			},
		},
		builderHint: {
			searchHint:
				'For anything a legal team does with documents: review, redline, summarize or draft a contract, check it against a playbook, answer a legal question. Use the resource "question" with the operation "askAndWait": it pauses the execution for the minutes that an answer takes, so do not add a Wait node or a polling loop. To send the files of the input item, add an attachment with the source "allBinary". Check that "status" is "completed" before using "answer": other outcomes are "filtered", "error" and, with "timed_out", "in_progress".',
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-legal-ai.legalAiTrigger',
					relationHint:
						'Receives answers to questions asked with the operation "ask". Not needed with "askAndWait".',
				},
			],
		},
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'legalAiApi', required: true, testedBy: 'testLegalAiApi' }],
		webhooks: resumeWebhooks,
		waitingNodeTooltip: byOperation(resources, ({ waitingTooltip }) => waitingTooltip),
		hints: [
			{
				...BEFORE_EXECUTION,
				message: hints.fileInInput,
				displayCondition:
					'={{ ["ask", "askAndWait"].includes($parameter["operation"]) && !$parameter["attachments"]["attachment"]?.length && !$parameter["additionalFields"]["sessionId"] && Object.keys($binary).length > 0 }}',
			},
			{
				...BEFORE_EXECUTION,
				message: hints.sameTask,
				displayCondition:
					'={{ $parameter["operation"] === "waitForStatus" && /^[^=]/.test($rawParameter["taskId"]) }}',
			},
		],
		properties: nodeProperties(resources),
	};

	methods = { credentialTest: { testLegalAiApi }, listSearch, loadOptions };
	webhook = resumeByCallback;

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][] | null> {
		return await runToBeRetried(this, async () => {
			try {
				const [resource, operation] = [
					this.getNodeParameter('resource', 0),
					this.getNodeParameter('operation', 0),
				];
				const found = findOperation(resource, operation);
				if (found === undefined)
					throw invalidInput(parameterMessages.unknownOperation, { operation, resource });
				return await found.run(this);
			} catch (error) {
				const nodeError = toNodeError(this.getNode(), error);
				if (!this.continueOnFail()) throw nodeError;
				// Otherwise n8n would output the input as if it were the answer.
				return [
					this.getInputData().map((_, item) => ({
						json: failedItemJson(nodeError),
						pairedItem: { item },
					})),
				];
			}
		});
	}
}

import { NodeConnectionTypes } from 'n8n-workflow';
import type {
	IExecuteFunctions,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
} from 'n8n-workflow';

import { emailOutputs, prepareItems } from '../LegalAi/email/outputs';
import { emailParameters } from '../LegalAi/email/properties';
import { failedItemJson, toNodeError } from '../LegalAi/execution/nodeError';

/** The Legal AI Email node: what kind of email it is, its sender's own words, and which of its files go with the question. */
export class LegalAiEmail implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Legal AI Email',
		name: 'legalAiEmail',
		icon: { light: 'file:../../icons/legalAi.svg', dark: 'file:../../icons/legalAi.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: '={{ $parameter["ourAddresses"] }}',
		description:
			'Prepare emails for legal questions: leave out automatic ones, and find the words and files that matter',
		defaults: { name: 'Legal AI Email' },
		usableAsTool: undefined,
		builderHint: {
			searchHint:
				'Place it between an email trigger (Gmail with "simple" off and "downloadAttachments" on, Microsoft Outlook with output "raw", IMAP with format "resolved") and the Legal AI node. Output 0 "Question": ask {{ $json.text }} with an attachment whose source is "allBinary". Output 1 "Needs a Person": what the email is about can\'t be read, see "unread". Output 2 "No Question": automatic emails, meetings, copies. Do not add a Switch or a Code node. Fields of an item: kind, subject, text, history, sender, is_colleague, answers_us, attached, unread, id, message_id, conversation_id, received_at.',
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-legal-ai.legalAi',
					relationHint: 'Asks the question that comes out at the output "Question"',
				},
			],
		},
		inputs: [NodeConnectionTypes.Main],
		outputs: emailOutputs.map(() => NodeConnectionTypes.Main),
		outputNames: emailOutputs.map(({ name }) => name),
		properties: emailParameters.properties,
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		try {
			return await prepareItems(this);
		} catch (error) {
			const nodeError = toNodeError(this.getNode(), error);
			if (!this.continueOnFail()) throw nodeError;
			// Otherwise n8n would output the input as if it were questions.
			const json = failedItemJson(nodeError);
			return [[], this.getInputData().map((_, item) => ({ json, pairedItem: { item } })), []];
		}
	}
}

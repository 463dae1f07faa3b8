import { NodeConnectionTypes } from 'n8n-workflow';
import type {
	IExecuteFunctions,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
} from 'n8n-workflow';

import { listField, textField, type Field, type Fields } from '../LegalAi/api';
import { emailOutputs, emailParameters, prepareItems } from '../LegalAi/email/emailNode';
import { notice } from '../LegalAi/parameters';

const flag: Field = { type: 'boolean' };
/** What the editor shows of an output item before the first run. */
export const emailOutput = {
	kind: textField,
	subject: textField,
	text: textField,
	history: textField,
	sender: textField,
	is_colleague: flag,
	answers_us: flag,
	attached: listField(textField),
	unread: listField(textField),
	id: textField,
	message_id: textField,
	conversation_id: textField,
	received_at: textField,
} satisfies Fields;

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
				'Place it between an email trigger (Gmail with "simple" off and "downloadAttachments" on, Microsoft Outlook with output "raw", IMAP with format "resolved") and the Legal AI node. Output 0 "Question": ask {{ $json.text }}, with {{ $json.history }} below it as what the email answers, and an attachment whose source is "allBinary". Output 1 "Needs a Person": what the email is about can\'t be read, see "unread". Output 2 "No Question": automatic emails, meetings, copies. Do not add a Switch or a Code node. Fields of an item: kind, subject, text, history, sender, is_colleague, answers_us, attached, unread, id, message_id, conversation_id, received_at.',
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
		properties: [
			...emailParameters.properties,
			notice(
				'inputNotice',
				'Connect an email node or trigger that gives whole emails: Gmail with "Simplify" off, Microsoft Outlook with the output "Raw", or Email Trigger (IMAP) with the format "Resolved". Turn on "Download Attachments".',
			),
			notice(
				'questionNotice',
				'At "Question", connect a Legal AI node that asks what is in "text", below it "history" (what the email answers), with the attachment "All Binary Fields".',
			),
			notice(
				'personNotice',
				'At "Needs a Person", emails come out that can\'t be read, e.g. because of a link to a drive or an encrypted PDF. It is named in "unread". Connect a node that tells somebody.',
			),
			notice(
				'otherNotice',
				'At "No Question", automatic emails, mailing lists, meetings, copies and your own emails come out.',
			),
		],
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await prepareItems(this);
	}
}

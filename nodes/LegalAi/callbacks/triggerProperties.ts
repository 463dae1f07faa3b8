import type { INodeProperties, INodeTypeDescription } from 'n8n-workflow';

import { downloadFilesOption, outputPrefixOption } from '../files/downloadOptions';

/** What the editor shows in place of the input, which a trigger has none of. */
export const triggerPanel: INodeTypeDescription['triggerPanel'] = {
	header: 'Wait for an answer',
	executionsHelp: {
		inactive:
			"<b>While you build this workflow</b>, click 'Execute step', then ask a question whose 'Callback URL' is the Test URL under 'Webhook URLs'. Its answer appears in the editor.<br /><br /><b>Once you publish (activate) the workflow</b>, each answer sent to this trigger starts it. You find those executions in the list of executions.",
		active:
			"<b>While you build this workflow</b>, click 'Execute step', then ask a question whose 'Callback URL' is the Test URL under 'Webhook URLs'. Its answer appears in the editor.<br /><br /><b>The workflow is published (active)</b>, so each answer sent to this trigger starts it. You find those executions in the <a data-key=\"executions\">list of executions</a>.",
	},
	activationHint: 'Once you publish (activate) the workflow, each answer starts it without a click on this button.',
};

/** What the editor shows of the Legal AI Trigger. */
export const triggerProperties: INodeProperties[] = [
	{
		displayName:
			"Answers come here once this workflow is published (active): in the operation 'Ask' of a Legal AI node, here or in another workflow, choose this trigger in 'Send Answer To'. A workflow can have only one such trigger: branch after it, e.g. with a Switch node on 'status'.",
		name: 'usageNotice',
		type: 'notice',
		default: '',
	},
	{
		displayName:
			"Signatures are not checked: whoever knows the address of this trigger can start the workflow with an answer of their own making.",
		name: 'unverifiedNotice',
		type: 'notice',
		displayOptions: { show: { '/options.verifySignature': [false] } },
		default: '',
	},
	{
		displayName: 'Trigger On',
		name: 'events',
		type: 'multiOptions',
		required: true,
		options: [
			{
				name: 'Completed',
				value: 'completed',
				action: 'On question answered',
				description: 'The question was answered',
			},
			{
				name: 'Error',
				value: 'error',
				action: 'On question not answered',
				description: 'The service could not answer; what it says is in answer',
			},
			{
				name: 'Filtered',
				value: 'filtered',
				action: 'On question declined',
				description: 'The assistant does not take such questions; its words are in answer and reason',
			},
		],
		default: ['completed', 'error', 'filtered'],
		description: 'What became of the question',
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		options: [
			{
				...downloadFilesOption,
				description: `${downloadFilesOption.description}. If one can not be fetched, the execution stops at this node and keeps the answer: retry it within 24 hours.`,
			},
			outputPrefixOption,
			{
				displayName: 'Skip Duplicates',
				name: 'skipDuplicates',
				type: 'boolean',
				noDataExpression: true,
				default: true,
				description:
					'Whether to start nothing for an answer that this n8n process took in the last hour. With several processes, or over a restart, add a Remove Duplicates node keyed on the ID.',
			},
			{
				displayName: 'Verify Signature',
				name: 'verifySignature',
				type: 'boolean',
				noDataExpression: true,
				default: true,
				description:
					"Whether to take only what is signed with the credential's webhook secret, within a minute of its time",
			},
		],
	},
];

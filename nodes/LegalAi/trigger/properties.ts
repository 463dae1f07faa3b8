import type { INodeProperties, INodeTypeDescription } from 'n8n-workflow';

import { questionFields } from '../api/questions';
import { choices, toggle } from '../parameters/choice';
import { collection } from '../parameters/collection';
import { propertiesOf, readParameters, withDefault, type RawValues, type ValuesOf } from '../parameters/parameter';
import { text } from '../parameters/text';

/** What the editor shows in place of the input, which a trigger does not have. */
const BUILDING =
	'<b>While you build this workflow</b>, click "Execute step", then ask a question with the Test URL under "Webhook URLs" as its "Callback URL". The answer appears in the editor.<br /><br />';

export const triggerPanel: INodeTypeDescription['triggerPanel'] = {
	header: 'Wait for an answer',
	executionsHelp: {
		inactive: `${BUILDING}<b>Once you publish the workflow</b>, each answer sent to this trigger starts it. The executions appear in the executions list.`,
		active: `${BUILDING}<b>The workflow is published</b>, so each answer sent to this trigger starts it. The executions appear in the <a data-key="executions">executions list</a>.`,
	},
	activationHint: 'Once you publish the workflow, each answer starts it without a click on this button.',
};

const triggerParameters = {
	events: choices(
		{
			displayName: 'Trigger On',
			name: 'events',
			required: true,
			default: ['completed', 'error', 'filtered'],
			description: 'Which outcomes start the workflow',
		},
		[
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
				description: 'The service could not answer; the reason is in "answer"',
			},
			{
				name: 'Filtered',
				value: 'filtered',
				action: 'On question declined',
				description: 'The assistant declined the question; the reason is in "answer" and "reason"',
			},
		],
	),
	options: collection(
		{ displayName: 'Options', name: 'options', placeholder: 'Add Option' },
		{
			downloadFiles: withDefault(
				toggle({
					displayName: 'Download Files',
					name: 'downloadFiles',
					noDataExpression: true,
					default: false,
					description:
						'Whether to download the files generated with the answer as binary data. If a download fails, the execution stops at this node and keeps the answer: retry it within 24 hours.',
				}),
				false,
			),
			outputPrefix: withDefault(
				text({
					displayName: 'Output Prefix',
					name: 'outputPrefix',
					noDataExpression: true,
					default: 'file_',
					placeholder: 'e.g. file_',
					description: 'Prefix of the binary fields for downloaded files, which are numbered from 0',
				}),
				'file_',
			),
			skipDuplicates: withDefault(
				toggle({
					displayName: 'Skip Duplicates',
					name: 'skipDuplicates',
					noDataExpression: true,
					default: true,
					description: 'Whether to ignore callbacks that were already received',
				}),
				true,
			),
			verifySignature: withDefault(
				toggle({
					displayName: 'Verify Signature',
					name: 'verifySignature',
					noDataExpression: true,
					default: true,
					description:
						'Whether to accept only callbacks that are signed with the webhook secret and less than a minute old',
				}),
				true,
			),
		},
	),
};

/** The fields of the trigger's output items. */
export const triggerOutput = questionFields();

/** What the editor shows of the Legal AI Trigger. */
export const triggerProperties: INodeProperties[] = [
	{
		displayName:
			'Answers arrive here once this workflow is published: in the operation "Ask" of a Legal AI node, here or in another workflow, select this trigger in "Send Answer To". A workflow can have only one such trigger; to branch, add e.g. a Switch node on "status" after it.',
		name: 'usageNotice',
		type: 'notice',
		default: '',
	},
	{
		displayName:
			'Signatures are not checked: anyone who knows the address of this trigger can start the workflow with an answer of their own.',
		name: 'unverifiedNotice',
		type: 'notice',
		displayOptions: { show: { '/options.verifySignature': [false] } },
		default: '',
	},
	...propertiesOf(triggerParameters),
];

/** @throws {InvalidInputError} */
export function readTriggerParameters(raw: RawValues): ValuesOf<typeof triggerParameters> {
	return readParameters(triggerParameters, raw, { timezone: '', json: {}, files: {}, isFileField: () => false, isExpression: () => false });
}

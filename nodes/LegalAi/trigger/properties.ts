import type { INodeProperties, INodeTypeDescription } from 'n8n-workflow';

import { questionFields, questionStatuses, recordField } from '../api';
import {
	choices,
	filePrefix,
	group,
	maxFileSize,
	NO_ITEM,
	notice,
	optionsOf,
	toggle,
	type RawValues,
	type ValueOf,
} from '../parameters';

/** How a real answer gets into the editor. */
const BUILDING =
	'publish the workflow, ask a question, then open the execution that its answer starts and click "Copy to editor" (if you host n8n yourself, register it first, which is free)';

/** What the editor shows in place of the input, which a trigger does not have. */
export const triggerPanel: INodeTypeDescription['triggerPanel'] = {
	header: 'Publish, then ask',
	executionsHelp: {
		inactive: `<b>To build the next steps with a real answer</b>, ${BUILDING}.`,
		active:
			'<b>The workflow is published</b>, so each answer sent to this trigger starts it. The executions appear in the <a data-key="executions">executions list</a>.',
	},
	activationHint:
		'Once you publish the workflow, each answer starts it without a click on this button.',
};

const triggerParameters = group({
	events: choices(
		'events',
		'Trigger On',
		{
			required: true,
			// Listed here: another final status must not start what is published already.
			default: ['completed', 'error', 'filtered'],
			description: 'Which outcomes start the workflow',
		},
		questionStatuses,
	),
	// The same for all callbacks, so they take no expressions.
	options: optionsOf({
		downloadFiles: toggle('downloadFiles', 'Download Files', {
			default: false,
			noDataExpression: true,
			description:
				'Whether to download the files generated with the answer as binary data. If a download fails, the execution stops at this node and keeps the answer: retry it within 24 hours.',
		}),
		maxFileSize: maxFileSize({ noDataExpression: true }),
		outputPrefix: filePrefix({ noDataExpression: true }),
		skipDuplicates: toggle('skipDuplicates', 'Skip Duplicates', {
			default: true,
			noDataExpression: true,
			description: 'Whether to ignore callbacks that were already received',
		}),
		verifySignature: toggle('verifySignature', 'Verify Signature', {
			default: true,
			noDataExpression: true,
			description:
				'Whether to accept only callbacks that are signed with the webhook secret and less than a minute old',
		}),
	}),
});

/** The fields of the trigger's output items. */
export const triggerOutput = questionFields({ passed_along: recordField({}) });

/** What the editor shows of the Legal AI Trigger. */
export const triggerProperties: INodeProperties[] = [
	notice(
		'usageNotice',
		'Most workflows don\'t need this: use "Ask and Wait" of the Legal AI node, which continues with the answer. Here, answers arrive once this workflow is published: in a Legal AI node with the operation "Ask", set "Send Answer To" to "Legal AI Trigger in This Workflow", or, in another workflow, to "Legal AI Trigger in Another Workflow". A workflow can have only one Legal AI Trigger.',
	),
	notice('buildingNotice', `To build the next steps with a real answer, ${BUILDING}.`),
	notice(
		'unverifiedNotice',
		'Signatures are not checked: anyone who knows the address of this trigger can start the workflow with an answer of their own.',
		{ show: { '/options.verifySignature': [false] } },
	),
	{
		// The nodes panel offers what the first field with this label lists. Of "Trigger On", each would preset a single outcome.
		displayName: 'Event',
		name: 'event',
		type: 'hidden',
		default: 'answered',
		options: [
			{
				name: 'Answered',
				value: 'answered',
				action: 'On question answered',
				description: 'An answer has arrived',
			},
		],
	},
	...triggerParameters.properties,
];

/** @throws {InvalidInputError} */
export function readTriggerParameters(raw: RawValues): ValueOf<typeof triggerParameters> {
	return triggerParameters.read(raw, NO_ITEM);
}

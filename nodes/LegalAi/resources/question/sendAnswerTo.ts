import { isOutOfReach } from '../../api';
import {
	addPassedAlong,
	probeTrigger,
	triggerUrl,
	triggerUrlFor,
	webhookSecretsOf,
	type PassedAlong,
} from '../../callbacks';
import { executionResumeUrl, isWellFormed } from '../../callbacks/resumeAddress';
import type { Services } from '../../execution/itemRun';
import {
	callbackMessages,
	fillText,
	hints,
	invalidInput,
	parameterDetails,
	triggerNotListening,
} from '../../messages';
import {
	converted,
	displayedIf,
	eachOnce,
	plainText,
	repeated,
	required,
	text,
	variants,
	webAddress,
	type ValueOf,
} from '../../parameters';

/** Where the service sends an answer to. */
export const callback = variants(
	'callbackTarget',
	'Send Answer To',
	{
		default: 'none',
		description: 'Where the service sends the answer when it is ready',
	},
	{
		none: {
			name: "Don't Send (Get It Later)",
			description: 'Get it with the operation "Get" or "Wait for Answer"',
		},
		trigger: {
			name: 'Legal AI Trigger in This Workflow',
			description:
				'The answer starts this workflow at its Legal AI Trigger. The workflow must be published.',
		},
		workflow: {
			name: 'Legal AI Trigger in Another Workflow',
			description:
				'The answer starts that workflow at its Legal AI Trigger. That workflow must be published.',
			parameters: {
				workflowId: converted(
					required(
						text('callbackWorkflow', 'Workflow', {
							placeholder: 'e.g. https://n8n.example.com/workflow/wx7Yk2Lq',
							description:
								'The workflow whose Legal AI Trigger receives the answer: its address in the browser, or its ID (the part after /workflow/), not its name',
						}),
						parameterDetails.enterWorkflow,
					),
					(entered) => /\/workflow\/([^/?#]+)/.exec(entered)?.[1] ?? entered,
				),
			},
		},
		url: {
			name: 'URL',
			description: 'The answer is sent to an address of your choice',
			parameters: {
				url: webAddress('callbackUrl', 'Callback URL', {
					placeholder: 'e.g. https://n8n.example.com/webhook/legal-ai/wx7Yk2Lq',
					description: 'The service must be able to reach it',
				}),
			},
		},
	},
);

/** Values that the trigger outputs with the answer. */
export const passAlong = displayedIf(
	{ show: { callbackTarget: ['trigger', 'workflow'] } },
	converted(
		repeated(
			'passAlong',
			'Pass Along',
			{
				placeholder: 'Add Value',
				description:
					'Values that the Legal AI Trigger outputs with the answer, in "passed_along", e.g. whom to send it to. They travel encrypted in the callback address, which needs a webhook secret.',
			},
			{ displayName: 'Value', name: 'value' },
			{
				name: required(text('name', 'Name', { placeholder: 'e.g. requester' })),
				value: plainText('value', 'Value', {
					placeholder: 'e.g. {{ $json.from }}',
					typeOptions: { showEvenWhenOptional: true },
				}),
			},
		),
		(values): PassedAlong =>
			Object.fromEntries(
				eachOnce(values, 'Pass Along', ({ name }) => name).map(({ name, value }) => [name, value]),
			),
	),
);

/** A longer address may be cut off or refused on its way. */
const MAX_ADDRESS_LENGTH = 1_500;

/** Where the service is to send an answer. */
export interface CallbackAddress {
	/** The question's `callback_url`. */
	url: string;
	/** The Legal AI Trigger of this n8n that listens there, if it is one. */
	trigger?: { url: string; workflow: 'trigger' | 'workflow' };
}

/**
 * Where an answer is to go; undefined for nowhere. A trigger is always named by its production address, in a manual run
 * too: the editor's test address listens for one call and two minutes at most, and answers take longer.
 *
 * @throws {InvalidInputError} if the address of the trigger can't be determined, or can't take what is to be passed along
 */
export async function callbackAddress(
	{ context, client, hint }: Services,
	values: { callback: ValueOf<typeof callback>; assistantId: string; passAlong: PassedAlong },
): Promise<CallbackAddress | undefined> {
	const { callback: target, assistantId } = values;
	if (target.kind === 'none') return undefined;
	const address =
		target.kind === 'url' ? { url: target.url } : triggerAddress(context, target, assistantId);
	if (Object.keys(values.passAlong).length > 0) {
		const secret = await webhookSecret(context);
		if (secret === undefined) throw invalidInput(callbackMessages.passAlongWithoutSecret);
		address.url = addPassedAlong(address.url, values.passAlong, secret);
		const excess = address.url.length - MAX_ADDRESS_LENGTH;
		if (excess > 0) throw invalidInput(callbackMessages.passAlongTooLong, { excess });
	}
	if (isOutOfReach(address.url, client.baseUrl)) {
		hint(fillText(hints.callbackOutOfReach, { host: new URL(address.url).hostname }));
	}
	return address;
}

function triggerAddress(
	context: Services['context'],
	target: Extract<ValueOf<typeof callback>, { kind: 'trigger' | 'workflow' }>,
	assistantId: string,
): CallbackAddress {
	const workflowId = target.kind === 'workflow' ? target.workflowId : context.getWorkflow().id;
	if (!workflowId) throw invalidInput(callbackMessages.workflowNotSaved);
	const resumeUrl = executionResumeUrl(context);
	if (resumeUrl && !isWellFormed(resumeUrl))
		throw invalidInput(callbackMessages.webhookUrlNotPlain);
	const url = resumeUrl && triggerUrl(resumeUrl, workflowId);
	if (url === undefined) throw invalidInput(callbackMessages.triggerUrlUnknown);
	return { url: triggerUrlFor(url, assistantId), trigger: { url, workflow: target.kind } };
}

/**
 * Makes sure, before a question is asked, that the trigger it names would accept the answer. Asked once per run.
 *
 * @throws {InvalidInputError} see {@link probeTrigger}
 */
export async function ensureTriggerAccepts(
	{ client, context, once }: Services,
	{ trigger }: CallbackAddress,
): Promise<void> {
	if (trigger === undefined) return;
	const { url, workflow } = trigger;
	await once(url, async () => {
		await probeTrigger(client, url, await webhookSecret(context), triggerNotListening[workflow]);
	});
}

async function webhookSecret(context: Services['context']): Promise<string | undefined> {
	const [secret] = webhookSecretsOf(await context.getCredentials('legalAiApi'));
	return secret;
}

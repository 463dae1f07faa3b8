import { NodeOperationError, type INodeProperties } from 'n8n-workflow';

import { isOutOfReach } from '../api/baseUrl';
import { exchange } from '../api/client';
import { isRecord, readJson } from '../api/json';
import type { Run } from '../operation';
import { readText, refusal } from '../parameters';

const RESUME_ENDPOINT = '/webhook-waiting/';
const PROBE_TIMEOUT_MS = 5_000;

const PASTE_URL = "choose 'URL' in 'Send Answer To' and paste the Production URL that the Legal AI Trigger shows";

/** Where the service sends an answer to: the fields of an operation that asks and does not wait. */
export const callbackTargetFields: INodeProperties[] = [
	{
		displayName: 'Send Answer To',
		name: 'callbackTarget',
		type: 'options',
		options: [
			{
				name: 'Nowhere',
				value: 'none',
				description: "Fetch it later, with the operation 'Get' or 'Wait for Answer'",
			},
			{
				name: 'Legal AI Trigger in This Workflow',
				value: 'trigger',
				description: 'The answer starts this workflow at its Legal AI Trigger. The workflow must be published (active).',
			},
			{
				name: 'Legal AI Trigger in Another Workflow',
				value: 'workflow',
				description: 'The answer starts the chosen workflow at its Legal AI Trigger. That workflow must be published (active).',
			},
			{ name: 'URL', value: 'url', description: 'The answer is sent to an address of your choice' },
		],
		default: 'none',
		description: 'Where the service sends the answer once it is there',
	},
	{
		displayName: 'Workflow',
		name: 'callbackWorkflow',
		type: 'workflowSelector',
		displayOptions: { show: { callbackTarget: ['workflow'] } },
		default: '',
		required: true,
		description: 'The workflow whose Legal AI Trigger takes the answer',
	},
	{
		displayName: 'Callback URL',
		name: 'callbackUrl',
		type: 'string',
		displayOptions: { show: { callbackTarget: ['url'] } },
		default: '',
		required: true,
		placeholder: 'e.g. https://n8n.example.com/webhook/legal-ai/wx7Yk2Lq',
		description:
			"The service must be able to reach it. To try out a trigger by hand, click its 'Execute step' and paste its Test URL here.",
	},
];

/** The triggers that a run's questions name, and whether each listens, once that was looked up. */
const triggersOf = new WeakMap<Run, Map<string, Promise<void> | undefined>>();

/**
 * Reads where an item's answer is to go, as the question's `callback_url`; undefined for nowhere. A trigger is
 * always named by its production address, in a run by hand too: the editor's test address listens for two
 * minutes at most and for one call, answers take longer.
 *
 * @throws {NodeOperationError} where there is no such address
 */
export function planCallbackTarget(run: Run, itemIndex: number): string | undefined {
	const target = run.context.getNodeParameter('callbackTarget', itemIndex, 'none');
	if (target === 'none') return undefined;
	const url = target === 'url' ? readCallbackUrl(run, itemIndex) : planTrigger(run, itemIndex, target);
	const hint = unreachableHint(url, run.client.baseUrl);
	if (hint !== undefined) run.hint(hint);
	return url;
}

/**
 * Makes sure, before a question is asked, that the trigger it names would take the answer: looked up once a run
 * and address, with an unsigned POST. A trigger turns that down in its own words; n8n says 404 where none
 * listens. Anything else proves nothing, since many an n8n can't reach its own public address from within.
 * Addresses that were entered by hand are not called.
 *
 * @throws {NodeOperationError} where no trigger listens
 */
export async function ensureTriggerListens(run: Run, url: string): Promise<void> {
	const triggers = triggersOf.get(run);
	if (!triggers?.has(url)) return;
	const looked = triggers.get(url) ?? probe(run, url);
	triggers.set(url, looked);
	await looked;
}

/**
 * What to say beside the output where answers can't arrive: the address they are sent to lies on this machine or in a
 * private network, and the service does not.
 */
export function unreachableHint(callbackUrl: string, serviceUrl: string): string | undefined {
	if (!isOutOfReach(callbackUrl, serviceUrl)) return undefined;
	return `The service can't send answers to ${new URL(callbackUrl).hostname}, which is known in your own network alone. Have the public address of this n8n set (WEBHOOK_URL), then run this again.`;
}

async function probe(run: Run, url: string): Promise<void> {
	const { helpers } = run.context;
	const answer = await exchange(async (options) => (await helpers.httpRequest(options)) as unknown, {
		method: 'POST',
		url,
		body: '{}',
		headers: { 'Content-Type': 'application/json' },
		encoding: 'text',
		timeout: PROBE_TIMEOUT_MS,
		disableFollowRedirect: true,
	}).catch(() => undefined);
	if (answer?.status !== 404 || !isNotRegistered(answer.body)) return;
	throw new NodeOperationError(run.context.getNode(), "No Legal AI Trigger listens where 'Send Answer To' points, so nothing was asked", {
		description: `Add a Legal AI Trigger to that workflow and publish (activate) the workflow. If it is published and n8n's webhook address was changed from /webhook, ${PASTE_URL}.`,
	});
}

/** n8n's own answer where no such webhook is registered, and its server's where the address is not one of webhooks. */
function isNotRegistered(body: unknown): boolean {
	const text = typeof body === 'string' ? body : '';
	if (text.includes('Cannot POST')) return true;
	const answer = readJson(text);
	return isRecord(answer) && typeof answer.message === 'string' && answer.message.includes('not registered');
}

function planTrigger(run: Run, itemIndex: number, target: unknown): string {
	const workflowId = target === 'trigger' ? thisWorkflow(run, itemIndex) : chosenWorkflow(run, itemIndex);
	const url = `${webhookAddress(run, itemIndex)}/legal-ai/${encodeURIComponent(workflowId)}`;
	const triggers = triggersOf.get(run) ?? new Map<string, undefined>();
	if (!triggers.has(url)) triggers.set(url, undefined);
	triggersOf.set(run, triggers);
	return url;
}

function readCallbackUrl(run: Run, itemIndex: number): string {
	const url = readText(run, 'callbackUrl', itemIndex);
	if (URL.canParse(url) && ['http:', 'https:'].includes(new URL(url).protocol)) return url;
	throw refusal(run, itemIndex, "'Callback URL' is not a web address", 'Enter it in full, beginning with https://.');
}

function thisWorkflow(run: Run, itemIndex: number): string {
	const { id } = run.context.getWorkflow();
	if (id) return id;
	throw refusal(run, itemIndex, 'This workflow has no address yet', 'Save and publish (activate) it, then run it again.');
}

function chosenWorkflow(run: Run, itemIndex: number): string {
	const id = readText(run, 'callbackWorkflow', itemIndex);
	if (id !== '') return id;
	throw refusal(run, itemIndex, "'Workflow' is empty", 'Choose the workflow whose Legal AI Trigger takes the answer.');
}

/** Where this n8n takes webhooks; its address for resuming executions, which it tells, lies beside it. */
function webhookAddress(run: Run, itemIndex: number): string {
	const resumeUrl: unknown = run.context.evaluateExpression('{{ $execution.resumeUrl }}', itemIndex);
	if (typeof resumeUrl === 'string' && URL.canParse(resumeUrl)) {
		const end = resumeUrl.lastIndexOf(RESUME_ENDPOINT);
		if (end !== -1) return `${resumeUrl.slice(0, end)}/webhook`;
	}
	const words = `The webhook addresses of this n8n were renamed: ${PASTE_URL}.`;
	throw refusal(run, itemIndex, "The address of the Legal AI Trigger can't be told", words);
}

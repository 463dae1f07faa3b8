import {
	NodeConnectionTypes,
	NodeOperationError,
	type IDataObject,
	type IExecuteData,
	type IExecuteFunctions,
	type IHttpRequestMethods,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type ITaskMetadata,
	type IWebhookFunctions,
	type IWebhookResponseData,
} from 'n8n-workflow';

import { serviceSignature } from '../../sandbox/signature.mts';

/** A question that the node waits for. */
export interface Awaited extends IDataObject {
	id: string;
	status: string;
	answer: string | null;
}

/** What the node waits for; n8n stores it with the execution. */
interface Wait {
	readonly executionId: string;
	readonly deadline: number;
	readonly questions: Awaited[];
	/** How often it has looked. */
	readonly looks: number;
	readonly settled?: boolean;
}

type Context = IExecuteFunctions | IWebhookFunctions;

const KEY = 'testWait';
const MINUTE_MS = 60_000;

/**
 * Asks a question for each item and waits for the answers: parked, woken every two minutes to look, or called back. It
 * shows what the harness has to carry: a parked entry of n8n's stack is never run again, so a copy of it that knows what
 * is waited for lies behind it, and it ends itself without output.
 */
export class Waker implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Waker',
		name: 'waker',
		group: ['transform'],
		version: 1,
		description: 'Waits, wakes and looks',
		defaults: { name: 'Waker' },
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'legalAiApi', required: true }],
		webhooks: [
			{
				name: 'default',
				httpMethod: 'POST',
				responseMode: 'onReceived',
				responseData: 'Taken. The execution goes on.',
				path: 'legal-ai',
				isFullPath: true,
				restartWebhook: true,
			},
		],
		properties: [
			{ displayName: 'Question', name: 'question', type: 'string', default: '' },
			{ displayName: 'Max Wait (Minutes)', name: 'maxWait', type: 'number', default: 30 },
			{ displayName: 'Fail on Error', name: 'fail', type: 'boolean', default: false },
		],
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const entry = this.getExecuteData();
		const wait = await proceed(this, readWait(entry));
		const open = wait.questions.some(({ status }) => status === 'in_progress');
		if (open && Date.now() < wait.deadline) {
			await park(this, wait, Math.min(Date.now() + 2 * MINUTE_MS, wait.deadline));
			return [[]];
		}
		entry.metadata = withWait(entry.metadata, { ...wait, settled: true });
		const items = wait.questions.map((question, item): INodeExecutionData => {
			const about = this.getNodeParameter('question', item) as string;
			const timedOut = question.status === 'in_progress' ? { timed_out: true } : {};
			const failed = question.status === 'error' && this.getNodeParameter('fail', item) === true;
			if (!failed) return { json: { ...question, about, looks: wait.looks, ...timedOut }, pairedItem: { item } };
			if (!this.continueOnFail()) throw new NodeOperationError(this.getNode(), 'Question failed', { itemIndex: item });
			return { json: { error: 'Question failed' }, pairedItem: { item } };
		});
		return [items];
	}

	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		const body = this.getBodyData();
		const { webhookSecret } = await this.getCredentials<{ webhookSecret: string }>('legalAiApi');
		const header = String(this.getHeaderData()['service-signature']);
		const time = Number(/t=(\d+)/.exec(header)?.[1]);
		const raw: unknown = Reflect.get(this.getRequestObject(), 'rawBody');
		if (header !== serviceSignature(webhookSecret, time, String(raw))) return { webhookResponse: 'Not signed' };

		const wait = readWait(stackOf(this)[1]);
		const question = wait?.questions.find(({ id, status }) => id === body.id && status === 'in_progress');
		if (question === undefined) return { webhookResponse: 'Not waited for' };
		Object.assign(question, { status: body.status, answer: body.answer });
		return wait?.questions.some(({ status }) => status === 'in_progress')
			? { webhookResponse: 'Others are open' }
			: { workflowData: [] };
	}
}

/** Asks in the first run, looks in each that n8n wakes, and takes a retry from the list of executions for what it is. */
async function proceed(context: IExecuteFunctions, wait: Wait | undefined): Promise<Wait> {
	const executionId = context.getExecutionId();
	if (wait?.settled === true && wait.executionId === executionId) return wait;
	const again = wait?.settled === true && wait.questions.some(({ status }) => status === 'error');
	if (wait === undefined || again) {
		const questions: Awaited[] = [];
		for (const item of context.getInputData().keys()) questions.push(await ask(context, item));
		const maxWait = context.getNodeParameter('maxWait', 0) as number;
		return { executionId, deadline: Date.now() + maxWait * MINUTE_MS, questions, looks: 0 };
	}
	const questions: Awaited[] = [];
	for (const question of wait.questions) {
		const look = question.status === 'in_progress' ? request(context, 'GET', `/${question.id}`) : undefined;
		questions.push((await look?.catch(() => question)) ?? question);
	}
	return { ...wait, executionId, questions, looks: wait.looks + 1 };
}

async function ask(context: IExecuteFunctions, item: number): Promise<Awaited> {
	const question = context.getNodeParameter('question', item);
	const url = new URL(context.evaluateExpression('{{ $execution.resumeUrl }}', item) as string);
	url.pathname += '/legal-ai';
	return await request(context, 'POST', '', { question, callback_url: url.href });
}

async function request(
	context: IExecuteFunctions,
	method: IHttpRequestMethods,
	path: string,
	body?: IDataObject,
): Promise<Awaited> {
	const { baseUrl } = await context.getCredentials<{ baseUrl: string }>('legalAiApi');
	const url = `${baseUrl}/assistants/default/questions${path}`;
	const options = { method, url, json: true, ...(body === undefined ? {} : { body }) };
	const answer: unknown = await context.helpers.httpRequestWithAuthentication.call(context, 'legalAiApi', options);
	const { id, status, answer: words } = answer as Awaited;
	return { id, status, answer: words };
}

async function park(context: IExecuteFunctions, wait: Wait, at: number): Promise<void> {
	const entry = context.getExecuteData();
	const { node, metadata } = entry;
	stackOf(context).unshift({ ...entry, node: { ...node }, metadata: withWait(metadata, wait) });
	entry.node = { ...node, alwaysOutputData: false };
	entry.data = { main: [] };
	await context.putExecutionToWait(new Date(at));
}

function withWait(metadata: ITaskMetadata | undefined, wait: Wait): ITaskMetadata {
	return Object.assign({}, metadata, { [KEY]: wait });
}

function readWait(entry: IExecuteData | undefined): Wait | undefined {
	return entry?.metadata === undefined ? undefined : (Reflect.get(entry.metadata, KEY) as Wait | undefined);
}

function stackOf(context: Context): IExecuteData[] {
	const run = Reflect.get(context, 'runExecutionData') as { executionData: { nodeExecutionStack: IExecuteData[] } };
	return run.executionData.nodeExecutionStack;
}

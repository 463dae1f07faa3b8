import { Readable } from 'node:stream';

import {
	NodeConnectionTypes,
	sleep,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IWebhookFunctions,
	type IWebhookResponseData,
} from 'n8n-workflow';
import { request } from 'undici';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';

import { startSandbox } from '../sandbox/sandbox.mts';
import { activate, binaryItem, readBinary, runNode, useBinaryData, workflowAround, legalAiNode } from '../support/engine/engine.mts';

const sandbox = await startSandbox();
beforeEach(() => sandbox.reset());
afterAll(() => sandbox.close());

const described: INodeTypeDescription = {
	displayName: 'Waiter',
	name: 'waiter',
	group: ['transform'],
	version: 1,
	description: 'Does what the harness has to carry',
	defaults: { name: 'Waiter' },
	inputs: [NodeConnectionTypes.Main],
	outputs: [NodeConnectionTypes.Main],
	properties: [],
};

/** Parks with an item of its own; a callback's body replaces it, unless it says `more`. */
class Waiter implements INodeType {
	description: INodeTypeDescription = {
		...described,
		webhooks: [
			{
				name: 'default',
				httpMethod: 'POST',
				responseMode: 'onReceived',
				responseData: 'taken',
				path: 'legal-ai',
				isFullPath: true,
				restartWebhook: true,
			},
		],
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const pending = [{ json: { pending: true, resumeUrl: this.evaluateExpression('{{ $execution.resumeUrl }}', 0) } }];
		this.getExecuteData().data = { main: [pending] };
		await this.putExecutionToWait(new Date(Date.now() + 60_000));
		return [pending];
	}

	webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		const body = this.getBodyData();
		if (body.fail === true) throw new Error('The node did not take it');
		const raw: unknown = Reflect.get(this.getRequestObject(), 'rawBody');
		const json = { ...body, raw: String(raw), was: this.evaluateExpression('{{ $input.all().length }}') };
		return Promise.resolve(body.more === true ? { webhookResponse: 'go on' } : { workflowData: [[{ json }]] });
	}
}

/** Runs until it is stopped. */
class Sleeper implements INodeType {
	description: INodeTypeDescription = described;

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		await sleep(60_000, this.getExecutionCancelSignal());
		return [[]];
	}
}

interface Answering {
	status: (code: number) => { json: (value: unknown) => void };
}

/** Starts an execution with whatever is posted to it. */
class Doorbell implements INodeType {
	description: INodeTypeDescription = {
		...described,
		group: ['trigger'],
		inputs: [],
		webhooks: [{ name: 'default', httpMethod: 'POST', path: '={{ "bell/" + $workflow.id }}', isFullPath: true }],
	};

	webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		if (this.getHeaderData()['x-ring'] === undefined) {
			const response = this.getResponseObject() as unknown as Answering;
			response.status(401).json({ error_code: 'silent' });
			return Promise.resolve({ noWebhookResponse: true });
		}
		return Promise.resolve({ workflowData: [[{ json: this.getBodyData() }]] });
	}
}

const park = async (): ReturnType<typeof runNode> =>
	await runNode({
		sandbox,
		parameters: {},
		items: [{ json: { mail: 1 } }],
		node: { type: 'test.waiter' },
		nodeTypes: { 'test.waiter': new Waiter() },
	});

async function post(url: string, body: unknown, headers: Record<string, string> = {}): Promise<[number, string]> {
	const response = await request(url, {
		method: 'POST',
		headers: { 'content-type': 'application/json', ...headers },
		body: JSON.stringify(body),
	});
	return [response.statusCode, await response.body.text()];
}

describe('a parked execution', () => {
	test('is resumed by a callback to the address that the node was given', async () => {
		const parked = await park();
		expect(parked.status).toBe('waiting');
		expect(parked.waitTill).toBeInstanceOf(Date);
		const { resumeUrl } = parked.json[0] ?? {};
		expect(parked.resumeUrl.replace('/legal-ai?', '?')).toBe(resumeUrl);

		expect(await post(parked.resumeUrl, { answer: 42 })).toEqual([200, 'taken']);
		const over = await parked.resumed();

		expect(over.status).toBe('success');
		expect(over.json).toEqual([{ answer: 42, raw: '{"answer":42}', was: 1 }]);
		expect(over.execution.itemsOf('After')).toHaveLength(1);
		expect(await post(parked.resumeUrl, {})).toEqual([409, expect.stringContaining('finished already')]);
	});

	test('stays parked where the node returns no data', async () => {
		const parked = await park();
		expect(await post(parked.resumeUrl, { more: true })).toEqual([200, 'go on']);
		await post(parked.resumeUrl, { more: false });
		expect((await parked.resumed()).json).toMatchObject([{ more: false }]);
	});

	test('is not resumed without its token, nor at another path', async () => {
		const parked = await park();
		expect(await post(parked.resumeUrl.replace(/signature=.*/, ''), {})).toEqual([401, '{"error":"Invalid token"}']);
		expect(await post(parked.resumeUrl.replace('?', '0?'), {})).toEqual([404, expect.stringContaining('no waiting webhook')]);
	});

	test('goes on with an empty item where webhook() throws', async () => {
		const parked = await park();
		expect(await post(parked.resumeUrl, { fail: true })).toEqual([500, expect.stringContaining('could not be started')]);
		expect((await parked.resumed()).json).toEqual([{}]);
	});

	test('goes on with its input data when the time is over', async () => {
		const parked = await park();
		const over = await parked.wake();
		expect(over.status).toBe('success');
		expect(over.json).toMatchObject([{ pending: true }]);
		expect(over.execution.itemsOf('After')).toMatchObject([{ json: { pending: true } }]);
	});
});

test('a stopped execution ends at once', async () => {
	const controller = new AbortController();
	const running = runNode({
		sandbox,
		parameters: {},
		signal: controller.signal,
		node: { type: 'test.sleeper' },
		nodeTypes: { 'test.sleeper': new Sleeper() },
	});
	controller.abort();
	expect((await running).status).toBe('canceled');
});

test('a trigger answers by itself, or starts an execution', async () => {
	const workflow = workflowAround(legalAiNode({ parameters: {}, node: { type: 'test.doorbell' } }));
	const front = await activate(
		{ ...workflow, id: 'front-door' },
		{ sandbox, nodeTypes: { 'test.doorbell': new Doorbell() } },
	);
	const [url = ''] = front.urls;
	expect(new URL(url).pathname).toBe('/webhook/bell/front-door');

	expect(await post(url, {})).toEqual([401, '{"error_code":"silent"}']);
	await post(url, { who: 'postman' }, { 'x-ring': '1' });

	const execution = await front.waitForExecution();
	expect(execution.itemsOf('After')).toMatchObject([{ json: { who: 'postman' } }]);
});

describe.each(['default', 'filesystem'] as const)('binary data in mode %s', (mode) => {
	test('goes in from a buffer or a stream, and can be read again', async () => {
		await useBinaryData(mode);
		const items = [await binaryItem('one'), await binaryItem(Readable.from([Buffer.from('two')]), { fileName: 'b.pdf' })];
		expect(items.map(({ binary }) => binary?.data?.id !== undefined)).toEqual(Array(2).fill(mode === 'filesystem'));

		const run = await runNode({ sandbox, parameters: { resource: 'user', operation: 'get' }, items });
		const before = run.execution.itemsOf('Before');
		expect((await readBinary(before[1])).toString()).toBe('two');
		await useBinaryData('default');
	});
});

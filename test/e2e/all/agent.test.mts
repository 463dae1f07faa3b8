import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { startN8n, type N8n } from '../../../harness/n8n.mts';
import { node, webhook } from '../../../harness/workflows.mts';
import { asRecord } from '../../../harness/unknownJson.mts';
import { type AgentOptions, AgentStage, counsel, saidIn, toolName } from '../agents.mts';
import { wakeNow } from '../storedExecutions.mts';
import { wakingEveryTwoSeconds } from '../wakingSoon.mts';

let n8n: N8n;
let stage: AgentStage;
beforeAll(async () => {
	n8n = await startN8n({ environment: wakingEveryTwoSeconds });
	stage = await AgentStage.open(n8n);
});
beforeEach(async () => {
	await stage.reset();
	stage.sandbox.settings.answer = ({ text }) => ({ status: 'completed', answer: `Answer to: ${text}`, after: 3_000 });
});
afterAll(async () => {
	await stage.close();
	await n8n.close();
});

const question = 'May we sign the NDA?';

/** Runs an agent of version 2, which runs its tool within its own node, and gives what it says. */
async function consult(questions: readonly string[], settings: AgentOptions['settings'] = {}): Promise<string> {
	stage.asks(questions, false);
	const workflow = await n8n.createWorkflow(stage.workflow(node('Start', 'n8n-nodes-base.manualTrigger', {}), { version: 2.2, settings }));
	return saidIn(await n8n.waitForExecution(await n8n.run(workflow)));
}

test("below an agent of version 2, the tool can't pause: it asks without a callback, and waits", async () => {
	const questions = [question, 'Who bears the costs?'];
	const said = await consult(questions);
	for (const asked of questions) expect(said).toContain(`Answer to: ${asked}`);
	expect(stage.sandbox.questions).toMatchObject(questions.map((text) => ({ text, callbackUrl: undefined })));
});

test.each([
	['the connection was reset after it asked', { kind: 'reset', when: 'handled', match: 'POST /assistants/:assistant_id/questions' }],
	['a check was refused', { kind: 'status', status: 403, match: 'GET /assistants/:assistant_id/questions/:question_id' }],
] as const)('a call that n8n tries again because %s does not ask again', async (_why, rule) => {
	const fault = stage.sandbox.faults.add(rule);
	expect(await consult([question], { retryOnFail: true, maxTries: 2, waitBetweenTries: 0 })).toContain('Counsel says');
	expect(fault.fired).toBe(1);
	expect(stage.sandbox.questions).toHaveLength(1);
});

// n8n's recovery takes an agent that waits for its tool for one that crashed, and from then on turns callbacks away.
test('n8n killed while a tool call is parked: the answer reaches the model when the node wakes', async () => {
	stage.sandbox.settings.answer = ({ text }) => ({ status: 'completed', answer: `Answer to: ${text}`, after: Infinity });
	stage.asks([question]);
	const workflow = await n8n.publish(stage.workflow(webhook('killed')));
	await n8n.callWebhook('killed');
	const { id } = await n8n.waitForNextExecution(workflow.id, [], ['waiting']);
	await n8n.kill('SIGKILL');
	await n8n.restart();
	await stage.sandbox.complete(stage.sandbox.questions[0]?.id ?? '');
	wakeNow(n8n, id);
	expect(saidIn(await n8n.waitForExecution(id, ['success', 'error']))).toContain(`Answer to: ${question}`);
	expect(stage.sandbox.questions).toHaveLength(1);
});

/** A session with an MCP server, over HTTP. */
class McpSession {
	readonly #url: string;
	#id: string | undefined;

	constructor(url: string) {
		this.#url = url;
	}

	/** Sends a request of the protocol; the result, or a failure in the server's words. */
	async request(method: string, params: object): Promise<unknown> {
		const response = await this.#send({ jsonrpc: '2.0', id: 1, method, params });
		const text = await response.text();
		const data = /^data: (.*)$/m.exec(text)?.[1] ?? text;
		const { result, error } = asRecord(JSON.parse(data), 'An answer of the MCP server');
		if (error !== undefined) throw new Error(JSON.stringify(error));
		return result;
	}

	async initialize(): Promise<void> {
		const clientInfo = { name: 'test', version: '1' };
		await this.request('initialize', { protocolVersion: '2025-03-26', capabilities: {}, clientInfo });
		await this.#send({ jsonrpc: '2.0', method: 'notifications/initialized' });
	}

	async #send(body: object): Promise<Response> {
		const response = await fetch(this.#url, {
			method: 'POST',
			headers: {
				'content-type': 'application/json',
				accept: 'application/json, text/event-stream',
				...(this.#id !== undefined && { 'mcp-session-id': this.#id }),
			},
			body: JSON.stringify(body),
		});
		this.#id = response.headers.get('mcp-session-id') ?? this.#id;
		if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
		return response;
	}
}

test("a tool of n8n's MCP server waits for the answer itself, since nothing can be parked there", async () => {
	const server = node('MCP', '@n8n/n8n-nodes-langchain.mcpTrigger', { path: 'counsel' }, { typeVersion: 2, webhookId: crypto.randomUUID() });
	const tool = counsel(stage.legalAiKey);
	await n8n.publish({
		name: 'MCP',
		nodes: [server, tool],
		connections: { [tool.name]: { ai_tool: [[{ node: server.name, type: 'ai_tool', index: 0 }]] } },
	});

	const session = new McpSession(`${n8n.baseUrl}/mcp/counsel`);
	await session.initialize();
	expect(await session.request('tools/list', {})).toMatchObject({ tools: [{ name: toolName }] });
	const result = await session.request('tools/call', { name: toolName, arguments: { Question: question } });
	expect(JSON.stringify(result)).toContain(`Answer to: ${question}`);
	expect(stage.sandbox.questions).toMatchObject([{ text: question, callbackUrl: undefined }]);
});

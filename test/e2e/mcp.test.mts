import { afterAll, beforeAll, expect, inject, test } from 'vitest';

import { startSandbox, type Sandbox } from '../sandbox/sandbox.mts';
import { counsel, toolName } from './agents.mts';
import { credentialType } from '../support/n8n/examples.mts';
import type { N8nClient, StoredCredential } from '../support/n8n/n8nClient.mts';
import { connectToSharedN8n } from './sharedN8n.mts';
import { asRecord } from '../support/unknownJson.mts';
import { node } from '../support/n8n/workflows.mts';

let n8n: N8nClient;
let sandbox: Sandbox;
let credential: StoredCredential;
beforeAll(async () => {
	n8n = connectToSharedN8n(inject('n8n'));
	sandbox = await startSandbox({ answerTime: [3_000, 3_000] });
	sandbox.settings.answer = ({ text }) => ({ status: 'completed', answer: `Answer to: ${text}` });
	const { baseUrl, apiKey, webhookSecret } = sandbox;
	credential = await n8n.createCredential(credentialType, 'MCP', { baseUrl, apiKey, webhookSecret });
});
afterAll(async () => {
	await sandbox.close();
});

/** A session with an MCP server, over HTTP. */
class McpSession {
	private readonly url: string;
	private id: string | undefined;

	constructor(url: string) {
		this.url = url;
	}

	/** Sends a request of the protocol; the result, or a failure in the server's words. */
	async request(method: string, params: object): Promise<unknown> {
		const response = await this.send({ jsonrpc: '2.0', id: 1, method, params });
		const text = await response.text();
		const data = /^data: (.*)$/m.exec(text)?.[1] ?? text;
		const { result, error } = asRecord(JSON.parse(data), 'An answer of the MCP server');
		if (error !== undefined) throw new Error(JSON.stringify(error));
		return result;
	}

	async initialize(): Promise<void> {
		const clientInfo = { name: 'test', version: '1' };
		await this.request('initialize', { protocolVersion: '2025-03-26', capabilities: {}, clientInfo });
		await this.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
	}

	private async send(body: object): Promise<Response> {
		const response = await fetch(this.url, {
			method: 'POST',
			headers: {
				'content-type': 'application/json',
				accept: 'application/json, text/event-stream',
				...(this.id !== undefined && { 'mcp-session-id': this.id }),
			},
			body: JSON.stringify(body),
		});
		this.id = response.headers.get('mcp-session-id') ?? this.id;
		if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
		return response;
	}
}

test("a tool of n8n's MCP server looks for the answer itself, since nothing can be parked there", async () => {
	const server = node('MCP', '@n8n/n8n-nodes-langchain.mcpTrigger', { path: 'counsel' }, {
		typeVersion: 2,
		webhookId: crypto.randomUUID(),
	});
	const tool = counsel(credential);
	await n8n.publish({
		name: 'MCP',
		nodes: [server, tool],
		connections: { [tool.name]: { ai_tool: [[{ node: server.name, type: 'ai_tool', index: 0 }]] } },
	});

	const session = new McpSession(`${n8n.baseUrl}/mcp/counsel`);
	await session.initialize();
	expect(await session.request('tools/list', {})).toMatchObject({ tools: [{ name: toolName }] });
	const call = { name: toolName, arguments: { Question: 'May we sign the NDA?' } };
	const result = JSON.stringify(await session.request('tools/call', call));
	expect(result).toContain('Answer to: May we sign the NDA?');
	expect(sandbox.questions).toMatchObject([{ text: 'May we sign the NDA?', callbackUrl: undefined }]);
});

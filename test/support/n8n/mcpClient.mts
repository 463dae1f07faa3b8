import { randomUUID } from 'node:crypto';

import type { INode } from 'n8n-workflow';

import type { N8nClient } from '../../../harness/n8nClient.mts';
import { requireAsN8n } from '../../../harness/versions.mts';
import { node } from '../../../harness/workflows.mts';

interface McpClient {
	connect(transport: object): Promise<void>;
	listTools(): Promise<unknown>;
	callTool(call: { name: string; arguments: object }): Promise<{ content: { text: string }[] }>;
	close(): Promise<void>;
}

const { Client } = requireAsN8n('@modelcontextprotocol/sdk/client/index.js') as {
	Client: new (info: object) => McpClient;
};
const { StreamableHTTPClientTransport } = requireAsN8n(
	'@modelcontextprotocol/sdk/client/streamableHttp.js',
) as {
	StreamableHTTPClientTransport: new (url: URL, options: object) => object;
};

/** The MCP client that n8n's own nodes use, connected over HTTP. Like most, it gives up after 60 seconds. */
export async function mcpClient(url: string, headers: Record<string, string> = {}) {
	const client = new Client({ name: 'test', version: '1' });
	await client.connect(
		new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }),
	);
	return client;
}

/** A client of an MCP Server Trigger with these tools. */
export async function connectToTools(n8n: N8nClient, path: string, ...tools: INode[]) {
	const server = node(
		'MCP',
		'@n8n/n8n-nodes-langchain.mcpTrigger',
		{ path },
		{ typeVersion: 2, webhookId: randomUUID() },
	);
	const toServer = { ai_tool: [[{ node: server.name, type: 'ai_tool' as const, index: 0 }]] };
	await n8n.publish({
		name: 'MCP',
		nodes: [server, ...tools],
		connections: Object.fromEntries(tools.map(({ name }) => [name, toServer])),
	});
	return await mcpClient(`${n8n.baseUrl}/mcp/${path}`);
}

import { requireAsN8n } from '../../../harness/versions.mts';

interface McpClient {
	connect(transport: object): Promise<void>;
	listTools(): Promise<unknown>;
	callTool(call: { name: string; arguments: object }): Promise<{ content: { text: string }[] }>;
	close(): Promise<void>;
}

const { Client } = requireAsN8n('@modelcontextprotocol/sdk/client/index.js') as { Client: new (info: object) => McpClient };
const { StreamableHTTPClientTransport } = requireAsN8n('@modelcontextprotocol/sdk/client/streamableHttp.js') as {
	StreamableHTTPClientTransport: new (url: URL, options: object) => object;
};

/** The MCP client that n8n's own nodes use, connected over HTTP. Like most, it gives up after 60 seconds. */
export async function mcpClient(url: string, headers: Readonly<Record<string, string>> = {}): Promise<McpClient> {
	const client = new Client({ name: 'test', version: '1' });
	await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
	return client;
}

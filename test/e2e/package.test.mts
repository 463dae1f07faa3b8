import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { loadOutputSchema } from 'n8n-core';

import { LegalAi } from '../../nodes/LegalAi/LegalAi.node.ts';
import { projectFolder } from '../../harness/installedPackage.mts';
import { credentialType } from '../../harness/examples.mts';
import { test } from '../support/n8n/fixtures.mts';
import { mcpClient } from '../support/n8n/mcpClient.mts';
import { asList, asRecord, isRecord, type JsonRecord } from '../../harness/unknownJson.mts';

test('n8n lists the nodes and the credential, with icons that it serves', async ({ n8n }) => {
	const ours: JsonRecord[] = [];
	for (const kind of ['nodes', 'credentials']) {
		const answer = await n8n.session.fetch(`/types/${kind}.json`);
		ours.push(
			...asList(await answer.json(), kind)
				.filter(isRecord)
				.filter(({ name }) => /legal-?ai/i.test(String(name))),
		);
	}
	expect(ours.map(({ name }) => name)).toEqual(
		expect.arrayContaining([
			'n8n-nodes-legal-ai.legalAi',
			'n8n-nodes-legal-ai.legalAiTrigger',
			'n8n-nodes-legal-ai.legalAiTaskTrigger',
			'n8n-nodes-legal-ai.legalAiEmail',
			credentialType,
		]),
	);
	for (const type of ours) {
		const { dark, light } = asRecord(type.iconUrl, `The icons of ${String(type.name)}`);
		for (const icon of [dark, light]) {
			const answer = await n8n.session.fetch(`/${String(icon)}`);
			expect(answer.status, String(icon)).toBe(200);
			expect(await answer.text()).toContain('<svg');
		}
	}
});

test("n8n's own MCP server, with which models build workflows, finds the node, and passes on its hint", async ({
	n8n,
}) => {
	await n8n.session.send('PATCH', '/mcp/settings', { mcpAccessEnabled: true });
	const { apiKey } = asRecord(
		await n8n.session.post('/mcp/api-key/rotate'),
		'The key of the MCP server',
	);
	const client = await mcpClient(`${n8n.baseUrl}/mcp-server/http`, {
		authorization: `Bearer ${String(apiKey)}`,
	});
	for (const words of ['review a contract', 'legal question', 'redline']) {
		const found = await client.callTool({ name: 'search_nodes', arguments: { queries: [words] } });
		expect(found.content[0]?.text, words).toContain(
			new LegalAi().description.builderHint?.searchHint,
		);
	}
	await client.close();
});

const schemas = join(projectFolder, 'nodes/LegalAi/__schema__');
const schemaIn = (file: string): unknown =>
	JSON.parse(readFileSync(join(projectFolder, file), 'utf8'));

test.for(globSync('v1.1.0/*/*.json', { cwd: schemas }))(
	'n8n serves the fields that an operation outputs: %s',
	async (file, { n8n }) => {
		const path = file.replace(/^v/, '').replaceAll('\\', '/');
		const answer = await n8n.session.fetch(`/schemas/n8n-nodes-legal-ai.legalAi/${path}`);
		expect(answer.status).toBe(200);
		expect(await answer.json()).toEqual(schemaIn(`nodes/LegalAi/__schema__/${file}`));
	},
);

test.each([
	['Legal AI Trigger', 'LegalAi', 1.1, 'LegalAi/__schema__/v1.1.0/output.json'],
	['Legal AI Task Trigger', 'LegalAi', 1, 'LegalAi/__schema__/v1.0.0/output.json'],
	['Legal AI Email', 'LegalAiEmail', 1, 'LegalAiEmail/__schema__/v1.0.0.json'],
])('n8n finds the fields that the %s outputs', (_name, folder, version, file) => {
	const found = loadOutputSchema({
		nodeDir: join(projectFolder, 'dist/nodes', folder),
		version,
		versionFallback: true,
	});
	expect(found).toEqual(schemaIn(`nodes/${file}`));
});

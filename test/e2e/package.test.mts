import { join } from 'node:path';

import { loadOutputSchema } from 'n8n-core';

import { LegalAi } from '../../nodes/LegalAi/LegalAi.node.ts';
import { emailOutput } from '../../nodes/LegalAiEmail/LegalAiEmail.node.ts';
import { simplifiedFields } from '../../nodes/LegalAi/resources/task/taskFields.ts';
import { resources } from '../../nodes/LegalAi/resources/index.ts';
import { triggerOutput } from '../../nodes/LegalAi/trigger/properties.ts';
import type { Operation } from '../../nodes/LegalAi/execution/operation.ts';
import { serviceMessages } from '../../nodes/LegalAi/messages/serviceMessages.ts';
import { projectFolder } from '../../harness/installedPackage.mts';
import { credentialType } from '../../harness/examples.mts';
import { mcpClient } from '../support/n8n/mcpClient.mts';
import { keyOf, serviceOfThisFile } from '../support/n8n/service.mts';
import { asList, asRecord, isRecord, type JsonRecord } from '../../harness/unknownJson.mts';
import { textWith } from '../support/matchers.mts';

const { n8n, sandbox, credential } = await serviceOfThisFile();

test('n8n lists the nodes and the credential, with icons that it serves', async () => {
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

test('the credential test asks the service who the key belongs to', async () => {
	expect(await n8n.testCredential(credential, keyOf(sandbox))).toMatchObject({ status: 'OK' });
	expect(sandbox.requests.filter(({ route }) => route === 'GET /me')).toHaveLength(1);

	const wrong = await n8n.testCredential(credential, {
		...keyOf(sandbox),
		apiKey: 'sk-svc-api1-wrong',
	});
	expect(wrong).toEqual({
		status: 'Error',
		message: textWith(serviceMessages.invalidKey.message) as string,
	});
});

test("n8n's own MCP server, with which models build workflows, finds the node, and passes on its hint", async () => {
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

const operations = Object.entries(resources).flatMap(([resource, each]) =>
	Object.entries<Operation>(each.operations).map(([operation, { output }]) => ({
		resource,
		operation,
		output,
	})),
);

test.each(operations.filter(({ output }) => output !== undefined))(
	'n8n serves the fields that $resource: $operation outputs',
	async ({ resource, operation, output }) => {
		const version = `${String(new LegalAi().description.version)}.0.0`;
		const answer = await n8n.session.fetch(
			`/schemas/n8n-nodes-legal-ai.legalAi/${version}/${resource}/${operation}.json`,
		);
		expect(answer.status).toBe(200);
		expect(await answer.json()).toEqual({ type: 'object', properties: output, version: 1 });
	},
);

test.each([
	['Legal AI Trigger', 'LegalAi', 1.1, triggerOutput],
	['Legal AI Task Trigger', 'LegalAi', 1, simplifiedFields],
	['Legal AI Email', 'LegalAiEmail', 1, emailOutput],
])('n8n finds the fields that the %s outputs', (_name, folder, version, properties) => {
	const found = loadOutputSchema({
		nodeDir: join(projectFolder, 'dist/nodes', folder),
		version,
		versionFallback: true,
	});
	expect(found).toEqual({ type: 'object', properties, version: 1 });
});

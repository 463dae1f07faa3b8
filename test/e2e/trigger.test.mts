import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';

import {
	callbackPayload,
	askWorkflow,
	deliver,
	triggerUrl,
	triggerWorkflow,
} from '../../harness/callbacks.mts';
import { credentialType } from '../../harness/examples.mts';
import { readItems } from '../../harness/executions.mts';
import type { N8nClient, StoredWorkflow } from '../../harness/n8nClient.mts';
import { test as base } from '../support/n8n/fixtures.mts';
import { startedWith } from '../support/n8n/parkedQuestions.mts';
import { toCredential } from '../support/n8n/service.mts';

/** The refusal of a trigger without a webhook secret. n8n tries for a quarter of a minute, in which other tests run. */
const test = base.extend<{ refused: { message: Promise<string> } }>({
	refused: [
		async ({ n8n, startedService }, use) => {
			const keyless = await n8n.createCredential(credentialType, 'Without secret', {
				...toCredential(startedService),
				webhookSecret: '',
			});
			const publishing = n8n.publish(triggerWorkflow(keyless));
			await use({ message: publishing.then(({ name }) => name, String) });
		},
		{ scope: 'file', auto: true },
	],
});
test.override({ serviceOptions: { answerTime: [20, 40] } });

/** Waits for the execution that a callback starts, and makes sure that it is the only one: what was sent before has started nothing. */
async function onlyExecution(n8n: N8nClient, { id }: StoredWorkflow) {
	const execution = await n8n.waitForNextExecution(id, []);
	expect(await n8n.executions(id)).toHaveLength(1);
	return execution;
}

test('a signed callback starts the workflow with its unchanged payload: spaces, escapes, Unicode, gzip, and any content type', async ({
	n8n,
	service,
	credential,
}) => {
	const workflow = await n8n.publish(triggerWorkflow(credential));
	const url = triggerUrl(n8n, workflow);
	const payload = callbackPayload(randomUUID(), {
		answer: `Größe ≤ 10 % — “ok” 🧑‍⚖️ \u0000 ${'ß'.repeat(50_000)}`,
		attachments: [
			{
				file_name: 'redline.docx',
				content_type: null,
				content_length: 12,
				url: 'https://files.example/1',
			},
		],
		added_later: { nested: [1, null, 'x'] },
	});
	const spaced = `{ "status":"completed",\r\n\t"id" : "${randomUUID()}", "answer":"Sch\\u00f6n \\/ sch\\u00F6n" }\n`;
	const number = `{"id":"${randomUUID()}","status":"completed","answer":"1.0e2","n":1.0e2}`;
	const gzipped = {
		bytes: gzipSync(JSON.stringify(payload)),
		headers: { 'content-encoding': 'gzip' },
	};
	const asText = { headers: { 'content-type': 'text/plain' } };
	for (const [body, posting] of [
		[payload, gzipped],
		[spaced, {}],
		[number, asText],
	] as const)
		expect((await deliver(service, url, body, posting))[0]).toBe(200);
	const started = await startedWith(n8n, workflow, 3);
	expect(started).toHaveLength(3);
	expect(started).toEqual(
		expect.arrayContaining([payload, JSON.parse(spaced), JSON.parse(number)]),
	);
});

test('the address of a trigger belongs to the workflow: a renamed node keeps it, a copy has its own', async ({
	n8n,
	service,
	credential,
}) => {
	const original = triggerWorkflow(credential);
	const workflow = await n8n.publish(original);
	const copy = await n8n.publish({ ...original, name: 'Answers copy' });
	const [first, second, third] = [callbackPayload(), callbackPayload(), callbackPayload()];
	await deliver(service, triggerUrl(n8n, workflow), first);
	await deliver(service, triggerUrl(n8n, copy), second);
	expect(await startedWith(n8n, workflow, 1)).toEqual([first]);
	expect(await startedWith(n8n, copy, 1)).toEqual([second]);

	const renamed = await n8n.updateWorkflow(workflow, {
		...original,
		nodes: original.nodes.map((node) =>
			node.name === 'Legal AI Trigger' ? { ...node, name: 'Legal answers' } : node,
		),
		connections: { 'Legal answers': original.connections['Legal AI Trigger'] ?? {} },
	});
	await n8n.activate(renamed);
	expect((await deliver(service, triggerUrl(n8n, renamed), third))[0]).toBe(200);
	expect(await startedWith(n8n, renamed, 2)).toEqual([first, third]);
});

test('"Execute step" says at once that answers reach a published workflow only', async ({
	n8n,
	credential,
}) => {
	const stored = await n8n.createWorkflow(triggerWorkflow(credential));
	await expect(n8n.run(stored)).rejects.toThrow('Publish this workflow, then ask');
});

test("a published workflow's trigger gets an answer with its files and the values passed along; if the workflow is not published, nothing is asked", async ({
	n8n,
	service,
	credential,
}) => {
	const answering = await n8n.publish(
		triggerWorkflow(credential, { options: { downloadFiles: true, outputPrefix: 'doc' } }),
	);
	const callbackWorkflow = answering.id;
	const passAlong = { value: [{ name: 'to', value: '={{ "ben@example.com" }}' }] };
	const asking = await n8n.createWorkflow(
		askWorkflow(credential, {
			callbackTarget: 'workflow',
			callbackWorkflow,
			passAlong,
			question: 'Review this. [file]',
		}),
	);
	expect((await n8n.runToEnd(asking)).failure).toBeUndefined();
	const [answered] = readItems(await onlyExecution(n8n, answering), 'Next');
	expect(answered?.json).toMatchObject({
		id: service.questions[0]?.id,
		passed_along: { to: 'ben@example.com' },
	});
	const file = answered?.binary?.doc0;
	expect(file).toMatchObject({ fileName: 'Review report.md', mimeType: 'text/markdown' });
	expect(file && (await n8n.binary(file)).toString()).toBe(service.questions[0]?.answer);

	await n8n.deactivate(answering);
	const refused = await n8n.runToEnd(asking);
	expect(refused.failure?.message).toContain('No Legal AI Trigger listens');
	expect(refused.failure?.description).toContain('publish the workflow');
	expect(service.questions).toHaveLength(1);
});

test('without a webhook secret, the trigger refuses to listen, and says what to do', async ({
	refused,
}) => {
	expect(await refused.message).toContain('has no "Webhook Secret". Enter the one that you set');
});

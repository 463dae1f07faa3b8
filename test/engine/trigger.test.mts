import { request } from 'undici';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';

import { serviceSignature } from '../sandbox/signature.mts';
import { startSandbox } from '../sandbox/sandbox.mts';
import { activate, LEGAL_AI_TRIGGER, legalAiNode, NODE, runNode, workflowAround, type Activation } from './engine.mts';

const sandbox = await startSandbox({ answerTime: [0, 0] });
beforeEach(() => sandbox.reset());
afterAll(() => sandbox.close());

let workflows = 0;

/** Activates a workflow of its own that begins with the trigger. */
async function listening(parameters = {}, webhookSecret = sandbox.webhookSecret): Promise<Activation & { url: string }> {
	workflows += 1;
	const around = workflowAround(legalAiNode({ parameters, node: { type: LEGAL_AI_TRIGGER } }));
	const nodes = around.nodes.filter(({ name }) => name !== 'Before');
	const { [NODE]: after = {} } = around.connections;
	const workflow = { id: `trigger-${workflows}`, nodes, connections: { [NODE]: after } };
	const active = await activate(workflow, { sandbox, credential: { webhookSecret } });
	return { ...active, url: active.urls[0] ?? '' };
}

const ask = async (callbackUrl: string): ReturnType<typeof runNode> =>
	await runNode({
		sandbox,
		parameters: { resource: 'question', operation: 'ask', question: 'Is the cap usual?', callbackTarget: 'url', callbackUrl },
	});

async function post(url: string, payload: unknown, signature?: string): Promise<[number, unknown]> {
	const body = JSON.stringify(payload);
	const time = Math.floor(Date.now() / 1000);
	const response = await request(url, {
		method: 'POST',
		body,
		headers: {
			'content-type': 'application/json',
			'service-signature': signature ?? serviceSignature(sandbox.webhookSecret, time, body),
		},
	});
	return [response.statusCode, await response.body.json()];
}

describe('the trigger', () => {
	test('starts the workflow with the answer to a question that names its address, once', async () => {
		const { url, waitForExecution, begun } = await listening();
		const asked = await ask(url);
		const execution = await waitForExecution();
		const delivery = await sandbox.waitForCallback(() => true);

		expect(new URL(url).pathname).toBe(`/webhook/legal-ai/trigger-${workflows}`);
		expect(delivery.status).toBe(200);
		expect(execution.status).toBe('success');
		expect(execution.itemsOf(NODE)).toMatchObject([{ json: { id: asked.json[0]?.id, status: 'completed' } }]);
		expect(execution.itemsOf('After')).toHaveLength(1);

		const again = await sandbox.resendCallback(delivery.questionId);
		expect(again.status).toBe(200);
		expect(begun()).toBe(1);
	});

	test('answers 401 to what is not signed by the service, and starts nothing', async () => {
		const { url, begun } = await listening();
		const payload = { id: 'q', status: 'completed', session_id: 's', answer: 'Yes.' };

		for (const signature of ['', 't=1,v1=00', 'nonsense', serviceSignature('wrong', Math.floor(Date.now() / 1000), JSON.stringify(payload))]) {
			expect(await post(url, payload, signature)).toMatchObject([401, { error_code: 'invalid_signature' }]);
		}
		expect(begun()).toBe(0);
	});

	test('answers 400 to a signed body that is no callback', async () => {
		const { url } = await listening();
		expect(await post(url, { hello: 'there' })).toMatchObject([400, { error_code: 'invalid_payload' }]);
	});

	test('is not activated without a webhook secret, unless signatures are not to be verified', async () => {
		await expect(listening({}, '')).rejects.toThrow("no 'Webhook Secret'");
		await expect(listening({ options: { verifySignature: false } }, '')).resolves.toHaveProperty('urls');
	});

	test('is gone once the workflow is deactivated', async () => {
		const { url, deactivate } = await listening();
		await deactivate();
		expect(await post(url, {})).toMatchObject([404, { code: 404 }]);
	});
});

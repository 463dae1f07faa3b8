import { randomUUID } from 'node:crypto';

import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest';

import { startSandbox, type Sandbox } from '../../sandbox/sandbox.mts';
import { serviceSignature } from '../../sandbox/signature.mts';
import {
	askWorkflow,
	completed,
	deliver,
	legalAiTrigger,
	triggerUrl,
	triggerWorkflow,
	unixTime,
} from '../../support/n8n/callbacks.mts';
import { credentialType } from '../../support/n8n/examples.mts';
import { type Execution, itemsOf } from '../../support/n8n/executions.mts';
import type { N8nClient, StoredCredential, StoredWorkflow, WorkflowDefinition } from '../../support/n8n/n8nClient.mts';
import { isN8n1 } from '../../support/n8n/versions.mts';
import { until } from '../../support/polling.mts';
import { connectToSharedN8n } from '../sharedN8n.mts';

const secret = 'whsec-trigger-test';

let n8n: N8nClient;
let sandbox: Sandbox;
let credential: StoredCredential;
let withoutSecret: StoredCredential;
const active: StoredWorkflow[] = [];

const containing = (text: string): unknown => expect.stringContaining(text);

beforeAll(async () => {
	n8n = connectToSharedN8n(inject('n8n'));
	sandbox = await startSandbox({ answerTime: [20, 40], webhookSecret: secret });
	const { apiKey, baseUrl } = sandbox;
	credential = await n8n.createCredential(credentialType, 'Signed', { baseUrl, apiKey, webhookSecret: secret });
	withoutSecret = await n8n.createCredential(credentialType, 'Unsigned', { baseUrl, apiKey, webhookSecret: '' });
});
afterEach(async () => {
	for (const workflow of active.splice(0)) await n8n.deactivate(workflow);
	await sandbox.reset();
});
afterAll(async () => {
	await sandbox.close();
});

async function activated(workflow: WorkflowDefinition): Promise<StoredWorkflow> {
	const stored = await n8n.publish(workflow);
	active.push(stored);
	return stored;
}

/**
 * Waits for the execution that a callback starts, and makes sure that it is the only one: whatever was sent before
 * has started nothing.
 */
async function onlyExecution({ id }: StoredWorkflow): Promise<Execution> {
	const execution = await n8n.waitForNextExecution(id, []);
	expect(await n8n.executions(id)).toHaveLength(1);
	return execution;
}

/** What came out after the trigger, the oldest first, once so many executions are stored and over. */
async function startedWith(workflow: StoredWorkflow, count: number): Promise<unknown[]> {
	const executions = await until(`${count} executions`, async () => {
		const stored = await n8n.executions(workflow.id);
		return stored.length >= count ? stored : undefined;
	});
	const ended = await Promise.all(executions.map(async ({ id }) => await n8n.waitForExecution(id)));
	return ended.flatMap((execution) => itemsOf(execution, 'Next').map(({ json }) => json)).reverse();
}

test('a signed callback starts the workflow with its payload, to the letter', async () => {
	const workflow = await activated(triggerWorkflow(credential));
	const payload = completed({
		answer: 'Größe ≤ 10 % — “ok” 🧑‍⚖️ \u0000',
		attachments: [{ file_name: 'redline.docx', content_type: null, content_length: 12, url: 'https://files.example/1' }],
		added_later: { nested: [1, null, 'x'] },
	});

	expect(await deliver(triggerUrl(n8n, workflow), secret, payload)).toMatchObject({
		status: 200,
		body: { message: containing('Accepted') },
	});

	const execution = await onlyExecution(workflow);
	expect(execution).toMatchObject({ status: 'success', mode: 'webhook' });
	expect(itemsOf(execution, 'Next').map(({ json }) => json)).toEqual([payload]);
});

test('the body is checked as it was sent: spaces, escapes, unicode, gzip', async () => {
	const workflow = await activated(triggerWorkflow(credential));
	const url = triggerUrl(n8n, workflow);
	const ids = [randomUUID(), randomUUID(), randomUUID()] as const;
	const bodies = [
		`{ "status":"completed",\r\n\t"id" : "${ids[0]}", "answer":"Sch\\u00f6n \\/ sch\\u00F6n" }\n`,
		`{"id":"${ids[1]}","status":"completed","answer":"Schön ⚖️ ${'ß'.repeat(50_000)}"}`,
		`{"id":"${ids[2]}","status":"completed","answer":"1.0e2","n":1.0e2}`,
	] as const;

	expect(await deliver(url, secret, bodies[0])).toMatchObject({ status: 200 });
	expect(await deliver(url, secret, bodies[1], { gzip: true })).toMatchObject({ status: 200 });
	expect(await deliver(url, secret, bodies[2], { contentType: 'text/plain' })).toMatchObject({ status: 200 });

	const started = await startedWith(workflow, bodies.length);
	expect(started).toHaveLength(bodies.length);
	expect(started).toEqual(expect.arrayContaining(bodies.map((body) => JSON.parse(body) as unknown)));
});

test('whatever is not signed as it should be gets 401, what is no callback 400, and neither starts anything', async () => {
	const workflow = await activated(triggerWorkflow(credential));
	const url = triggerUrl(n8n, workflow);
	const payload = completed();
	const body = JSON.stringify(payload);
	const signature = serviceSignature(secret, unixTime(), body);
	const refused = (message: string): unknown => ({
		status: 401,
		body: { error_code: 'invalid_signature', message: containing(message) },
	});

	expect(await deliver(url, secret, payload, { signature: undefined })).toEqual(refused('missing'));
	expect(await deliver(url, secret, payload, { signature: 'v1=00' })).toEqual(refused('must have the form'));
	expect(await deliver(url, secret, payload, { signature: signature.toUpperCase() })).toEqual(refused('must have the form'));
	expect(await deliver(url, secret, payload, { signature: `${signature},v0=1` })).toEqual(refused('must have the form'));
	expect(await deliver(url, secret, `${body} `, { signature })).toEqual(refused('does not match'));
	expect(await deliver(url, 'another secret', payload)).toEqual(refused('does not match'));
	expect(await deliver(url, '', payload)).toEqual(refused('does not match'));
	expect(await deliver(url, secret, payload, { time: unixTime() - 62 })).toEqual(refused('60 seconds'));
	expect(await deliver(url, secret, payload, { time: unixTime() + 62 })).toEqual(refused('60 seconds'));
	expect(await deliver(url, secret, 'id=1', { contentType: 'application/x-www-form-urlencoded' })).toMatchObject({ status: 400 });
	const form = new FormData();
	form.set('payload', body);
	expect((await fetch(url, { method: 'POST', body: form, headers: { 'service-signature': signature } })).status).toBe(401);
	expect((await fetch(url, { method: 'POST' })).status).toBe(401);

	for (const other of ['{}', '[]', '"completed"', `{"id":"","status":"completed"}`, `{"id":7,"status":"completed"}`,
		`{"id":"${payload.id}","status":"in_progress"}`, `{"id":"${payload.id}","status":"completed","attachments":"x"}`]) {
		expect(await deliver(url, secret, other), other).toEqual({
			status: 400,
			body: { error_code: 'invalid_payload', message: containing('') },
		});
	}

	expect(await deliver(url, secret, payload)).toMatchObject({ status: 200 });
	expect(itemsOf(await onlyExecution(workflow), 'Next').map(({ json }) => json)).toEqual([payload]);
});

test('an event that is not listened for, and a callback that was here before, are accepted and start nothing', async () => {
	const workflow = await activated(triggerWorkflow(credential, { events: ['filtered', 'completed'] }));
	const url = triggerUrl(n8n, workflow);
	const payload = completed();

	expect(await deliver(url, secret, completed({ status: 'error', answer: 'It broke.' }))).toMatchObject({
		status: 200,
		body: { message: containing('nothing was started') },
	});
	const first = await Promise.all([deliver(url, secret, payload), deliver(url, secret, payload), deliver(url, secret, payload)]);
	expect(first.map(({ status }) => status)).toEqual([200, 200, 200]);
	expect(await deliver(url, secret, payload, { time: unixTime() - 30 })).toMatchObject({
		status: 200,
		body: { message: containing('nothing was started') },
	});
	expect(itemsOf(await onlyExecution(workflow), 'Next')).toHaveLength(1);

	const filtered = completed({ id: payload.id, session_id: null, session_url: null, status: 'filtered', reason: 'No.' });
	expect(await deliver(url, secret, filtered)).toMatchObject({ status: 200 });
	expect(await startedWith(workflow, 2)).toEqual([payload, filtered]);
});

test('each trigger takes a callback once for itself, and as often as it comes where it is told to', async () => {
	const careless = { options: { skipDuplicates: false } };
	const once = await activated(triggerWorkflow(credential));
	const always = await activated(triggerWorkflow(credential, careless));
	const payload = completed();
	for (const workflow of [once, always]) {
		await deliver(triggerUrl(n8n, workflow), secret, payload);
		await deliver(triggerUrl(n8n, workflow), secret, payload);
	}
	expect(await startedWith(always, 2)).toEqual([payload, payload]);
	expect(await startedWith(once, 1)).toEqual([payload]);
});

test('without a webhook secret the trigger refuses to listen, and says what to do', async () => {
	const stored = await n8n.createWorkflow(triggerWorkflow(withoutSecret));
	await expect(n8n.activate(stored)).rejects.toThrow(/Webhook Secret/);
	await expect(n8n.listen(stored)).rejects.toThrow(/Webhook Secret/);
	await n8n.deactivate(stored);

	const trusting = await activated(triggerWorkflow(withoutSecret, { options: { verifySignature: false } }));
	const payload = completed();
	expect(await deliver(triggerUrl(n8n, trusting), '', 'no callback', { contentType: 'text/plain' })).toMatchObject({ status: 400 });
	expect(await deliver(triggerUrl(n8n, trusting), '', payload, { signature: undefined })).toMatchObject({ status: 200 });
	expect(itemsOf(await onlyExecution(trusting), 'Next').map(({ json }) => json)).toEqual([payload]);
});

test('a secret that is taken away later lets nothing through', async () => {
	const { apiKey, baseUrl } = sandbox;
	const data = { baseUrl, apiKey, webhookSecret: secret };
	const own = await n8n.createCredential(credentialType, 'For a while', data);
	const workflow = await activated(triggerWorkflow(own));
	await n8n.updateCredential(own, { ...data, webhookSecret: '' });

	const payload = completed();
	for (const key of [secret, '']) {
		expect(await deliver(triggerUrl(n8n, workflow), key, payload)).toMatchObject({
			status: 401,
			body: { error_code: 'invalid_signature' },
		});
	}
	await n8n.updateCredential(own, data);
	expect(await deliver(triggerUrl(n8n, workflow), secret, payload)).toMatchObject({ status: 200 });
	await onlyExecution(workflow);
});

test('with its credential deleted the trigger starts nothing, and says so', async () => {
	const { apiKey, baseUrl } = sandbox;
	const own = await n8n.createCredential(credentialType, 'Gone soon', { baseUrl, apiKey, webhookSecret: secret });
	const workflow = await activated(triggerWorkflow(own));
	await n8n.session.delete(`/credentials/${own.id}`);

	expect(await deliver(triggerUrl(n8n, workflow), secret, completed())).toEqual({
		status: 503,
		body: { error_code: 'no_credential', message: containing("can't be read") },
	});
	await n8n.activate(await n8n.updateWorkflow(await n8n.workflow(workflow.id), triggerWorkflow(credential)));
	const payload = completed();
	expect(await deliver(triggerUrl(n8n, workflow), secret, payload)).toMatchObject({ status: 200 });
	expect(itemsOf(await onlyExecution(workflow), 'Next').map(({ json }) => json)).toEqual([payload]);
});

test('the address belongs to the workflow: a renamed node keeps it, a copy has its own', async () => {
	const original = triggerWorkflow(credential);
	const workflow = await activated(original);
	const copy = await activated({ ...original, name: 'Answers copy' });
	expect(triggerUrl(n8n, copy)).not.toBe(triggerUrl(n8n, workflow));

	const [first, second] = [completed(), completed()];
	await deliver(triggerUrl(n8n, workflow), secret, first);
	await deliver(triggerUrl(n8n, copy), secret, second);
	expect(await startedWith(workflow, 1)).toEqual([first]);
	expect(await startedWith(copy, 1)).toEqual([second]);

	const [trigger, ...others] = original.nodes;
	const renamed = await n8n.updateWorkflow(await n8n.workflow(workflow.id), {
		...original,
		nodes: [...(trigger === undefined ? [] : [{ ...trigger, name: 'Legal answers' }]), ...others],
		connections: { 'Legal answers': original.connections['Legal AI Trigger'] ?? {} },
	});
	await n8n.activate(renamed);
	const third = completed();
	expect(await deliver(triggerUrl(n8n, renamed), secret, third)).toMatchObject({ status: 200 });
	expect(await startedWith(renamed, 2)).toEqual([first, third]);
});

test('a second trigger in one workflow is refused by n8n 2; in n8n 1, one of the two takes the answers', async () => {
	const one = triggerWorkflow(credential);
	const two = legalAiTrigger('Another trigger', credential);
	const both = { ...one, nodes: [...one.nodes, two] };
	if (isN8n1(n8n.version)) {
		const workflow = await activated(both);
		expect(await deliver(triggerUrl(n8n, workflow), secret, completed())).toMatchObject({ status: 200 });
		expect(Object.keys((await onlyExecution(workflow)).runs)).toContain('Another trigger');
		return;
	}
	const stored = await n8n.createWorkflow(both);
	await expect(n8n.activate(stored)).rejects.toThrow(/conflict with one of the webhooks/);
	await n8n.deactivate(stored);
});

test('"Listen for test event" takes the same callback as often as somebody tries', async () => {
	const stored = await n8n.createWorkflow(triggerWorkflow(credential));
	const payload = completed();
	for (const times of [1, 2]) {
		const known = await n8n.executions(stored.id);
		await n8n.listen(stored);
		const url = triggerUrl(n8n, stored, true);
		expect(await deliver(url, secret, payload, { signature: undefined })).toMatchObject({ status: 401 });
		expect(await deliver(url, secret, payload)).toMatchObject({ status: 200 });
		const execution = await n8n.waitForNextExecution(stored.id, known);
		expect(execution.mode).toBe('manual');
		expect(itemsOf(execution, 'Next').map(({ json }) => json)).toEqual([payload]);
		expect(await n8n.executions(stored.id)).toHaveLength(times);
	}
});

test('an answer comes back to the trigger of the asking workflow, once although it is delivered twice', async () => {
	sandbox.callbackFaults.duplicate = true;
	sandbox.callbackFaults.gzip = true;
	const asking = askWorkflow(credential, { callbackTarget: 'trigger' });
	const answering = triggerWorkflow(credential);
	const workflow = await activated({
		name: 'Asks and answers',
		nodes: [...asking.nodes, ...answering.nodes],
		connections: { ...asking.connections, ...answering.connections },
	});

	const asked = await n8n.waitForExecution(await n8n.run(workflow, { trigger: 'Start' }));
	expect(asked.failure).toBeUndefined();
	const question = itemsOf(asked, 'Ask')[0]?.json;
	expect(question).toMatchObject({ status: 'in_progress', assistant_id: 'default' });

	for (const nth of [1, 2]) await sandbox.waitForCallback(({ attempt }) => attempt === nth);
	expect(sandbox.callbacks.map(({ status }) => status)).toEqual([200, 200]);
	const answers = (await n8n.executions(workflow.id)).filter(({ mode }) => mode === 'webhook');
	expect(answers).toHaveLength(1);
	const answered = await n8n.waitForExecution(answers[0]?.id ?? '');
	expect(itemsOf(answered, 'Next').map(({ json }) => json)).toEqual([
		{ ...(JSON.parse(sandbox.callbacks[0]?.body ?? '') as object), assistant_id: 'default' },
	]);
	expect(itemsOf(answered, 'Next')[0]?.json.id).toBe(question?.id);
});

test('generated files come along, and one that can not be fetched costs nothing but a retry', async () => {
	const answering = await activated(triggerWorkflow(credential, { options: { downloadFiles: true, outputPrefix: 'doc' } }));
	const callbackWorkflow = { __rl: true, mode: 'list', value: answering.id };
	const asking = await n8n.createWorkflow(
		askWorkflow(credential, { callbackTarget: 'workflow', callbackWorkflow, question: 'Review this. [file]' }),
	);
	const stored = async (execution: Execution): Promise<string | undefined> => {
		const file = itemsOf(execution, 'Next')[0]?.binary?.doc0;
		expect(file).toMatchObject({ fileName: 'Review report.md', mimeType: 'text/markdown' });
		return file && (await n8n.binary(file)).toString();
	};

	await n8n.waitForExecution(await n8n.run(asking));
	const answered = await n8n.waitForNextExecution(answering.id, []);
	expect(await stored(answered)).toBe(sandbox.questions[0]?.answer);
	const payload = JSON.parse(sandbox.callbacks[0]?.body ?? '') as object;
	expect(itemsOf(answered, 'Next')[0]?.json).toEqual({ ...payload, assistant_id: 'default' });

	const outage = sandbox.faults.add({
		kind: 'status',
		status: 400,
		body: 'No such bucket',
		match: ({ path }) => path.startsWith('/storage/'),
		times: Infinity,
	});
	const known = await n8n.executions(answering.id);
	await n8n.waitForExecution(await n8n.run(asking));
	const failed = await n8n.waitForNextExecution(answering.id, known);
	expect(sandbox.callbacks.map(({ status }) => status)).toEqual([200, 200]);
	expect(failed.status).toBe('error');
	expect(failed.failure?.description).toContain('This execution keeps the answer');
	expect(itemsOf(failed, 'Next')).toEqual([]);

	outage.remove();
	await n8n.session.post(`/executions/${failed.id}/retry`);
	const retried = await n8n.waitForNextExecution(answering.id, [...known, failed]);
	expect(retried).toMatchObject({ status: 'success', mode: 'retry' });
	expect(await stored(retried)).toBe(sandbox.questions[1]?.answer);
	expect(itemsOf(retried, 'Next')[0]?.json.id).toBe(sandbox.questions[1]?.id);
});

test('the trigger of another workflow takes the answers that workflows name it for, while it is active', async () => {
	const answering = await activated(triggerWorkflow(credential));
	const callbackWorkflow = { __rl: true, mode: 'list', value: answering.id };
	const asking = await n8n.createWorkflow(askWorkflow(credential, { callbackTarget: 'workflow', callbackWorkflow }));
	const asked = await n8n.waitForExecution(await n8n.run(asking));
	expect(asked.failure).toBeUndefined();
	const answered = await onlyExecution(answering);
	expect(itemsOf(answered, 'Next')[0]?.json.id).toBe(sandbox.questions[0]?.id);

	await n8n.deactivate(answering);
	const refused = await n8n.waitForExecution(await n8n.run(asking));
	expect(refused.failure?.message).toContain('No Legal AI Trigger is listening at the address');
	expect(refused.failure?.description).toContain('publish the workflow');
	expect(sandbox.questions).toHaveLength(1);
});

test('a trigger of the asking workflow that is not active keeps the question from being asked', async () => {
	const asking = await n8n.createWorkflow(askWorkflow(credential, { callbackTarget: 'trigger' }));
	const refused = await n8n.waitForExecution(await n8n.run(asking));
	expect(refused.failure?.message).toContain('No Legal AI Trigger is listening');
	expect(sandbox.questions).toHaveLength(0);
});

test('a pasted address is used as it is: the test address takes an answer while somebody listens', async () => {
	const listening = await n8n.createWorkflow(triggerWorkflow(credential));
	await n8n.listen(listening);
	const callbackUrl = ` ${triggerUrl(n8n, listening, true)}\n`;
	const asking = await n8n.createWorkflow(askWorkflow(credential, { callbackTarget: 'url', callbackUrl }));
	await n8n.waitForExecution(await n8n.run(asking));
	const answered = await n8n.waitForNextExecution(listening.id, []);
	expect(itemsOf(answered, 'Next')[0]?.json.id).toBe(sandbox.questions[0]?.id);

	const wrong = await n8n.createWorkflow(askWorkflow(credential, { callbackTarget: 'url', callbackUrl: 'ftp://x' }));
	const refused = await n8n.waitForExecution(await n8n.run(wrong));
	expect(refused.failure?.message).toContain('"Callback URL"');
	expect(sandbox.questions).toHaveLength(1);
});


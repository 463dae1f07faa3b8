import { describe, expect, test } from 'vitest';

import {
	activate,
	instance,
	LEGAL_AI_TRIGGER,
	legalAiNode,
	logs,
	NODE,
	runNode,
	runWorkflow,
	workflowAround,
	type CredentialValues,
	type NodeRun,
} from '../../support/engine/engine.mts';
import { sandboxOfFile } from '../../support/lifetimes.mts';
import { answerTo, deliver, listening, signed, type Listening } from './listening.mts';

const sandbox = await sandboxOfFile({ answerTime: [0, 0], newSessionsPerMinute: Infinity, requestsPerMinute: Infinity, webhookSecret: 'whsec-first' });

/** Has n8n fail to read a credential, as if it had been deleted. */
function remove(credential: Secrets): void {
	Object.defineProperty(credential, 'webhookSecret', {
		enumerable: true,
		get: () => {
			throw new Error('Credential with ID "7" does not exist for type "legalAiApi".');
		},
	});
}

/** A credential's values for secrets, which a test may change later. */
type Secrets = { -readonly [Name in 'webhookSecret' | 'previousWebhookSecret']?: CredentialValues[Name] };

describe('when the credential was deleted', () => {
	test('the trigger says so, starts nothing, and logs it once', async () => {
		const credential: Secrets = {};
		const { url, begun } = await listening({ sandbox, credential });
		remove(credential);
		const before = logs.length;
		for (let count = 0; count < 3; count++) {
			expect(await deliver(sandbox, url, answerTo('q'))).toEqual([
				503,
				{ error_code: 'no_credential', message: "The credential of this receiver can't be read. Select another one in n8n." },
			]);
		}
		expect(begun()).toBe(0);
		expect(logs.slice(before).filter(({ level }) => level !== 'debug')).toHaveLength(1);
	});

	test('a node that waits says so, and goes on waiting', async () => {
		const credential: Secrets = {};
		sandbox.settings.answer = () => ({ status: 'completed', answer: '', after: Infinity });
		const parameters = { resource: 'question', operation: 'askAndWait', question: 'Is the cap usual?' };
		const parked = await runNode({ sandbox, parameters, credential });
		remove(credential);
		const [status, body] = await deliver(sandbox, parked.resumeUrl, answerTo(sandbox.questions[0]?.id ?? ''));
		expect([status, body]).toEqual([503, expect.objectContaining({ error_code: 'no_credential' })]);
		expect((await instance()).database.get(parked.execution.id)).toMatchObject({ status: 'waiting', turns: 1 });
	});
});

describe('when the key is replaced', () => {
	test('the trigger accepts callbacks signed with either secret, and no third', async () => {
		const credential: Secrets = { webhookSecret: 'whsec-second', previousWebhookSecret: 'whsec-first' };
		const { url, begun } = await listening({ sandbox, credential });
		for (const webhookSecret of ['whsec-first', 'whsec-second']) {
			expect((await deliver({ webhookSecret }, url, answerTo(webhookSecret)))[0]).toBe(200);
		}
		expect((await deliver({ webhookSecret: 'whsec-third' }, url, answerTo('q')))[0]).toBe(401);
		expect(begun()).toBe(2);

		delete credential.previousWebhookSecret;
		expect((await deliver(sandbox, url, answerTo('q')))[0]).toBe(401);
	});

	test('questions that wait get their answers by callback, whichever secret those are signed with', async () => {
		sandbox.settings.answer = () => ({ status: 'completed', answer: '', after: Infinity });
		const credential: Secrets = {};
		const parameters = { resource: 'question', operation: 'askAndWait', question: 'Is the cap usual?' };
		const parked = [await runNode({ sandbox, parameters, credential }), await runNode({ sandbox, parameters, credential })];
		expect(parked.map(({ status }) => status)).toEqual(['waiting', 'waiting']);

		Object.assign(credential, { webhookSecret: 'whsec-second', previousWebhookSecret: 'whsec-first' });
		const [first, second] = sandbox.questions.map(({ id }) => id);
		await sandbox.complete(first ?? '', { answer: 'First' });
		sandbox.callbackFaults.secret = 'whsec-second';
		await sandbox.complete(second ?? '', { answer: 'Second' });

		const over = await Promise.all(parked.map(async (run) => await run.resumed()));
		expect(over.map(({ status, json }) => [status, json[0]?.answer])).toEqual([['success', 'First'], ['success', 'Second']]);
		expect(sandbox.requests.filter(({ method }) => method === 'GET')).toEqual([]);
	});
});

/** Asks with the answer to go to another workflow's trigger. */
async function askFor({ workflowId }: Pick<Listening, 'workflowId'>, credential: Secrets = {}, more = {}): Promise<NodeRun> {
	const callbackWorkflow = workflowId;
	const parameters = { resource: 'question', operation: 'ask', question: 'Why?', callbackTarget: 'workflow', callbackWorkflow, ...more };
	return await runNode({ sandbox, credential, parameters });
}

describe('before a question is asked, its trigger', () => {
	test('is told apart by its secret: the same one may wait for the answer, whose item names the assistant', async () => {
		const trigger = await listening({ sandbox });
		const before = logs.length;
		const asked = await askFor(trigger, {}, { assistantId: { __rl: true, mode: 'id', value: 'default' } });
		expect(asked.error).toBeUndefined();
		expect(sandbox.questions[0]?.callbackUrl).toBe(`${trigger.url}?assistant_id=default`);
		expect((await trigger.waitForExecution()).itemsOf(NODE)).toMatchObject([{ json: { id: asked.json[0]?.id, assistant_id: 'default' } }]);
		expect(trigger.begun()).toBe(1);
		expect(logs.slice(before).filter(({ level }) => level !== 'debug')).toEqual([]);
	});

	test.each([
		['its ID', (id: string) => ` ${id} `],
		['the address of its editor', (id: string) => `https://n8n.example.com/workflow/${id}?new=true`],
		['the address of one of its executions', (id: string) => `https://n8n.example.com/base/workflow/${id}/executions/12`],
		['a choice that was saved', (id: string) => ({ __rl: true, mode: 'list', value: id, cachedResultName: 'Answers' })],
	])('is found by %s', async (_what, callbackWorkflow) => {
		const trigger = await listening({ sandbox });
		expect((await askFor(trigger, {}, { callbackWorkflow: callbackWorkflow(trigger.workflowId) })).error).toBeUndefined();
		expect(sandbox.questions[0]?.callbackUrl).toContain(`${trigger.url}?`);
	});

	test('is not found by its name, and the error says what to enter instead', async () => {
		const { error } = await askFor({ workflowId: 'Contract answers' });
		expect(error?.message).toContain('is not listening, so the question was not asked');
		expect(error).toHaveProperty('description', expect.stringContaining('use its address or ID, not its name'));
		expect(sandbox.questions).toEqual([]);
	});

	test('with the secret of a key that was replaced accepts both', async () => {
		const trigger = await listening({ sandbox, credential: { webhookSecret: 'whsec-second', previousWebhookSecret: 'whsec-first' } });
		expect((await askFor(trigger)).error).toBeUndefined();
		expect((await askFor(trigger, { webhookSecret: 'whsec-second' })).error).toBeUndefined();
	});

	test('says that it listens, though the clocks differ by a day, and starts nothing', async () => {
		const { url, begun } = await listening({ sandbox });
		const probe = '{"probe":"webhook_secret"}';
		const signature = signed(sandbox.webhookSecret, probe, Math.floor(Date.now() / 1000) - 86_400);
		expect(await deliver(sandbox, url, probe, { signature })).toEqual([200, { message: 'This trigger is listening.' }]);
		expect(begun()).toBe(0);
	});

	test.each<[which: string, change: (credential: Secrets) => void, message: string]>([
		['with another secret', (its) => { its.webhookSecret = 'whsec-other'; }, 'has a different "Webhook Secret" and would reject the answer'],
		['that has lost its secret', (its) => { its.webhookSecret = ''; }, 'has no "Webhook Secret" and would reject the answer'],
		['whose credential was deleted', remove, 'The credential of the Legal AI Trigger was deleted'],
	])('%s keeps the question from being asked', async (_which, change, message) => {
		const credential: Secrets = {};
		const trigger = await listening({ sandbox, credential });
		change(credential);
		expect((await askFor(trigger)).error?.message).toContain(message);
		expect(sandbox.questions).toEqual([]);
	});

	test.each([
		['the asking credential has none to compare', {}, { webhookSecret: '' }],
		['the trigger verifies nothing', { options: { verifySignature: false } }, { webhookSecret: 'whsec-other' }],
	])('gets the answer where %s', async (_where, parameters, credential) => {
		const trigger = await listening({ sandbox, parameters });
		expect((await askFor(trigger, credential)).error).toBeUndefined();
		await trigger.waitForExecution();
	});

	test('is asked once for all items, and a probe starts nothing', async () => {
		const trigger = await listening({ sandbox, credential: { webhookSecret: 'whsec-other' } });
		const callbackWorkflow = trigger.workflowId;
		const parameters = { resource: 'question', operation: 'ask', question: 'Why?', callbackTarget: 'workflow', callbackWorkflow };
		const run = await runNode({
			sandbox,
			parameters,
			items: Array.from({ length: 3 }, () => ({ json: {} })),
			node: { onError: 'continueRegularOutput' },
		});
		expect(run.json.map(({ error }) => error)).toEqual(
			[0, 1, 2].map((index) => expect.stringContaining(`so the question was not asked [item ${index}]`) as unknown),
		);
		expect(trigger.begun()).toBe(0);
	});
});

test('a trigger of the asking workflow gets the answer once it is published, and before that the question is not asked', async () => {
	const parameters = { resource: 'question', operation: 'ask', question: 'Why?', callbackTarget: 'trigger' };
	const around = workflowAround(legalAiNode({ parameters }));
	const own = legalAiNode({ parameters: {}, node: { id: 'trigger', name: 'Answers', type: LEGAL_AI_TRIGGER } });
	const workflow = { ...around, id: 'asks-and-answers', nodes: [...around.nodes, own] };

	const early = await runWorkflow(workflow, { sandbox, startNode: 'Before' });
	expect(early.error?.message).toBe('The Legal AI Trigger in "Send Answer To" is not listening, so the question was not asked [item 0]');
	expect(early.error).toHaveProperty('description', expect.stringContaining('publish the workflow'));
	expect(sandbox.questions).toEqual([]);

	const { waitForExecution } = await activate(workflow, { sandbox });
	const asked = await runWorkflow(workflow, { sandbox, startNode: 'Before' });
	expect(asked.error).toBeUndefined();
	const answered = await waitForExecution(({ id }) => id !== asked.id && id !== early.id);
	expect(answered.itemsOf('Answers')).toMatchObject([{ json: { status: 'completed' } }]);
});

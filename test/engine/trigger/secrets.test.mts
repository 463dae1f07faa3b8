import {
	ASK,
	CHECK,
	type CredentialValues,
	LEGAL_AI_TRIGGER,
	legalAiNode,
	logs,
	runWorkflow,
	type Sandbox,
	sandboxTest,
	textLike,
	textWith,
	workflowAround,
} from '../../support/fixtures.mts';
import { answerTo, deliver, listening, signed } from '../../support/engine/listening.mts';

const test = sandboxTest({ answerTime: [0, 0], webhookSecret: 'whsec-first' });

/** A credential's values for secrets, which a test may change later. */
type Secrets = {
	-readonly [Name in 'webhookSecret' | 'previousWebhookSecret']?: CredentialValues[Name];
};

const ofNewKey: Secrets = { webhookSecret: 'whsec-second', previousWebhookSecret: 'whsec-first' };

const question = 'Is the cap usual?';

/** The parameters of a question whose answer goes to another workflow's trigger. */
const toTrigger = (callbackWorkflow: unknown) => ({
	question,
	callbackTarget: 'workflow',
	callbackWorkflow: callbackWorkflow as string,
});

/** Has n8n fail to read a credential, as if it had been deleted. */
function remove(credential: Secrets) {
	Object.defineProperty(credential, 'webhookSecret', {
		enumerable: true,
		get: () => {
			throw new Error('Credential with ID "7" does not exist for type "legalAiApi".');
		},
	});
}

test('if its credential was deleted, the trigger rejects callbacks with the reason, starts nothing, and logs it once', async ({
	sandbox,
}) => {
	const credential: Secrets = {};
	const { deliver, begun } = await listening({ sandbox, credential });
	remove(credential);
	const before = logs.length;
	const message = "The credential of this receiver can't be read. Select another one in n8n.";
	for (let count = 0; count < 3; count++) {
		expect(await deliver()).toEqual([503, { error_code: 'no_credential', message }]);
	}
	expect(begun()).toBe(0);
	expect(logs.slice(before).filter(({ level }) => level !== 'debug')).toHaveLength(1);
});

describe('if the key is replaced', () => {
	test('the trigger accepts callbacks signed with either secret, and no third', async ({
		sandbox,
	}) => {
		const credential = { ...ofNewKey };
		const { url, begun } = await listening({ sandbox, credential });
		const statusOf = async (webhookSecret: string) =>
			(await deliver({ webhookSecret }, url, answerTo(webhookSecret)))[0];
		expect([
			await statusOf('whsec-first'),
			await statusOf('whsec-second'),
			await statusOf('whsec-third'),
		]).toEqual([200, 200, 401]);
		expect(begun()).toBe(2);

		delete credential.previousWebhookSecret;
		expect(await statusOf('whsec-first')).toBe(401);
	});

	test('questions that wait get their answers by callback, whichever secret those are signed with', async ({
		sandbox,
		run,
	}) => {
		sandbox.settings.answerTime = [Infinity, Infinity];
		const credential: Secrets = {};
		const parked = [
			await run('question.askAndWait', { question }, { credential }),
			await run('question.askAndWait', { question }, { credential }),
		];

		Object.assign(credential, ofNewKey);
		const [first, second] = sandbox.questions.map(({ id }) => id);
		await sandbox.complete(first ?? '', { answer: 'First' });
		sandbox.callbackFaults.secret = 'whsec-second';
		await sandbox.complete(second ?? '', { answer: 'Second' });

		const over = await Promise.all(parked.map(async (each) => await each.resumed()));
		expect(over.map(({ status, json }) => [status, json[0]?.answer])).toEqual([
			['success', 'First'],
			['success', 'Second'],
		]);
		expect(sandbox.requestsTo(CHECK)).toEqual([]);
	});
});

describe('if the key is replaced, and Base URL gets a slash,', () => {
	/** As an administrator does it: the service no longer accepts the old key. */
	function replaceKey(sandbox: Sandbox, credential: object) {
		sandbox.keys.delete(sandbox.apiKey);
		sandbox.keys.set('sk-svc-api1-new', undefined);
		Object.assign(credential, { apiKey: 'sk-svc-api1-new', baseUrl: `${sandbox.baseUrl}/` });
	}

	test('what waits is checked with the new key', async ({ sandbox, run }) => {
		sandbox.settings.answerTime = [Infinity, Infinity];
		sandbox.callbackFaults.drop = true;
		const credential = {};
		const parked = await run('question.askAndWait', { question }, { credential });
		replaceKey(sandbox, credential);
		await sandbox.complete(sandbox.asked().id, { answer: 'Yes.' });
		const over = await parked.wake();
		expect(over.json).toMatchObject([{ status: 'completed', answer: 'Yes.' }]);
		expect(sandbox.questions).toHaveLength(1);
	});

	test('a retry sends what is missing with the new key, and nothing again', async ({
		sandbox,
		run,
	}) => {
		const credential = {};
		const items = ['first', 'second'].map((words) => ({ json: { words } }));
		sandbox.faults.add({
			status: 400,
			match: ASK,
			skip: 1,
		});
		const failed = await run(
			'question.ask',
			{ question: '={{ $json.words }}' },
			{ credential, items },
		);
		expect(failed.status).toBe('error');
		replaceKey(sandbox, credential);
		const again = await failed.retry();
		expect(again.error).toBeUndefined();
		expect(sandbox.questions.map(({ text }) => text)).toEqual(['first', 'second']);
	});
});

describe('before a question is asked, its trigger', () => {
	test.for<[string, (id: string) => unknown]>([
		['its ID', (id) => ` ${id} `],
		['the address of its editor', (id) => `https://n8n.example.com/workflow/${id}?new=true`],
		[
			'the address of one of its executions',
			(id) => `https://n8n.example.com/base/workflow/${id}/executions/12`,
		],
		[
			'a choice that was saved',
			(id) => ({ __rl: true, mode: 'list', value: id, cachedResultName: 'Answers' }),
		],
	])('is found by %s', async ([, workflowBy], { sandbox, run }) => {
		const { url, workflowId } = await listening({ sandbox });
		await run('question.ask', toTrigger(workflowBy(workflowId)));
		expect(sandbox.questions).toMatchObject([{ callbackUrl: textWith(`${url}?`) }]);
	});

	test('is asked once, however many items name it', async ({ sandbox, run }) => {
		let reads = 0;
		const { workflowId } = await listening({
			sandbox,
			credential: {
				get webhookSecret() {
					return `whsec-${(reads += 1)}`;
				},
			},
		});
		const readsFor = async (count: number) => {
			reads = 0;
			await run('question.ask', toTrigger(workflowId), {
				items: Array(count).fill({ json: {} }),
				node: { onError: 'continueRegularOutput' },
			});
			return reads;
		};
		expect([await readsFor(1), await readsFor(3)]).toEqual([1, 1]);
	});

	test("can't be found by its name, and the error says what to enter instead", async ({
		sandbox,
		run,
	}) => {
		const { error } = await run('question.ask', toTrigger('Contract answers'));
		expect(error?.message).toContain(
			'listens in the workflow in "Workflow", so the question was not asked',
		);
		expect(error?.description).toContain('its address or ID, not its name');
		expect(sandbox.questions).toEqual([]);
	});

	test('confirms that it is listening even if the clocks differ by a day, and starts nothing', async ({
		sandbox,
	}) => {
		const { deliver, begun } = await listening({ sandbox });
		const probe = '{"probe":"webhook_secret"}';
		const signature = signed(sandbox.webhookSecret, probe, Math.floor(Date.now() / 1000) - 86_400);
		expect(await deliver(probe, { signature })).toEqual([
			200,
			{ message: 'This trigger is listening.' },
		]);
		expect(begun()).toBe(0);
	});

	test.for<[string, (credential: Secrets) => void, string]>([
		[
			'with another secret',
			(its) => {
				its.webhookSecret = 'whsec-other';
			},
			'has a different "Webhook Secret" and would reject the answer',
		],
		[
			'that has lost its secret',
			(its) => {
				its.webhookSecret = '';
			},
			'has no "Webhook Secret" and would reject the answer',
		],
		['whose credential was deleted', remove, 'The credential of the Legal AI Trigger was deleted'],
	])(
		'%s keeps each item from being asked, and starts nothing',
		async ([, change, message], { sandbox, run }) => {
			const credential: Secrets = {};
			const { workflowId, begun } = await listening({ sandbox, credential });
			change(credential);
			const node = { onError: 'continueRegularOutput' } as const;
			const { json } = await run('question.ask', toTrigger(workflowId), {
				items: [{ json: {} }, { json: {} }],
				node,
			});
			const error = (item: number) => textLike(new RegExp(`${message}.*\\[item ${item}\\]$`));
			expect(json).toMatchObject([{ error: error(0) }, { error: error(1) }]);
			expect([sandbox.questions, begun()]).toEqual([[], 0]);
		},
	);

	test.for<[string, object, Secrets, Secrets]>([
		['the asking credential has no secret to compare', {}, {}, { webhookSecret: '' }],
		[
			'it does not verify signatures',
			{ options: { verifySignature: false } },
			{},
			{ webhookSecret: 'whsec-other' },
		],
		['only its own key was replaced', {}, ofNewKey, {}],
		['both keys were replaced', {}, ofNewKey, { webhookSecret: 'whsec-second' }],
	])('gets the answer if %s', async ([, parameters, its, credential], { sandbox, run }) => {
		const { workflowId, waitForExecution } = await listening({
			sandbox,
			parameters: { ...parameters },
			credential: its,
		});
		const { error } = await run('question.ask', toTrigger(workflowId), { credential });
		expect(error).toBeUndefined();
		await waitForExecution();
	});
});

test('a question whose answer goes to the trigger in its own workflow is not asked unless the workflow is published', async ({
	sandbox,
}) => {
	const parameters = {
		resource: 'question',
		operation: 'ask',
		question,
		callbackTarget: 'trigger',
	};
	const around = workflowAround(legalAiNode({ parameters }));
	const own = legalAiNode({
		parameters: {},
		node: { id: 'trigger', name: 'Answers', type: LEGAL_AI_TRIGGER },
	});
	const { error } = await runWorkflow(
		{ ...around, id: 'asks-and-answers', nodes: [...around.nodes, own] },
		{ sandbox },
	);
	expect(error?.message).toBe(
		'No Legal AI Trigger listens in this workflow, so the question was not asked [item 0]',
	);
	expect(error?.description).toContain('publish the workflow');
	expect(sandbox.questions).toEqual([]);
});

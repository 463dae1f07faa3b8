import { randomUUID } from 'node:crypto';

import { callbackPayload, deliver, legalAiTrigger, triggerUrl } from '../harness/callbacks.mts';
import type { StoredCredential } from '../harness/n8nClient.mts';
import { chain, legalAi, node, webhook } from '../harness/workflows.mts';
import { askAndWait, httpHeaderAuth } from './support/handBuilt.mts';
import { processorTime } from './support/process.mts';
import { OURS } from './support/figures.mts';
import { openResults, type Target } from './support/results.mts';
import { alternate, isQuick } from './support/rounds.mts';
import { type Account, allEnded, leastNodes, type Published, Stage } from './support/stage.mts';

const WAIT = 'Wait node, header auth';
const WEBHOOK = 'Webhook node, header auth';
/** A community node that only passes on what comes: what n8n takes for any such node. */
const LEAST = 'smallest community node';

/** The two ways to run n8n, as environments: docs/self-hosting.md advises the first. */
const settings: Readonly<Record<string, Record<string, string>>> = {
	'N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE=true': { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' },
	'default setting': {},
};
const ROUNDS = isQuick ? 1 : 3;
const AT_ONCE = 10;
/** Executions that go on, or start. */
const EXECUTIONS = isQuick ? 10 : 40;
const TOKEN = { 'x-token': 'right' };

const results = openResults('callbacks', 'Callbacks, ten at a time');

/** What callbacks take of n8n. */
interface Load {
	/** Processor time a callback, in ms, with all that it starts. */
	cost: number;
	/** Callbacks accepted per second. */
	rate: number;
}

describe.each(Object.entries(settings))('%s', (setting, environment) => {
	let stage: Stage;
	let header: StoredCredential;
	beforeAll(async () => {
		stage = await Stage.open({ ...environment, N8N_CUSTOM_EXTENSIONS: leastNodes });
		header = await stage.n8n.createCredential('httpHeaderAuth', 'Token', {
			name: 'x-token',
			value: 'right',
		});
	});
	afterAll(async () => {
		await stage.close();
	});

	/** Posts callbacks, ten at a time, until everything that they start or resume has ended. */
	async function measureLoad(
		callbacks: readonly (() => Promise<number>)[],
		ended: () => Promise<void>,
	) {
		const { pid } = stage.n8n.main;
		const used = await processorTime(pid);
		const began = performance.now();
		const left = callbacks.values();
		await Promise.all(
			Array.from({ length: AT_ONCE }, async () => {
				for (const post of left) expect(await post()).toBe(200);
			}),
		);
		const seconds = (performance.now() - began) / 1000;
		await ended();
		return {
			cost: ((await processorTime(pid)) - used) / callbacks.length,
			rate: callbacks.length / seconds,
		};
	}

	/** Measures contenders in turns, each once before to warm up. */
	async function compare(
		what: string,
		meaning: string,
		contenders: Readonly<Record<string, () => Promise<Load>>>,
		targets: Readonly<Record<'cost' | 'rate', readonly Target[]>>,
		note?: string,
	) {
		const loads = Object.entries(await alternate(contenders, { rounds: ROUNDS }));
		const each = (figure: keyof Load) =>
			Object.fromEntries(loads.map(([name, all]) => [name, all.map((load) => load[figure])]));
		results.figure({
			what: `${what}, ${setting}: processor time`,
			unit: 'ms',
			contenders: each('cost'),
			targets: targets.cost,
			meaning,
		});
		results.figure({
			what: `${what}, ${setting}: accepted per second`,
			unit: 'callbacks',
			contenders: each('rate'),
			targets: targets.rate,
			note,
		});
	}

	/** Parks executions of one question each, and answers all: each goes on to its end. */
	async function resumed(
		publish: (account: Account) => Promise<Published>,
		headers?: Record<string, string>,
	) {
		// Its questions are answered by the bench alone.
		const account = await stage.account({
			answer: () => ({ status: 'completed', answer: '', after: Infinity }),
		});
		const workflow = await publish(account);
		for (let count = 0; count < EXECUTIONS; count += 1) await workflow.start();
		await workflow.reached(EXECUTIONS, 'waiting');
		const { sandbox } = account;
		// Ours asks the service for the answer once it rings; n8n's Wait node takes what is posted to it.
		sandbox.callbackFaults.drop = true;
		for (const { id } of [...sandbox.questions]) await sandbox.complete(id);
		const callbacks = sandbox.questions.map(
			({ callbackUrl }) =>
				async () =>
					await posted(callbackUrl ?? '', headers),
		);
		return await measureLoad(callbacks, async () => {
			await workflow.reached(EXECUTIONS, 'success');
		});
	}

	async function posted(url: string, headers?: Record<string, string>) {
		const body = JSON.stringify(callbackPayload());
		const response = await fetch(url, {
			method: 'POST',
			headers: { 'content-type': 'application/json', ...headers },
			body,
		});
		await response.arrayBuffer();
		return response.status;
	}

	test('an execution that continues with its answer', async () => {
		const own = async (account: Account) => {
			const ask = legalAi('Ask', account.credential, {
				resource: 'question',
				operation: 'askAndWait',
				question: 'May we sign?',
			});
			return await stage.publish('Resumed', [ask], 'onReceived');
		};
		const theirs = async (account: Account) =>
			await stage.publish('Wait', askAndWait(account, header), 'onReceived');
		await compare(
			'An execution continues with its answer',
			'Waiting for an answer costs no more than with n8n’s own Wait node, although Legal AI also asks the service for the answer.',
			{
				[OURS]: async () => await resumed(own),
				[WAIT]: async () => await resumed(theirs, TOKEN),
			},
			{
				cost: [{ against: WAIT, atMost: 1 }],
				rate: [{ against: WAIT, atLeast: 1 }],
			},
		);
	});

	test('a callback that starts a workflow', async () => {
		const account = await stage.account();
		const next = node('Next', 'n8n-nodes-base.noOp', {});
		const own = await stage.n8n.publish(
			chain('Trigger', [legalAiTrigger('Trigger', account.credential), next]),
		);
		const ownUrl = triggerUrl(stage.n8n, own);
		const leastTrigger = legalAi(
			'Trigger',
			account.credential,
			{},
			{ type: 'CUSTOM.leastTrigger', typeVersion: 1.1 },
		);
		const least = await stage.n8n.publish(chain('Least', [leastTrigger, next]));
		const path = randomUUID();
		const theirs = {
			...webhook(path, { authentication: 'headerAuth' }),
			credentials: httpHeaderAuth(header),
		};
		await stage.n8n.publish(chain('Webhook', [theirs, next]));
		const starting = (post: () => Promise<number>) => async () =>
			await measureLoad(
				Array.from({ length: EXECUTIONS }, () => post),
				async () => {
					await allEnded(stage.n8n);
				},
			);
		await compare(
			'A signed callback starts a workflow',
			'For each callback, n8n evaluates the address of the trigger. Its own Webhook node has a fixed address, which takes less time.',
			{
				[OURS]: starting(
					async () => (await deliver(account.sandbox, ownUrl, callbackPayload()))[0],
				),
				[LEAST]: starting(
					async () => await posted(`${stage.n8n.baseUrl}/webhook/least/${least.id}`),
				),
				[WEBHOOK]: starting(
					async () => await posted(`${stage.n8n.baseUrl}/webhook/${path}`, TOKEN),
				),
			},
			{ cost: [{ against: LEAST, atMost: 1.1 }], rate: [{ against: LEAST, atLeast: 0.9 }] },
			'The smallest community node is a trigger that only passes on what comes. Like the Legal AI Trigger, it reads its credential and has an address for each workflow. So it shows how much time n8n itself takes.',
		);
	});
});

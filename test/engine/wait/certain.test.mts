import type { INodeParameters } from 'n8n-workflow';

import type { FaultRule } from '../../sandbox/faults.mts';
import type { LoggedRequest } from '../../sandbox/requests.mts';
import { freshNodes } from '../../support/engine/freshNodes.mts';
import {
	AFTER,
	ASK,
	binaryItem,
	type Execution,
	type NodeRunOptions,
	operations,
	questions,
	runNode,
	type Sandbox,
	test,
	textWith,
	type Wait,
} from '../../support/fixtures.mts';
import { LOGGED_MS, words } from '../../support/wait/killed.mts';

/*
 * S: what the service certainly has not accepted is sent by a retry, whatever stops the execution meanwhile: a Stop, a kill, or the failure of
 * another item. And what may have been accepted is not.
 */

const SECOND = 1_000;

/** Of a process that knows of no pause yet. */
let nodeTypes: Awaited<ReturnType<typeof freshNodes>>;
beforeEach(async () => {
	nodeTypes = await freshNodes();
});

const asked = (service: Sandbox) => service.questions.map(({ text }) => text);

/** The service turns the first question away, and asks to wait. */
const TURNED_AWAY: FaultRule = { status: 429, headers: { 'retry-after': '6' }, match: ASK };
const nowhere = { baseUrl: 'http://127.0.0.1:9/api/v1' };

type Ask = (more?: Partial<NodeRunOptions>) => Promise<Execution>;

/** Begins to ask: the clock moves only as the test says. */
const begin = async (
	{ service, n8n }: Wait,
	parameters: INodeParameters,
	more: Partial<NodeRunOptions> = {},
) => await runNode({ service, n8n, items: questions(1), parameters, nodeTypes, ...more });

/** What turns a question away, so that the node pauses before it tries again; gives what asks then. */
const turnsAway: [string, (wait: Wait, parameters: INodeParameters) => Ask][] = [
	[
		'was turned away with 429',
		(wait, parameters) => {
			wait.service.faults.add(TURNED_AWAY);
			return (more) => begin(wait, parameters, more);
		},
	],
	[
		'could not be sent, as the connection was refused',
		(wait, parameters) => {
			const credential = { ...nowhere };
			const { baseUrl } = wait.service;
			setTimeout(() => Object.assign(credential, { baseUrl }), 10 * SECOND);
			return (more) => begin(wait, parameters, { credential, ...more });
		},
	],
];

/** What stops the execution during the pause; gives what is to be retried. */
const stops: [string, (wait: Wait, ask: Ask) => Promise<Execution>][] = [
	[
		'n8n was killed',
		async ({ clock, n8n, restart }, ask) => {
			void ask();
			await clock.pass(LOGGED_MS);
			await restart();
			const crashed = n8n.endings.entries.at(-1);
			if (crashed?.status !== 'crashed') throw new Error('Nothing has crashed');
			return crashed;
		},
	],
	[
		'the execution was stopped',
		async ({ clock }, ask) => {
			const stopping = new AbortController();
			setTimeout(() => {
				stopping.abort();
			}, 4 * SECOND);
			const stopped = await clock.settle(ask({ signal: stopping.signal }));
			expect(stopped.status).toBe('canceled');
			return stopped;
		},
	],
];

describe.each(turnsAway)('a question that %s', (_what, turnAway) => {
	describe.each(['Ask', 'Ask and Wait'])('with the operation "%s"', (operation) => {
		test.for(stops)(
			'is sent by a retry if %s during the pause',
			async ([, stop], { service, clock, wait }) => {
				const ended = await stop(wait, turnAway(wait, operations[operation] ?? {}));
				expect(asked(service)).toEqual([]);
				await clock.pass(30 * SECOND);
				const retried = await clock.settle(ended.retry());
				expect(retried.error?.message).toBeUndefined();
				expect(asked(service)).toEqual(['Question 0']);
			},
		);
	});
});

test('a question that was turned away with 429 is sent by a retry if another item fails during the pause', async ({
	service,
	clock,
	wait,
}) => {
	service.faults.add(TURNED_AWAY);
	service.faults.add({ kind: 'latency', ms: 3 * SECOND, match: ASK, skip: 1 });
	service.faults.add({ status: 422, match: ASK });
	const failed = await wait.ask({ items: questions(2), fields: operations.Ask, nodeTypes });
	expect(failed.status).toBe('error');
	expect(wait.posted()).toBe(2);
	expect(asked(service)).toEqual([]);
	await clock.pass(30 * SECOND);
	const retried = await clock.settle(failed.retry());
	expect(retried.error?.message).toBeUndefined();
	expect(asked(service).toSorted()).toEqual(['Question 0', 'Question 1']);
});

test('a question that was rejected in an earlier run of the node is sent by a retry, and those of the run in which n8n was killed are not', async ({
	service,
	killed,
}) => {
	service.faults.add({ status: 422, match: ASK });
	const crashed = await killed.killWhileSending(
		() => killed.start({ words: words(3), runsTwice: true }),
		{ match: ({ route }) => route === ASK, skip: 1 },
	);
	expect(killed.accepted()).toEqual(['Words 1']);
	const ended = await killed.finish(crashed.retry());
	expect(killed.accepted()).toEqual(['Words 1', 'Words 0']);
	// The items of the last run.
	expect(ended.readItems(AFTER).map(({ json }) => json.error)).toEqual([
		textWith('Sending was interrupted'),
		textWith('Sending was interrupted'),
	]);
});

test('questions of a batch whose Base URL is edited to another host meanwhile are sent by a retry: none has left this n8n', async ({
	service,
	clock,
	wait,
}) => {
	const credential = { baseUrl: service.baseUrl };
	const edit = ({ method }: LoggedRequest) => {
		if (method === 'PUT')
			Object.assign(credential, { baseUrl: 'https://other.legal-ai.example.com/api/v1' });
		return false;
	};
	service.faults.add({ kind: 'hang', match: edit });
	const items = await Promise.all(
		questions(15).map(async (item) => ({ ...(await binaryItem('%PDF')), ...item })),
	);
	const fields = { ...operations.Ask, attachments: { attachment: [{ source: 'allBinary' }] } };
	const failed = await wait.ask({ items, fields, credential });
	expect(failed.status).toBe('error');
	expect(wait.posted()).toBe(0);
	service.faults.clear();
	Object.assign(credential, { baseUrl: service.baseUrl });
	const retried = await clock.settle(failed.retry());
	expect(retried.error?.message).toBeUndefined();
	expect(asked(service).toSorted()).toEqual(items.map(({ json }) => json.words).toSorted());
});

test.for([307, 308])(
	'a question that was redirected with %i, which is not followed, is sent by a retry',
	async (status, { service, clock, wait }) => {
		service.faults.add({
			kind: 'redirect',
			location: 'https://elsewhere.example.com/',
			status,
			match: ASK,
		});
		const failed = await wait.ask({ fields: operations.Ask });
		expect(failed.status).toBe('error');
		const retried = await clock.settle(failed.retry());
		expect(retried.error?.message).toBeUndefined();
		expect(asked(service)).toEqual(['Question 0']);
	},
);

test('a question whose response was cut off before the execution was stopped is not sent by a retry: the service may have it', async ({
	service,
	clock,
	wait,
}) => {
	service.faults.add({ kind: 'reset', when: 'handled', match: ASK });
	const failed = await wait.ask({ fields: operations.Ask });
	await clock.rest();
	const retried = await clock.settle(failed.retry());
	expect(retried.status).toBe('error');
	expect(asked(service)).toEqual(['Question 0']);
});

import type { INodeParameters } from 'n8n-workflow';

import type { FaultRule } from '../../sandbox/faults.mts';
import type { LoggedRequest } from '../../sandbox/requests.mts';
import { freshNodes } from '../../support/engine/freshNodes.mts';
import { LOGGED_MS } from '../../support/wait/killing.mts';
import {
	ASK,
	binaryItem,
	type Execution,
	type NodeRunOptions,
	onStoppedClock,
	operations,
	pass,
	questions,
	rest,
	runNode,
	settle,
} from '../../support/wait/onStoppedClock.mts';

/*
 * S: what the service certainly has not accepted is sent by a retry, whatever stops the execution meanwhile: a Stop, a kill, or the failure of
 * another item. And what may have been accepted is not.
 */

const SECOND = 1_000;

const world = await onStoppedClock();
const { sandbox, posted } = world;

/** Of a process that knows of no pause yet. */
let nodeTypes: Awaited<ReturnType<typeof freshNodes>>;
beforeEach(async () => {
	nodeTypes = await freshNodes();
});

const asked = () => sandbox.questions.map(({ text }) => text);

/** The service turns the first question away, and asks to wait. */
const TURNED_AWAY: FaultRule = { status: 429, headers: { 'retry-after': '6' }, match: ASK };
const nowhere = { baseUrl: 'http://127.0.0.1:9/api/v1' };

type Ask = (more?: Partial<NodeRunOptions>) => Promise<Execution>;

/** Begins to ask: the clock moves only as the test says. */
const begin = async (parameters: INodeParameters, more: Partial<NodeRunOptions> = {}) =>
	await runNode({ sandbox, n8n: world.n8n, items: questions(1), parameters, nodeTypes, ...more });

/** What turns a question away, so that the node pauses before it tries again; gives what asks then. */
const turnsAway: [string, (parameters: INodeParameters) => Ask][] = [
	[
		'was turned away with 429',
		(parameters) => {
			sandbox.faults.add(TURNED_AWAY);
			return (more) => begin(parameters, more);
		},
	],
	[
		'could not be sent, as the connection was refused',
		(parameters) => {
			const credential = { ...nowhere };
			setTimeout(() => Object.assign(credential, { baseUrl: sandbox.baseUrl }), 10 * SECOND);
			return (more) => begin(parameters, { credential, ...more });
		},
	],
];

/** What stops the execution during the pause; gives what is to be retried. */
const stops: [string, (ask: Ask) => Promise<Execution>][] = [
	[
		'n8n was killed',
		async (ask) => {
			void ask();
			await pass(LOGGED_MS);
			await world.restart();
			const crashed = world.n8n.endings.entries.at(-1);
			if (crashed?.status !== 'crashed') throw new Error('Nothing has crashed');
			return crashed;
		},
	],
	[
		'the execution was stopped',
		async (ask) => {
			const stopping = new AbortController();
			setTimeout(() => {
				stopping.abort();
			}, 4 * SECOND);
			const stopped = await settle(ask({ signal: stopping.signal }));
			expect(stopped.status).toBe('canceled');
			return stopped;
		},
	],
];

describe.each(turnsAway)('a question that %s', (_what, turnAway) => {
	describe.each(['Ask', 'Ask and Wait'])('with the operation "%s"', (operation) => {
		test.each(stops)('is sent by a retry if %s during the pause', async (_how, stop) => {
			const ended = await stop(turnAway(operations[operation] ?? {}));
			expect(asked()).toEqual([]);
			await pass(30 * SECOND);
			const retried = await settle(ended.retry());
			expect(retried.error?.message).toBeUndefined();
			expect(asked()).toEqual(['Question 0']);
		});
	});
});

test('a question that was turned away with 429 is sent by a retry if another item fails during the pause', async () => {
	sandbox.faults.add(TURNED_AWAY);
	sandbox.faults.add({ kind: 'latency', ms: 3 * SECOND, match: ASK, skip: 1 });
	sandbox.faults.add({ status: 422, match: ASK });
	const failed = await world.ask({ items: questions(2), fields: operations.Ask, nodeTypes });
	expect(failed.status).toBe('error');
	expect(posted()).toBe(2);
	expect(asked()).toEqual([]);
	await pass(30 * SECOND);
	const retried = await settle(failed.retry());
	expect(retried.error?.message).toBeUndefined();
	expect(asked().toSorted()).toEqual(['Question 0', 'Question 1']);
});

test('questions of a batch whose Base URL is edited to another host meanwhile are sent by a retry: none has left this n8n', async () => {
	const credential = { baseUrl: sandbox.baseUrl };
	const edit = ({ method }: LoggedRequest) => {
		if (method === 'PUT')
			Object.assign(credential, { baseUrl: 'https://other.legal-ai.example.com/api/v1' });
		return false;
	};
	sandbox.faults.add({ kind: 'hang', match: edit });
	const items = await Promise.all(
		questions(15).map(async (item) => ({ ...(await binaryItem('%PDF')), ...item })),
	);
	const fields = { ...operations.Ask, attachments: { attachment: [{ source: 'allBinary' }] } };
	const failed = await world.ask({ items, fields, credential });
	expect(failed.status).toBe('error');
	expect(posted()).toBe(0);
	sandbox.faults.clear();
	Object.assign(credential, { baseUrl: sandbox.baseUrl });
	const retried = await settle(failed.retry());
	expect(retried.error?.message).toBeUndefined();
	expect(asked().toSorted()).toEqual(items.map(({ json }) => json.words).toSorted());
});

test.each([307, 308])(
	'a question that was redirected with %i, which is not followed, is sent by a retry',
	async (status) => {
		sandbox.faults.add({
			kind: 'redirect',
			location: 'https://elsewhere.example.com/',
			status,
			match: ASK,
		});
		const failed = await world.ask({ fields: operations.Ask });
		expect(failed.status).toBe('error');
		const retried = await settle(failed.retry());
		expect(retried.error?.message).toBeUndefined();
		expect(asked()).toEqual(['Question 0']);
	},
);

test('a question whose response was cut off before the execution was stopped is not sent by a retry: the service may have it', async () => {
	sandbox.faults.add({ kind: 'reset', when: 'handled', match: ASK });
	const failed = await world.ask({ fields: operations.Ask });
	await rest();
	const retried = await settle(failed.retry());
	expect(retried.status).toBe('error');
	expect(asked()).toEqual(['Question 0']);
});

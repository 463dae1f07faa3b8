import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { countedHints, hints } from '../../../nodes/LegalAi/messages/hints.ts';
import type { SandboxSettings } from '../../sandbox/sandbox.mts';
import { accelerateClock, releaseClock } from '../../support/clock.mts';
import { Instance, LEGAL_AI, runNode, type NodeRunOptions } from '../../support/engine/engine.mts';
import { asToolOf, seenAs } from '../../support/engine/seenAs.mts';
import { sandboxOfFile } from '../../support/lifetimes.mts';
import { ASK, CHECK, ended } from './waits.mts';

vi.setConfig({ testTimeout: 30_000 });

const MINUTE = 60_000;

const sandbox = await sandboxOfFile({ newSessionsPerMinute: Infinity, requestsPerMinute: Infinity });
let n8n: Instance;
beforeEach(async () => {
	accelerateClock(600);
	n8n = await Instance.start();
	n8n.track();
});
afterEach(async () => {
	await n8n.close();
	releaseClock();
});

const parameters = { resource: 'question', question: '={{ $json.words ?? "May we sign?" }}' };

/** Asks and waits, by polling unless told otherwise, until all is out. */
const askAndWait = async (
	{ options, ...changes }: INodeParameters & { options?: INodeParameters } = {},
	more: Partial<NodeRunOptions> = {},
) =>
	await ended(
		await runNode({
			sandbox,
			n8n,
			parameters: { ...parameters, operation: 'askAndWait', options: { waitUsing: 'polling', ...options }, ...changes },
			...more,
		}),
	);

const waitForAnswer = async (items: INodeExecutionData[], options: INodeParameters = {}) =>
	await ended(
		await runNode({ sandbox, n8n, items, parameters: { resource: 'question', operation: 'waitForAnswer', options } }),
	);

/** An answer that stays out. */
const never: SandboxSettings['answer'] = () => ({ status: 'completed', answer: '', after: Infinity });

const sent = (route: string) => sandbox.requests.filter((request) => request.route === route);

describe('question: ask and wait, by polling', () => {
	test.each(['completed', 'error', 'filtered'] as const)('ends on %s, which comes out as data', async (status) => {
		sandbox.settings.answer = () => ({ status, answer: `It is ${status}.`, after: MINUTE });
		const run = await askAndWait();
		expect(run.json).toMatchObject([{ status, answer: `It is ${status}.` }]);
		expect(sandbox.requests.at(-1)?.route).toBe(status === 'filtered' ? ASK : CHECK);
		expect(sent(CHECK).length).toBeLessThan(8);
	});

	test('says that the service could not answer, or fails the item if that is wanted', async () => {
		sandbox.settings.answer = () => ({ status: 'error', answer: 'The PDF is locked.', after: 0 });
		expect((await askAndWait()).hints).toEqual([countedHints.notAnswered.one]);
		const run = await askAndWait({ options: { onErrorStatus: 'fail' } });
		expect(run.status).toBe('error');
		expect(run.error?.message).toContain('The PDF is locked.');
		expect(run.error?.description).toContain(sandbox.questions[1]?.id);
	});

	test('ends when Max Wait is over: the question comes out unanswered, with all that it takes to go on', async () => {
		sandbox.settings.answer = never;
		const run = await askAndWait({ options: { maxWait: 4 } });
		const [asked] = sandbox.questions;
		expect(run.json).toMatchObject([
			{ id: asked?.id, session_id: asked?.sessionId, status: 'in_progress', answer: null, timed_out: true },
		]);
		expect(run.json[0]?.session_url).toEqual(expect.stringContaining('http'));
		expect(run.hints).toEqual([countedHints.timedOut.one]);
		const last = sandbox.requests.at(-1)?.at ?? 0;
		expect(last - (sandbox.requests[0]?.at ?? 0)).toBeLessThan(6 * MINUTE);
	});

	test('ends at once when the execution is stopped', async () => {
		sandbox.settings.answer = never;
		const stop = new AbortController();
		const running = askAndWait({}, { signal: stop.signal });
		await sandbox.waitForRequest(({ route }) => route === CHECK, MINUTE);
		stop.abort();
		expect((await running).status).toBe('canceled');
	});

	test('where another node runs it as its tool, whatever the node says', async () => {
		sandbox.settings.answerTime = [MINUTE, MINUTE];
		const { LegalAi } = await import('../../../nodes/LegalAi/LegalAi.node.ts');
		const run = await askAndWait({ options: { waitUsing: 'callback' } }, { nodeTypes: { [LEGAL_AI]: seenAs(new LegalAi(), { execute: asToolOf('Agent') }) } });
		expect(run.json).toMatchObject([{ status: 'completed' }]);
		expect(sandbox.questions[0]?.callbackUrl).toBeUndefined();
	});
});

describe('question: ask and wait, in sync mode', () => {
	test('brings the answer with the request itself, and no hint', async () => {
		sandbox.settings.answerTime = [5_000, 5_000];
		const run = await askAndWait({ options: { waitUsing: 'sync' } });
		expect(run.json).toMatchObject([{ status: 'completed' }]);
		expect(run.hints).toEqual([]);
		expect(sandbox.requests).toHaveLength(1);
		expect(sandbox.questions[0]?.syncMode).toBe(true);
	});

	test('past its 30 seconds gives the question, marked, and says how to go on', async () => {
		const run = await askAndWait({ options: { waitUsing: 'sync' } });
		expect(run.json).toMatchObject([{ status: 'in_progress', timed_out: true, id: sandbox.questions[0]?.id }]);
		expect(run.hints).toEqual([hints.syncTookTooLong]);
	});

	test.each([408, 504] as const)('past its 30 seconds with %s says what that was, and asks nothing twice', async (status) => {
		sandbox.settings.syncPastLimit = status;
		const run = await askAndWait({ options: { waitUsing: 'sync' } });
		expect(run.status).toBe('error');
		expect(run.error?.message).toContain(`(${status})`);
		expect(run.error?.description).toContain('30 seconds for a synchronous question');
		expect(sent(ASK)).toHaveLength(1);
	});
});

test('question: ask, for items of one session, asks each once the one before is answered', async () => {
	sandbox.settings.answerTime = [0, 0];
	const opened = await runNode({ sandbox, parameters: { ...parameters, operation: 'ask' } });
	sandbox.settings.answerTime = [MINUTE, MINUTE];
	const items = ['A1', 'B', 'A2', 'A3'].map((words) => ({ json: { words, session: opened.json[0]?.session_id } }));
	const sessionId = '={{ $json.words === "B" ? "" : $json.session }}';
	const run = await askAndWait({ operation: 'ask', additionalFields: { sessionId } }, { items });

	expect(run.status).toBe('success');
	const order = sandbox.questions.slice(1).map(({ text }) => text);
	expect(order.filter((text) => text !== 'B')).toEqual(['A1', 'A2', 'A3']);
	expect(order.slice(0, 2)).toContain('B');
	expect(run.json.map(({ id }) => sandbox.questions.find((asked) => asked.id === id)?.text)).toEqual(['A1', 'B', 'A2', 'A3']);
});

describe('question: waitForAnswer', () => {
	test('passes on what is answered, and waits for the rest', async () => {
		sandbox.settings.answerTime = [0, 0];
		const answered = await askAndWait({ operation: 'ask' }, { items: [{ json: { words: 'early' } }] });
		const early = await waitForAnswer(answered.items);
		sandbox.settings.answerTime = [2 * MINUTE, 2 * MINUTE];
		const late = await askAndWait({ options: { maxWait: 0 } });
		const before = sent(CHECK).length;

		const run = await waitForAnswer([...early.items, ...late.items]);
		expect(run.json).toMatchObject([{ status: 'completed' }, { status: 'completed' }]);
		expect(run.json[0]).toEqual(early.json[0]);
		expect(run.json[1]).not.toHaveProperty('timed_out');
		const lateId = sandbox.questions[1]?.id ?? '';
		expect(sent(CHECK).slice(before).every(({ path }) => path.endsWith(lateId))).toBe(true);
	});

	test('passes on what is answered already, without a request', async () => {
		const id = 'q1';
		const answered = { id, status: 'completed', answer: 'Yes', assistant_id: 'default' };
		const json = { ...answered, session_id: id, session_url: null, reason: null };
		const run = await waitForAnswer([{ json }]);
		expect(run.items).toMatchObject([{ json }]);
		expect(sandbox.requests).toHaveLength(0);
	});

	test('with time to wait goes on through minutes of faults', async () => {
		const asked = await askAndWait({ operation: 'ask' });
		sandbox.faults.add({ kind: 'status', status: 429, headers: { 'retry-after': '90' }, match: CHECK });
		const run = await waitForAnswer(asked.items, { maxWait: 30 });
		expect(run.json).toMatchObject([{ status: 'completed' }]);
	});

	test('finds a question by the assistant that the item brings along', async () => {
		const assistantId = sandbox.organization.assistants.find(({ id, apiIntake }) => id !== 'default' && apiIntake)?.id;
		const asked = await askAndWait({ operation: 'ask', assistantId: { __rl: true, mode: 'id', value: assistantId } });
		const run = await waitForAnswer(asked.items, { maxWait: 0 });
		expect(run.json).toMatchObject([{ assistant_id: assistantId }]);
	});

	test('without a question ID says so before any request', async () => {
		const run = await waitForAnswer([{ json: {} }]);
		expect(run.error?.message).toContain('"Question ID"');
		expect(sandbox.requests).toHaveLength(0);
	});
});

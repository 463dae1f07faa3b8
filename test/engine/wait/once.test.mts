import { Socket } from 'node:net';

import type { INodeType, IRunExecutionData } from 'n8n-workflow';

import { LegalAi } from '../../../nodes/LegalAi/LegalAi.node.ts';
import type { FaultEffect } from '../../sandbox/faults.mts';
import { readData } from '../../support/engine/database.mts';
import { freshNodes } from '../../support/engine/freshNodes.mts';
import { breakProcessedData } from '../../support/engine/processedData.mts';
import { asToolOf, seenAs } from '../../support/engine/seenAs.mts';
import { callSubWorkflow } from '../../support/wait/caller.mts';
import { killing, list, words, workflowOf } from '../../support/wait/killing.mts';
import {
	AFTER,
	answersOf,
	answersTo,
	ASK,
	continuing,
	LEGAL_AI,
	logs,
	operations,
	pass,
	questions,
	settle,
	storeBinary,
	textLike,
	textWith,
} from '../../support/wait/onStoppedClock.mts';

/*
 * The specification of "asked once, and every answer comes out": a test for each scenario, through the node alone. More ways to kill
 * n8n are in crashes.test.mts, any order of events in model.test.mts.
 */

const killed = await killing();
const { world, start, accepted, killedInSending, over, expectOnce } = killed;
const { sandbox, ask, completeSilently, wakeInTime, posted } = world;

const asked = () => sandbox.questions.map(({ text }) => text);

test('A: killed while it sends, in a workflow with a side branch, a retry sends only what was not sent', async () => {
	const run = () => start({ words: words(12), hasSideBranch: true });
	expectOnce(await over((await killedInSending(run)).retry()), 12);
});

test('B: killed in a portion, a retry sends what was not begun, and nothing of the portions before again', async () => {
	sandbox.settings.newSessionsPerMinute = 60;
	const parked = await settle(start({ words: words(150) }));
	expect([parked.status, accepted().length < 100]).toEqual(['waiting', true]);
	const execution = await killedInSending(() => wakeInTime(parked));
	expectOnce(await over(execution.retry()), 150);
});

test('C: killed as files are uploaded, nothing was asked, and a retry asks all', async () => {
	list.binary = { data: await storeBinary('%PDF-1.7', { fileName: 'NDA.pdf' }) };
	const parameters = { attachments: { attachment: [{ source: 'allBinary' }] } };
	const execution = await killedInSending(() => start({ parameters }), {
		match: ({ method }) => method === 'PUT',
		skip: 0,
	});
	expect(asked()).toEqual([]);
	expectOnce(await over(execution.retry()), 6);
});

test('D: a question that ended with "error", and whose POST certainly failed in a retry, is asked again by a retry of that', async () => {
	const parked = await ask({ items: questions(2) });
	await completeSilently('Question 0', 'error');
	const body = { error_code: 'resource_not_found', message: 'Gone' };
	sandbox.faults.add({ status: 404, body, match: world.isCheckOf('Question 1') });
	const failed = await wakeInTime(parked);
	sandbox.faults.add({ status: 422, match: ASK });
	const refused = await settle(failed.retry());
	expect([failed.status, refused.status, asked().length]).toEqual(['error', 'error', 2]);
	expect((await settle(refused.retry())).status).toBe('waiting');
	expect(asked().slice(2)).toEqual(['Question 0']);
});

test('E: texts that are others each time are not sent by a retry that can not tell what was sent', async () => {
	const parameters = { question: '={{ $json.words }} at {{ $now.toMillis() }}' };
	const ended = await over((await killedInSending(() => start({ parameters }))).retry());
	expectOnce(ended, 6, { arrived: 2, unsure: 6 });
});

test("F: a retry sends nothing while n8n's store can't be read, and the next one sends what was not sent", async () => {
	const execution = await killedInSending(() => start({ node: {} }));
	breakProcessedData(true);
	const failed = await over(execution.retry());
	expect([failed.status, accepted().length]).toEqual(['error', 2]);
	expect(failed.error?.message).toContain('The database of n8n did not say what was sent');
	breakProcessedData(false);
	expectOnce(await over(failed.retry(workflowOf({}))), 6);
});

test('G: with what another version of the node has stored, a callback is to be sent again (503), and nothing flows on, and the IDs are in the log and in the error', async () => {
	const parked = await ask({ items: questions(2) });
	const { database } = world.n8n;
	const data = readData(database.get(parked.id));
	const stack = JSON.stringify(data.executionData?.nodeExecutionStack);
	const changed = stack.replaceAll(/"version":\d+/g, '"version":99');
	expect(changed).not.toBe(stack);
	Object.assign(data.executionData ?? {}, { nodeExecutionStack: JSON.parse(changed) as unknown });
	database.update(parked.id, { data: data satisfies IRunExecutionData });
	for (const { id } of sandbox.questions) await settle(sandbox.complete(id));
	expect(sandbox.callbacks).toMatchObject([{ status: 503 }, { status: 503 }]);
	expect(database.get(parked.id).status).toBe('waiting');
	const failed = await wakeInTime(parked);
	expect([failed.status, failed.runData[AFTER], posted()]).toEqual(['error', undefined, 2]);
	const logged = logs.map(({ message }) => message).join();
	for (const { id } of sandbox.questions)
		expect([logged, failed.error?.description]).toEqual([textWith(id), textWith(id)]);
});

test('H: two executions of one workflow with the same words both ask, and both get their answer', async () => {
	const parked = [await ask(), await ask()];
	expect(asked()).toEqual(['Question 0', 'Question 0']);
	for (const { id } of sandbox.questions)
		await settle(sandbox.complete(id, { answer: `To ${id}` }));
	const answers = await Promise.all(parked.map(async (run) => (await settle(run.resumed())).json));
	expect(answers).toMatchObject(sandbox.questions.map(({ id }) => [{ answer: `To ${id}` }]));
});

test('I: of two workers that run one node, no note is lost, and none comes back that was taken back', async () => {
	const [one, other] = [await freshNodes(), await freshNodes()];
	const runIn = async (nodeTypes: typeof one, text: string, effect: FaultEffect) => {
		sandbox.faults.add({ ...effect, match: ASK });
		void start({ nodeTypes, words: [text], node: {} });
		await pass(1_000);
	};
	await runIn(one, 'Stuck 1', { kind: 'hang' });
	await runIn(other, 'Refused', { status: 422 });
	await runIn(one, 'Stuck 2', { kind: 'hang' });
	await runIn(other, 'Stuck 3', { kind: 'hang' });
	await killed.crashed();
	const { entries } = world.n8n.endings;
	expect(entries.map(({ status }) => status)).toEqual(['error', 'crashed', 'crashed', 'crashed']);
	for (const failed of [...entries]) await over(failed.retry());
	expect(asked()).toEqual(['Refused']);
});

test('J: what was over at its POST is looked at again, and not asked, by a run that continues from an older state', async () => {
	const parked = await world.askInTurn();
	await completeSilently('A');
	const atOnce = (body: string) =>
		JSON.stringify({ ...(JSON.parse(body) as object), status: 'completed', answer: 'At once' });
	const fault = sandbox.faults.add({ kind: 'body', body: atOnce, match: ASK });
	await world.whileBusy(parked);
	expect([fault.fired, asked().toSorted()]).toEqual([1, ['A', 'B', 'Open', 'Opening']]);
	await completeSilently('B');
	await completeSilently('Open');
	const over = await settle(
		world.n8n.endings.waitFor(({ id, status }) => id === parked.id && status === 'success'),
	);
	expect(answersOf(over)).toEqual(answersTo('A', 'B', 'Open'));
	expect(posted()).toBe(4);
});

test.each([
	['Ask', 80],
	['Create Task', 500],
])(
	'K: in a sub-execution, %s never parks: n8n would go on after the first item',
	async (operation, count) => {
		Object.assign(sandbox.settings, { newSessionsPerMinute: 60, requestsPerMinute: 400 });
		const parameters = operations[operation];
		const ended = await callSubWorkflow(world, { parameters, items: questions(count) });
		expect([ended.status, ended.itemsOf(AFTER).length]).toEqual(['success', count]);
		const { entries } = world.n8n.endings;
		expect(entries.filter(({ status }) => status === 'waiting')).toEqual([]);
	},
);

test.each(['Ask', 'Ask and Wait'])(
	'L: with an item in doubt, a retry of %s sends all others, then ends with the error and the IDs',
	async (operation) => {
		const given = { operation, node: {}, words: words(20) };
		const failed = await over((await killedInSending(() => start(given))).retry());
		expect([failed.status, accepted().length]).toEqual(['error', 20 - killed.hung]);
		expect(failed.error?.message).toEqual(textWith('interrupted'));
		expect(failed.error?.description).toEqual(textLike(/On Error.*Continue/));
		for (const { id } of sandbox.questions.slice(2))
			expect(failed.error?.description).toContain(id);
		expectOnce(await over(failed.retry(workflowOf({ ...given, node: continuing }))), 20);
	},
);

test('M: a time-out of connecting is tried again, since nothing was accepted', async () => {
	const error = Object.assign(new Error('connect ETIMEDOUT'), {
		code: 'ETIMEDOUT',
		syscall: 'connect',
	});
	const connect = vi.spyOn(Socket.prototype, 'connect').mockImplementationOnce(function (
		this: Socket,
	) {
		Object.assign(this, { connecting: true });
		setImmediate(() => this.destroy(error));
		return this;
	});
	const parked = await ask();
	connect.mockRestore();
	expect([parked.error, parked.status, asked()]).toEqual([undefined, 'waiting', ['Question 0']]);
});

test('N: two calls of a tool with the same words are both asked', async () => {
	sandbox.settings.answer = ({ text }) => ({ status: 'completed', answer: text, after: 0 });
	const tool = seenAs(new LegalAi(), {
		execute: (context) => {
			const input = [{ json: {} }];
			return { ...asToolOf('Agent')(context), getInputData: () => input };
		},
	});
	const calls: INodeType = Object.assign(Object.create(tool) as INodeType, {
		async execute(this: never) {
			await tool.execute?.call(this);
			return await tool.execute?.call(this);
		},
	});
	const ended = await ask({ nodeTypes: { [LEGAL_AI]: calls } });
	expect([ended.json, asked()]).toMatchObject([
		[{ answer: 'Question 0' }],
		['Question 0', 'Question 0'],
	]);
});

import { Socket } from 'node:net';

import type { INodeType, IRunExecutionData } from 'n8n-workflow';

import { LegalAi } from '../../../nodes/LegalAi/LegalAi.node.ts';
import type { FaultEffect } from '../../sandbox/faults.mts';
import { readData } from '../../support/engine/database.mts';
import { freshNodes } from '../../support/engine/freshNodes.mts';
import { breakProcessedData } from '../../support/engine/processedData.mts';
import { asTool, seenAs } from '../../support/engine/seenAs.mts';
import { callSubWorkflow } from '../../support/wait/caller.mts';
import {
	AFTER,
	readAnswers,
	answersTo,
	ASK,
	continuing,
	LEGAL_AI,
	logs,
	operations,
	questions,
	type Sandbox,
	storeBinary,
	test,
	textLike,
	textWith,
} from '../../support/fixtures.mts';
import { words, buildWorkflow } from '../../support/wait/killed.mts';

const asked = (service: Sandbox) => service.questions.map(({ text }) => text);

test('A: killed while it sends, in a workflow with a side branch, a retry sends only what was not sent', async ({
	killed,
}) => {
	const run = () => killed.start({ words: words(12), hasSideBranch: true });
	killed.expectOnce(await killed.finish((await killed.killWhileSending(run)).retry()), 12);
});

test('B: killed in a portion, a retry sends what was not begun, and nothing of the portions before again', async ({
	service,
	clock,
	wait,
	killed,
}) => {
	service.settings.newSessionsPerMinute = 60;
	const parked = await clock.settle(killed.start({ words: words(150) }));
	expect([parked.status, killed.accepted().length < 100]).toEqual(['waiting', true]);
	const execution = await killed.killWhileSending(() => wait.wakeInTime(parked));
	killed.expectOnce(await killed.finish(execution.retry()), 150);
});

test('C: killed as files are uploaded, nothing was asked, and a retry asks all', async ({
	service,
	killed,
}) => {
	killed.list.binary = { data: await storeBinary('%PDF-1.7', { fileName: 'NDA.pdf' }) };
	const parameters = { attachments: { attachment: [{ source: 'allBinary' }] } };
	const execution = await killed.killWhileSending(() => killed.start({ parameters }), {
		match: ({ method }) => method === 'PUT',
		skip: 0,
	});
	expect(asked(service)).toEqual([]);
	killed.expectOnce(await killed.finish(execution.retry()), 6);
});

test('D: a question that ended with "error", and whose POST certainly failed in a retry, is asked again by a retry of that', async ({
	service,
	clock,
	wait,
}) => {
	const parked = await wait.ask({ items: questions(2) });
	await wait.completeSilently('Question 0', 'error');
	const body = { error_code: 'resource_not_found', message: 'Gone' };
	service.faults.add({ status: 404, body, match: wait.isCheckOf('Question 1') });
	const failed = await wait.wakeInTime(parked);
	service.faults.add({ status: 422, match: ASK });
	const refused = await clock.settle(failed.retry());
	expect([failed.status, refused.status, asked(service).length]).toEqual(['error', 'error', 2]);
	expect((await clock.settle(refused.retry())).status).toBe('waiting');
	expect(asked(service).slice(2)).toEqual(['Question 0']);
});

test('E: texts that are others each time are not sent by a retry that can not tell what was sent', async ({
	killed,
}) => {
	const parameters = { question: '={{ $json.words }} at {{ $now.toMillis() }}' };
	const ended = await killed.finish(
		(await killed.killWhileSending(() => killed.start({ parameters }))).retry(),
	);
	killed.expectOnce(ended, 6, { arrived: 2, unsure: 6 });
});

test("F: a retry sends nothing while n8n's store can't be read, and the next one sends what was not sent", async ({
	killed,
}) => {
	const execution = await killed.killWhileSending(() => killed.start({ node: {} }));
	breakProcessedData(true);
	const failed = await killed.finish(execution.retry());
	expect([failed.status, killed.accepted().length]).toEqual(['error', 2]);
	expect(failed.error?.message).toContain('The database of n8n did not say what was sent');
	breakProcessedData(false);
	killed.expectOnce(await killed.finish(failed.retry(buildWorkflow({}))), 6);
});

test('G: with what another version of the node has stored, a callback is to be sent again (503), and nothing flows on, and the IDs are in the log and in the error', async ({
	service,
	n8n,
	clock,
	wait,
}) => {
	const parked = await wait.ask({ items: questions(2) });
	const { database } = n8n;
	const data = readData(database.get(parked.id));
	const stack = JSON.stringify(data.executionData?.nodeExecutionStack);
	const changed = stack.replaceAll(/"version":\d+/g, '"version":99');
	expect(changed).not.toBe(stack);
	Object.assign(data.executionData ?? {}, { nodeExecutionStack: JSON.parse(changed) as unknown });
	database.update(parked.id, { data: data satisfies IRunExecutionData });
	for (const { id } of service.questions) await clock.settle(service.complete(id));
	expect(service.callbacks).toMatchObject([{ status: 503 }, { status: 503 }]);
	expect(database.get(parked.id).status).toBe('waiting');
	const failed = await wait.wakeInTime(parked);
	expect([failed.status, failed.runData[AFTER], wait.posted()]).toEqual(['error', undefined, 2]);
	const logged = logs.map(({ message }) => message).join();
	for (const { id } of service.questions)
		expect([logged, failed.error?.description]).toEqual([textWith(id), textWith(id)]);
});

test('H: two executions of one workflow with the same words both ask, and both get their answer', async ({
	service,
	clock,
	wait,
}) => {
	const parked = [await wait.ask(), await wait.ask()];
	expect(asked(service)).toEqual(['Question 0', 'Question 0']);
	for (const { id } of service.questions)
		await clock.settle(service.complete(id, { answer: `To ${id}` }));
	const answers = await Promise.all(
		parked.map(async (run) => (await clock.settle(run.resumed())).json),
	);
	expect(answers).toMatchObject(service.questions.map(({ id }) => [{ answer: `To ${id}` }]));
});

test('I: of two workers that run one node, no note is lost, and none comes back that was taken back', async ({
	service,
	n8n,
	clock,
	killed,
}) => {
	const [one, other] = [await freshNodes(), await freshNodes()];
	const runIn = async (nodeTypes: typeof one, text: string, effect: FaultEffect) => {
		service.faults.add({ ...effect, match: ASK });
		void killed.start({ nodeTypes, words: [text], node: {} });
		await clock.pass(1_000);
	};
	await runIn(one, 'Stuck 1', { kind: 'hang' });
	await runIn(other, 'Refused', { status: 422 });
	await runIn(one, 'Stuck 2', { kind: 'hang' });
	await runIn(other, 'Stuck 3', { kind: 'hang' });
	await killed.kill();
	const { entries } = n8n.endings;
	expect(entries.map(({ status }) => status)).toEqual(['error', 'crashed', 'crashed', 'crashed']);
	for (const failed of [...entries]) await killed.finish(failed.retry());
	expect(asked(service)).toEqual(['Refused']);
});

test('J: what was over at its POST is looked at again, and not asked, by a run that continues from an older state', async ({
	service,
	n8n,
	clock,
	wait,
}) => {
	const parked = await wait.askInTurn();
	await wait.completeSilently('A');
	const atOnce = (body: string) =>
		JSON.stringify({ ...(JSON.parse(body) as object), status: 'completed', answer: 'At once' });
	const fault = service.faults.add({ kind: 'body', body: atOnce, match: ASK });
	await wait.whileBusy(parked);
	expect([fault.fired, asked(service).toSorted()]).toEqual([1, ['A', 'B', 'Open', 'Opening']]);
	await wait.completeSilently('B');
	await wait.completeSilently('Open');
	const over = await clock.settle(
		n8n.endings.waitFor(({ id, status }) => id === parked.id && status === 'success'),
	);
	expect(readAnswers(over)).toEqual(answersTo('A', 'B', 'Open'));
	expect(wait.posted()).toBe(4);
});

test.for([
	['Ask', 80],
	['Create Task', 500],
] as const)(
	'K: in a sub-execution, %s never parks: n8n would go on after the first item',
	async ([operation, count], { service, n8n, wait }) => {
		Object.assign(service.settings, { newSessionsPerMinute: 60, requestsPerMinute: 400 });
		const parameters = operations[operation];
		const ended = await callSubWorkflow(wait, { parameters, items: questions(count) });
		expect([ended.status, ended.readItems(AFTER).length]).toEqual(['success', count]);
		const { entries } = n8n.endings;
		expect(entries.filter(({ status }) => status === 'waiting')).toEqual([]);
	},
);

test.for(['Ask', 'Ask and Wait'])(
	'L: with an item in doubt, a retry of %s sends all others, then ends with the error and the IDs',
	async (operation, { service, killed }) => {
		const given = { operation, node: {}, words: words(20) };
		const failed = await killed.finish(
			(await killed.killWhileSending(() => killed.start(given))).retry(),
		);
		expect([failed.status, killed.accepted().length]).toEqual(['error', 20 - killed.hung]);
		expect(failed.error?.message).toEqual(textWith('interrupted'));
		expect(failed.error?.description).toEqual(textLike(/On Error.*Continue/));
		for (const { id } of service.questions.slice(2))
			expect(failed.error?.description).toContain(id);
		killed.expectOnce(
			await killed.finish(failed.retry(buildWorkflow({ ...given, node: continuing }))),
			20,
		);
	},
);

test('M: a time-out of connecting is tried again, since nothing was accepted', async ({
	service,
	wait,
}) => {
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
	const parked = await wait.ask();
	connect.mockRestore();
	expect([parked.error, parked.status, asked(service)]).toEqual([
		undefined,
		'waiting',
		['Question 0'],
	]);
});

test('N: two calls of a tool with the same words are both asked', async ({ service, wait }) => {
	service.settings.answer = ({ text }) => ({ status: 'completed', answer: text, after: 0 });
	const tool = seenAs(new LegalAi(), {
		execute: (context) => {
			const input = [{ json: {} }];
			return { ...asTool('Agent')(context), getInputData: () => input };
		},
	});
	const calls: INodeType = Object.assign(Object.create(tool) as INodeType, {
		async execute(this: never) {
			await tool.execute?.call(this);
			return await tool.execute?.call(this);
		},
	});
	const ended = await wait.ask({ nodeTypes: { [LEGAL_AI]: calls } });
	expect([ended.json, asked(service)]).toMatchObject([
		[{ answer: 'Question 0' }],
		['Question 0', 'Question 0'],
	]);
});

import type { INodeParameters, INodeType } from 'n8n-workflow';

import { LegalAi } from '../../../nodes/LegalAi/LegalAi.node.ts';
import { breakProcessedData } from '../../support/engine/processedData.mts';
import {
	type Case,
	killing,
	list,
	LOGGED_MS,
	otherNodes,
	words,
	workflowOf,
} from '../../support/wait/killing.mts';
import {
	LEGAL_AI,
	like,
	logs,
	NODE,
	settle,
	textWith,
	type WorkflowJson,
} from '../../support/wait/onStoppedClock.mts';

/*
 * Further ways in which n8n is killed, and what it was killed over is retried, beside once.test.mts: what was noted before it was sent
 * is not sent again, whatever has changed in between, and what certainly was not sent is sent.
 */

const killed = await killing();
const { world, start, accepted, killedInSending, killedInNext, over, expectOnce } = killed;
const { sandbox } = world;

describe.each([
	['at once', 0],
	['three seconds later', LOGGED_MS],
] as const)('killed %s', (_when, afterMs) => {
	describe.each(['Ask', 'Create Task'])('while the node behind %s runs', (operation) => {
		test.each<[string, Case, typeof workflowOf?]>([
			['with the original workflow', {}],
			['with the workflow as it is', {}, workflowOf],
			['with a side branch', { hasSideBranch: true }],
		])('a retry %s sends nothing again', async (_how, given, retried) => {
			const whole = { operation, ...given };
			const execution = await killedInNext(() => start(whole), afterMs);
			expectOnce(await over(execution.retry(retried?.(whole))), 6);
		});
	});

	test.each<[string, Case]>([
		['', {}],
		[' of Ask and Wait', { operation: 'Ask and Wait' }],
		[' of Create Task', { operation: 'Create Task', hasSideBranch: true }],
	])('while sending%s, a retry sends only what was not sent', async (_what, given) => {
		const run = () => start({ words: words(12), ...given });
		expectOnce(await over((await killedInSending(run, { afterMs })).retry()), 12);
	});

	test('while sending items of one text, a retry sends only as many as were not sent', async () => {
		const run = () => start({ words: ['Same', 'Same', ...words(10)] });
		await over((await killedInSending(run, { afterMs })).retry());
		expect(accepted()).toHaveLength(12 - killed.hung);
	});

	test('in a loop, a retry goes on where it was', async () => {
		const execution = await killedInSending(() => start({ isLooped: true }), { afterMs });
		expectOnce(await over(execution.retry()), 6);
	});

	test('a retry with one more item on top of the list sends that, and nothing again', async () => {
		const execution = await killedInSending(() => start({}), { afterMs });
		list.words = ['On top', ...list.words];
		expectOnce(await over(execution.retry()), 7);
		expect(accepted()).toContain('On top');
	});

	test('with another Base URL and key, a retry sends nothing again', async () => {
		const credential = { baseUrl: sandbox.baseUrl, apiKey: sandbox.apiKey };
		const execution = await killedInSending(() => start({ credential }), { afterMs });
		sandbox.keys.set('sk-svc-api1-another', undefined);
		Object.assign(credential, { baseUrl: `${sandbox.baseUrl}/`, apiKey: 'sk-svc-api1-another' });
		expectOnce(await over(execution.retry()), 6);
	});
});

test('a retry that is killed as well is retried without sending anything again', async () => {
	const first = await killedInSending(() => start({ words: words(20) }));
	const second = await killedInSending(() => first.retry());
	expectOnce(await over(second.retry()), 20);
});

test.each<[string, INodeParameters]>([
	['', {}],
	[', with other texts', { question: '={{ $json.words }} at {{ $now.toMillis() }}' }],
])('a retry that the node before has paused sends nothing again%s', async (_how, parameters) => {
	const execution = await killedInNext(() => start({ parameters, isPaused: true }));
	const parked = await settle(execution.retry());
	expect(parked.status).toBe('waiting');
	const ended = await world.wakeInTime(parked);
	expect([ended.status, accepted().length]).toEqual(['success', 6]);
});

test('a retry with the workflow as it is, in which the node was renamed, sends nothing again', async () => {
	const execution = await killedInNext(() => start({}));
	const renamed = JSON.stringify(workflowOf({})).replaceAll(`"${NODE}"`, '"Renamed"');
	expectOnce(await over(execution.retry(JSON.parse(renamed) as WorkflowJson)), 6);
});

test('a retry after an update of the package that adds a field sends nothing again', async () => {
	const execution = await killedInNext(() => start({}));
	const legalAi: INodeType = new LegalAi();
	const { description } = legalAi;
	const field = { displayName: 'New', name: 'newField', type: 'boolean', default: false } as const;
	const properties = [...description.properties, field];
	Object.assign(legalAi, { description: { ...description, properties } });
	world.n8n.restart({ ...otherNodes, [LEGAL_AI]: legalAi });
	expectOnce(await over(execution.retry()), 6);
});

test('what the service did not accept is sent by any later retry', async () => {
	const credential = { baseUrl: 'http://127.0.0.1:9/api/v1' };
	const parameters = { options: { giveUpAfter: 0 } };
	const failed = await over(start({ credential, parameters, node: {}, words: words(1) }));
	expect((await over(failed.retry())).status).toBe('error');
	credential.baseUrl = sandbox.baseUrl;
	expectOnce(await over(failed.retry()), 1);
});

test('texts that are others each time are sent by a retry in a loop, once as many rounds are over', async () => {
	const parameters = { question: '={{ $json.words }} at {{ $now.toMillis() }}' };
	const execution = await killedInSending(() => start({ parameters, isLooped: true }));
	expectOnce(await over(execution.retry()), 6);
});

test("if n8n's store can't be used, a first execution sends, and the log says that nothing is noted", async () => {
	breakProcessedData(true);
	const before = logs.length;
	expectOnce(await over(start({})), 6);
	expect(logs.slice(before)).toContainEqual(
		like({ level: 'warn', message: textWith('could not note') }),
	);
});

test('a loop with a question that is always the same asks it in each round, also after n8n was killed', async () => {
	const given = { operation: 'Ask and Wait', isLooped: true, words: ['Same', 'Same', 'Same'] };
	const parked = await settle(start(given));
	await world.completeSilently('Same');
	const second = await world.wakeInTime(parked);
	expect([second.status, accepted().length]).toEqual(['waiting', 2]);
	await world.restart();
	expect((await over(Promise.resolve(second))).status).toBe('success');
	expect(accepted()).toEqual(['Same', 'Same', 'Same']);
});

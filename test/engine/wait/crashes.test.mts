import type { INodeParameters, INodeType } from 'n8n-workflow';

import { LegalAi } from '../../../nodes/LegalAi/LegalAi.node.ts';
import { breakProcessedData } from '../../support/engine/processedData.mts';
import {
	LEGAL_AI,
	like,
	logs,
	NODE,
	test,
	textWith,
	type WorkflowJson,
} from '../../support/fixtures.mts';
import { type Case, LOGGED_MS, words, buildWorkflow } from '../../support/wait/killed.mts';

describe.each([
	['at once', 0],
	['three seconds later', LOGGED_MS],
] as const)('killed %s', (_when, afterMs) => {
	describe.each(['Ask', 'Create Task'])('while the node behind %s runs', (operation) => {
		test.for<[string, Case, typeof buildWorkflow?]>([
			['with the original workflow', {}],
			['with the workflow as it is', {}, buildWorkflow],
			['with a side branch', { hasSideBranch: true }],
		])('a retry %s sends nothing again', async ([, given, retried], { killed }) => {
			const whole = { operation, ...given };
			const execution = await killed.killInNextNode(() => killed.start(whole), afterMs);
			killed.expectOnce(await killed.finish(execution.retry(retried?.(whole))), 6);
		});
	});

	test.for<[string, Case]>([
		['', {}],
		[' of Ask and Wait', { operation: 'Ask and Wait' }],
		[' of Create Task', { operation: 'Create Task', hasSideBranch: true }],
	])('while sending%s, a retry sends only what was not sent', async ([, given], { killed }) => {
		const run = () => killed.start({ words: words(12), ...given });
		killed.expectOnce(
			await killed.finish((await killed.killWhileSending(run, { afterMs })).retry()),
			12,
		);
	});

	test('while sending items of one text, a retry sends only as many as were not sent', async ({
		killed,
	}) => {
		const run = () => killed.start({ words: ['Same', 'Same', ...words(10)] });
		await killed.finish((await killed.killWhileSending(run, { afterMs })).retry());
		expect(killed.accepted()).toHaveLength(12 - killed.hung);
	});

	test('in a loop, a retry goes on where it was', async ({ killed }) => {
		const execution = await killed.killWhileSending(() => killed.start({ isLooped: true }), {
			afterMs,
		});
		killed.expectOnce(await killed.finish(execution.retry()), 6);
	});

	test('a retry with one more item on top of the list sends that, and nothing again', async ({
		killed,
	}) => {
		const execution = await killed.killWhileSending(() => killed.start({}), { afterMs });
		killed.list.words = ['On top', ...killed.list.words];
		killed.expectOnce(await killed.finish(execution.retry()), 7);
		expect(killed.accepted()).toContain('On top');
	});

	test('with another Base URL and key, a retry sends nothing again', async ({
		service,
		killed,
	}) => {
		const credential = { baseUrl: service.baseUrl, apiKey: service.apiKey };
		const execution = await killed.killWhileSending(() => killed.start({ credential }), {
			afterMs,
		});
		service.keys.set('sk-svc-api1-another', undefined);
		Object.assign(credential, { baseUrl: `${service.baseUrl}/`, apiKey: 'sk-svc-api1-another' });
		killed.expectOnce(await killed.finish(execution.retry()), 6);
	});
});

test('a retry that is killed as well is retried without sending anything again', async ({
	killed,
}) => {
	const first = await killed.killWhileSending(() => killed.start({ words: words(20) }));
	const second = await killed.killWhileSending(() => first.retry());
	killed.expectOnce(await killed.finish(second.retry()), 20);
});

test.for<[string, INodeParameters]>([
	['', {}],
	[', with other texts', { question: '={{ $json.words }} at {{ $now.toMillis() }}' }],
])(
	'a retry that the node before has paused sends nothing again%s',
	async ([, parameters], { clock, wait, killed }) => {
		const execution = await killed.killInNextNode(() =>
			killed.start({ parameters, isPaused: true }),
		);
		const parked = await clock.settle(execution.retry());
		expect(parked.status).toBe('waiting');
		const ended = await wait.wakeInTime(parked);
		expect([ended.status, killed.accepted().length]).toEqual(['success', 6]);
	},
);

test('a retry with the workflow as it is, in which the node was renamed, sends nothing again', async ({
	killed,
}) => {
	const execution = await killed.killInNextNode(() => killed.start({}));
	const renamed = JSON.stringify(buildWorkflow({})).replaceAll(`"${NODE}"`, '"Renamed"');
	killed.expectOnce(await killed.finish(execution.retry(JSON.parse(renamed) as WorkflowJson)), 6);
});

test('a retry after an update of the package that adds a field sends nothing again', async ({
	n8n,
	killed,
}) => {
	const execution = await killed.killInNextNode(() => killed.start({}));
	const legalAi: INodeType = new LegalAi();
	const { description } = legalAi;
	const field = { displayName: 'New', name: 'newField', type: 'boolean', default: false } as const;
	const properties = [...description.properties, field];
	Object.assign(legalAi, { description: { ...description, properties } });
	n8n.restart({ ...killed.otherNodes, [LEGAL_AI]: legalAi });
	killed.expectOnce(await killed.finish(execution.retry()), 6);
});

test('what the service did not accept is sent by any later retry', async ({ service, killed }) => {
	const credential = { baseUrl: 'http://127.0.0.1:9/api/v1' };
	const parameters = { options: { giveUpAfter: 0 } };
	const failed = await killed.finish(
		killed.start({ credential, parameters, node: {}, words: words(1) }),
	);
	expect((await killed.finish(failed.retry())).status).toBe('error');
	credential.baseUrl = service.baseUrl;
	killed.expectOnce(await killed.finish(failed.retry()), 1);
});

test('of tasks, a retry creates the one that the service rejected, not those that it has or may have', async ({
	service,
	killed,
}) => {
	service.faults.add({ status: 400, match: 'POST /tasks' });
	const execution = await killed.killWhileSending(
		() => killed.start({ operation: 'Create Task', words: words(3) }),
		{ skip: 1 },
	);
	expect(killed.accepted()).toEqual(['Words 1']);
	await killed.finish(execution.retry());
	expect(killed.accepted().toSorted()).toEqual(['Words 0', 'Words 1']);
});

test('texts that are others each time are sent by a retry in a loop, once as many rounds are over', async ({
	killed,
}) => {
	const parameters = { question: '={{ $json.words }} at {{ $now.toMillis() }}' };
	const execution = await killed.killWhileSending(() =>
		killed.start({ parameters, isLooped: true }),
	);
	killed.expectOnce(await killed.finish(execution.retry()), 6);
});

test("if n8n's store can't be used, a first execution sends, and the log says that nothing is noted", async ({
	killed,
}) => {
	breakProcessedData(true);
	const before = logs.length;
	killed.expectOnce(await killed.finish(killed.start({})), 6);
	expect(logs.slice(before)).toContainEqual(
		like({ level: 'warn', message: textWith('could not note') }),
	);
});

test('a loop with a question that is always the same asks it in each round, also after n8n was killed', async ({
	clock,
	wait,
	killed,
}) => {
	const given = { operation: 'Ask and Wait', isLooped: true, words: ['Same', 'Same', 'Same'] };
	const parked = await clock.settle(killed.start(given));
	await wait.completeSilently('Same');
	const second = await wait.wakeInTime(parked);
	expect([second.status, killed.accepted().length]).toEqual(['waiting', 2]);
	await wait.restart();
	expect((await killed.finish(Promise.resolve(second))).status).toBe('success');
	expect(killed.accepted()).toEqual(['Same', 'Same', 'Same']);
});

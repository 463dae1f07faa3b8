import type { INodeParameters } from 'n8n-workflow';

import { callbackPayload } from '../../support/engine/publishedTrigger.mts';
import {
	ASK,
	asking,
	continuing,
	type Execution,
	legalAiNode,
	questions,
	test,
	textLike,
	textWith,
	type Wait,
	workflowAround,
} from '../../support/fixtures.mts';

const two = { items: questions(2) };

test.for<[string, (wait: Wait, parked: Execution) => Promise<Execution>]>([
	['the check that brings the others', ({ wakeInTime }, parked) => wakeInTime(parked)],
	[
		'a retry after a kill',
		async ({ clock, killInCheck }, parked) =>
			await clock.settle((await killInCheck(parked)).retry()),
	],
])(
	'with Retry On Fail and Continue on Fail, %s does not ask again what may have been accepted',
	async ([, follow], { service, wait }) => {
		service.faults.add({ kind: 'reset', when: 'handled', match: ASK });
		const node = { ...continuing, retryOnFail: true, maxTries: 3, waitBetweenTries: 0 };
		const parked = await wait.ask({ ...two, node });
		expect(parked.status).toBe('waiting');
		await wait.completeSilently('Question 1');
		const over = await follow(wait, parked);
		expect([over.status, wait.posted()]).toEqual(['success', 2]);
		const details = { description: textWith('may') };
		expect(over.json).toMatchObject([
			{ error: textWith('[item 0]'), details },
			{ answer: 'Answer to Question 1' },
		]);
	},
);

describe('a retry with an edited workflow', () => {
	const failing = { onNoAnswer: 'fail' };

	/** One question is answered, the other has ended in an error, which fails the node; then it is retried. */
	async function retry(
		{ ask, completeSilently, wakeInTime, clock, service }: Wait,
		parameters: INodeParameters,
	) {
		const parked = await ask({ ...two, options: failing });
		await completeSilently('Question 0');
		await completeSilently('Question 1', 'error');
		const failed = await wakeInTime(parked);
		const again = await clock.settle(failed.retry(workflowAround(legalAiNode({ parameters }))));
		expect(again.status).toBe('waiting');
		return service.questions
			.slice(2)
			.map(({ text }) => text)
			.toSorted();
	}

	test('asks the questions again if their text was edited', async ({ wait }) => {
		const edited = { ...asking, options: failing, question: '=Again: {{ $json.words }}' };
		expect(await retry(wait, edited)).toEqual(['Again: Question 0', 'Again: Question 1']);
	});

	test('does not ask an answered question again if only the label of its assistant has changed', async ({
		wait,
	}) => {
		const assistantId = { __rl: true, mode: 'list', value: 'default', cachedResultName: 'Renamed' };
		expect(await retry(wait, { ...asking, options: failing, assistantId })).toEqual(['Question 1']);
	});

	test('does not ask an answered question again if only the options were edited', async ({
		wait,
	}) => {
		expect(await retry(wait, { ...asking, options: { maxWait: 5 } })).toEqual(['Question 1']);
	});
});

test('an answer that a retry finds is not marked as timed out, though the execution before had given it up', async ({
	clock,
	wait,
}) => {
	const parked = await wait.ask({ ...two, options: { maxWait: 5, onNoAnswer: 'fail' } });
	await wait.completeSilently('Question 1', 'error');
	const failed = await wait.toItsEnd(parked);
	await wait.completeSilently('Question 0');
	const again = await clock.settle(failed.retry());
	await wait.completeSilently('Question 1');
	const { json } = await wait.toItsEnd(again);
	expect(json[0]).toMatchObject({ answer: 'Answer to Question 0' });
	expect(json[0]).not.toHaveProperty('timed_out');
});

test.for([
	['Base URL', { baseUrl: 'http://legal-ai.example.com/api/v1' }],
	['API key', { apiKey: 'sk-svc-api1-revoked' }],
] as const)(
	"an execution stays parked while its %s can't be used, and the answer comes out once there is another",
	async ([name, broken], { service, wait }) => {
		const credential = {};
		const parked = await wait.ask({ credential, node: continuing });
		await wait.completeSilently();
		Object.assign(credential, broken);
		const again = await wait.wakeInTime(parked);
		expect([again.status, again.hints.join()]).toEqual([
			'waiting',
			textLike(new RegExp(`could not check: [^.]*${name}[^.]*\\. It will try again`)),
		]);
		service.keys.set('sk-svc-api1-new', undefined);
		Object.assign(credential, { apiKey: 'sk-svc-api1-new', baseUrl: `${service.baseUrl}/` });
		expect((await wait.wakeInTime(again)).json).toMatchObject([{ answer: 'Answer to Question 0' }]);
	},
);

test('the node ignores a response to a check that is the answer to another question', async ({
	service,
	wait,
}) => {
	const parked = await wait.ask(two);
	await wait.completeSilently('Question 1');
	const body = callbackPayload(service.asked('Question 1').id, { answer: 'Of another' });
	const match = wait.isCheckOf('Question 0');
	const fault = service.faults.add({ status: 200, body, match, times: Infinity });
	const again = await wait.wakeInTime(parked);
	expect([again.error?.message, again.status]).toEqual([undefined, 'waiting']);
	fault.remove();
	await wait.completeSilently('Question 0');
	const { json } = await wait.wakeInTime(again);
	expect(json).toMatchObject([
		{ id: service.asked('Question 0').id, answer: 'Answer to Question 0' },
		{ answer: 'Answer to Question 1' },
	]);
});

import type { INodeParameters } from 'n8n-workflow';

import { answerTo } from '../../support/engine/listening.mts';
import {
	ASK,
	asking,
	continuing,
	type Execution,
	legalAiNode,
	onStoppedClock,
	questions,
	settle,
	textLike,
	textWith,
	workflowAround,
} from '../../support/wait/onStoppedClock.mts';

const world = await onStoppedClock();
const {
	sandbox,
	ask,
	completeSilently: complete,
	wakeInTime,
	killInCheck,
	posted,
	toItsEnd,
} = world;
const two = { items: questions(2) };

test.each([
	['the check that brings the others', wakeInTime],
	[
		'a retry after a kill',
		async (parked: Execution) => await settle((await killInCheck(parked)).retry()),
	],
])(
	'with Retry On Fail and Continue on Fail, %s does not ask again what may have been accepted',
	async (_how, follow) => {
		sandbox.faults.add({ kind: 'reset', when: 'handled', match: ASK });
		const node = { ...continuing, retryOnFail: true, maxTries: 3, waitBetweenTries: 0 };
		const parked = await ask({ ...two, node });
		expect(parked.status).toBe('waiting');
		await complete('Question 1');
		const over = await follow(parked);
		expect([over.status, posted()]).toEqual(['success', 2]);
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
	async function retry(parameters: INodeParameters) {
		const parked = await ask({ ...two, options: failing });
		await complete('Question 0');
		await complete('Question 1', 'error');
		const failed = await wakeInTime(parked);
		const again = await settle(failed.retry(workflowAround(legalAiNode({ parameters }))));
		expect(again.status).toBe('waiting');
		return sandbox.questions
			.slice(2)
			.map(({ text }) => text)
			.toSorted();
	}

	test('asks the questions again if their text was edited', async () => {
		const edited = { ...asking, options: failing, question: '=Again: {{ $json.words }}' };
		expect(await retry(edited)).toEqual(['Again: Question 0', 'Again: Question 1']);
	});

	test('does not ask an answered question again if only the label of its assistant has changed', async () => {
		const assistantId = { __rl: true, mode: 'list', value: 'default', cachedResultName: 'Renamed' };
		expect(await retry({ ...asking, options: failing, assistantId })).toEqual(['Question 1']);
	});

	test('does not ask an answered question again if only the options were edited', async () => {
		expect(await retry({ ...asking, options: { maxWait: 5 } })).toEqual(['Question 1']);
	});
});

test('an answer that a retry finds is not marked as timed out, though the execution before had given it up', async () => {
	const parked = await ask({ ...two, options: { maxWait: 5, onNoAnswer: 'fail' } });
	await complete('Question 1', 'error');
	const failed = await toItsEnd(parked);
	await complete('Question 0');
	const again = await settle(failed.retry());
	await complete('Question 1');
	const { json } = await toItsEnd(again);
	expect(json[0]).toMatchObject({ answer: 'Answer to Question 0' });
	expect(json[0]).not.toHaveProperty('timed_out');
});

test.each([
	['Base URL', { baseUrl: 'http://legal-ai.example.com/api/v1' }],
	['API key', { apiKey: 'sk-svc-api1-revoked' }],
])(
	"an execution stays parked while its %s can't be used, and the answer comes out once there is another",
	async (name, broken) => {
		const credential = {};
		const parked = await ask({ credential, node: continuing });
		await complete();
		Object.assign(credential, broken);
		const again = await wakeInTime(parked);
		expect([again.status, again.hints.join()]).toEqual([
			'waiting',
			textLike(new RegExp(`could not check: [^.]*${name}[^.]*\\. It will try again`)),
		]);
		sandbox.keys.set('sk-svc-api1-new', undefined);
		Object.assign(credential, { apiKey: 'sk-svc-api1-new', baseUrl: `${sandbox.baseUrl}/` });
		expect((await wakeInTime(again)).json).toMatchObject([{ answer: 'Answer to Question 0' }]);
	},
);

test('the node ignores a response to a check that is the answer to another question', async () => {
	const parked = await ask(two);
	await complete('Question 1');
	const body = answerTo(sandbox.asked('Question 1').id, { answer: 'Of another' });
	const match = world.isCheckOf('Question 0');
	const fault = sandbox.faults.add({ status: 200, body, match, times: Infinity });
	const again = await wakeInTime(parked);
	expect([again.error?.message, again.status]).toEqual([undefined, 'waiting']);
	fault.remove();
	await complete('Question 0');
	const { json } = await wakeInTime(again);
	expect(json).toMatchObject([
		{ id: sandbox.asked('Question 0').id, answer: 'Answer to Question 0' },
		{ answer: 'Answer to Question 1' },
	]);
});

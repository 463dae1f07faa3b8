import { Expression } from 'n8n-workflow';

import { onStoppedClock, questions, settle } from '../../support/wait/onStoppedClock.mts';

const { ask, complete, completeSilently } = await onStoppedClock();

/** Two questions that wait, every field of theirs an expression. */
async function park() {
	return await ask({
		items: questions(2),
		fields: {
			assistantId: { __rl: true, mode: 'id', value: '={{ "default" }}' },
			additionalFields: { sessionId: '={{ $json.nothing }}' },
		},
		options: { maxWait: '={{ 20 + 10 }}', onNoAnswer: '={{ "fail" }}' },
	});
}

/** The expressions that n8n evaluates meanwhile, once for each item: each can cost it an isolate, tens of milliseconds. */
async function evaluatedWhile(act: () => Promise<unknown>) {
	const resolve = vi.spyOn(Expression.prototype, 'resolveSimpleParameterValue');
	await act();
	const values: unknown[] = resolve.mock.calls.map(([value]) => value);
	resolve.mockRestore();
	return values.filter((value) => typeof value === 'string' && value.startsWith('=')).toSorted();
}

const twice = (values: string[]) => values.flatMap((value) => [value, value]);

test("asking evaluates only the user's expressions, each once per item", async () => {
	const entered = [
		'={{ "default" }}',
		'={{ "fail" }}',
		'={{ $json.nothing }}',
		'={{ $json.words }}',
		'={{ 20 + 10 }}',
	];
	expect(await evaluatedWhile(park)).toEqual(twice(entered));
});

test('a parked execution evaluates nothing until its answers come out, and then only the output options, once per item', async () => {
	let run = await park();
	const wake = async () => (run = await settle(run.wake()));
	expect(await evaluatedWhile(wake)).toEqual([]);
	expect(await evaluatedWhile(() => complete('Question 0'))).toEqual([]);
	expect(run.status).toBe('waiting');
	await completeSilently('Question 1');
	expect(await evaluatedWhile(wake)).toEqual(twice(['={{ "fail" }}', '={{ 20 + 10 }}']));
	expect(run.status).toBe('success');
});

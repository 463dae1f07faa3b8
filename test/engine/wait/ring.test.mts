import { callbackPayload, type Posting } from '../../support/engine/publishedTrigger.mts';
import {
	readAnswers,
	answersTo,
	type Execution,
	type Instance,
	logs,
	questions,
	test,
	textWith,
	type Wait,
} from '../../support/fixtures.mts';

/*
 * A callback is a doorbell that says which question: nothing else of it counts, and the node asks the service. What becomes of the
 * answers is in once.test.mts, any order of rings, checks and kills in model.test.mts.
 */

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

const three = { items: questions(3) };
const threeTexts = three.items.map(({ json }) => json.words);
const stored = (n8n: Instance, { id }: Execution) => n8n.database.get(id);
const looksAt = ({ service, isCheckOf }: Wait, text: string) =>
	service.requests.filter(isCheckOf(text));
const gaps = ({ checks }: Wait, since: number) => checks().map((at) => at - since);

describe('each question has an address of its own', () => {
	test('which is that of the execution, with a short name of the question', async ({
		service,
		wait,
	}) => {
		const { resumeUrl } = await wait.ask(three);
		const urls = service.questions.map(({ callbackUrl = '' }) => new URL(callbackUrl));
		const names = urls.map(({ searchParams }) => searchParams.get('q') ?? '');
		expect(new Set(names).size).toBe(3);
		for (const [index, url] of urls.entries()) {
			const name = names[index] ?? '';
			expect([name.length > 3, name.length < 40]).toEqual([true, true]);
			expect(name).not.toBe(service.questions[index]?.id);
			url.searchParams.delete('q');
			expect(url.href).toBe(resumeUrl);
		}
	});

	test.for<[string, object | string, Posting]>([
		['without a signature', {}, { signature: undefined }],
		['with a signature of nobody', {}, { signature: 't=1,v1=00' }],
		['with an answer that is not the one', callbackPayload('q', { answer: 'A lie' }), {}],
		['with a megabyte', { answer: 'x'.repeat(1_000_000) }, {}],
		['with no JSON at all', '<a lie/>', { headers: { 'content-type': 'application/xml-lie' } }],
		['with nothing', '', { headers: { 'content-type': 'application/octet-stream' } }],
	])(
		'a callback %s is answered 200, and the answer is what the service says',
		async ([, body, posting], { n8n, clock, wait }) => {
			const parked = await wait.ask({ credential: { webhookSecret: 'another' } });
			await wait.completeSilently();
			expect(await wait.ring('Question 0', body, posting)).toBe(200);
			const ended = await clock.settle(parked.resumed());
			expect([readAnswers(ended), wait.checks().length]).toEqual([['Answer to Question 0'], 1]);
			expect(JSON.stringify([ended.hints, logs, stored(n8n, parked).data])).not.toMatch(
				/a lie|xxx/i,
			);
		},
	);

	test('n questions that ring cost n POSTs and n GETs, and what the service says comes out', async ({
		service,
		clock,
		wait,
	}) => {
		const items = questions(20);
		const parked = await wait.ask({ items });
		for (const { json } of items) await wait.complete(json.words);
		const ended = await clock.settle(parked.resumed());
		expect(readAnswers(ended)).toEqual(answersTo(...items.map(({ json }) => json.words)));
		expect([wait.posted(), wait.checks().length]).toEqual([20, 20]);
		expect(service.callbacks.map(({ status }) => status)).toEqual(Array(20).fill(200));
	});
});

describe('an execution continues once everything open has rung', () => {
	test('and looks at what rang, at once', async ({ n8n, clock, wait }) => {
		const parked = await wait.ask(three);
		for (const text of threeTexts) await wait.completeSilently(text);
		await wait.ring('Question 2');
		await wait.ring('Question 0');
		expect([wait.checks(), stored(n8n, parked).status]).toEqual([[], 'waiting']);
		const began = Date.now();
		await wait.ring('Question 1');
		const ended = await clock.settle(parked.resumed());
		expect(readAnswers(ended)).toEqual(answersTo(...threeTexts));
		expect([wait.checks().length, Date.now() - began < 2 * SECOND]).toEqual([3, true]);
	});

	test('or when something waits for its turn behind what rang, and looks at that alone', async ({
		clock,
		wait,
	}) => {
		const parked = await wait.askInTurn();
		const began = Date.now();
		await clock.pass(MINUTE);
		await wait.completeSilently('A');
		await wait.ring('A');
		const again = await clock.settle(parked.resumed());
		expect(again.status).toBe('waiting');
		expect([looksAt(wait, 'A').length, looksAt(wait, 'Open').length, wait.posted()]).toEqual([
			1, 0, 4,
		]);
		for (const text of ['B', 'Open']) await wait.completeSilently(text);
		expect(readAnswers(await wait.toItsEnd(again))).toEqual(answersTo('A', 'B', 'Open'));
		// The planned check keeps its time.
		expect(looksAt(wait, 'Open')[0]?.at).toBeLessThanOrEqual(began + 5.5 * MINUTE);
	});

	test.for([
		['names no open question of this node, but e.g. one of another node', 'nothing'],
		['names nothing', ''],
	] as const)('a ring that %s changes nothing', async ([, name], { service, n8n, wait }) => {
		const parked = await wait.ask();
		const before = stored(n8n, parked);
		const url = new URL(service.asked().callbackUrl ?? '');
		url.searchParams.set('q', name);
		await wait.completeSilently();
		service.asked().callbackUrl = url.href;
		expect(await wait.ring()).toBe(200);
		expect([wait.checks(), stored(n8n, parked)]).toEqual([[], before]);
		expect(readAnswers(await wait.wakeInTime(parked))).toEqual(['Answer to Question 0']);
	});

	test('what a ring resumes is what is open: not what has rung before, and was looked at', async ({
		n8n,
		clock,
		wait,
	}) => {
		const parked = await wait.ask({ items: questions(2) });
		await wait.complete('Question 0');
		await wait.ring('Question 0');
		await wait.ring('Question 0');
		expect([wait.checks(), stored(n8n, parked).status]).toEqual([[], 'waiting']);
		await wait.complete('Question 1');
		expect(readAnswers(await clock.settle(parked.resumed()))).toEqual(
			answersTo('Question 0', 'Question 1'),
		);
		expect(wait.checks()).toHaveLength(2);
	});
});

describe('a ring that comes before the service knows', () => {
	test('is followed by a second look in the process, after 2 seconds', async ({ clock, wait }) => {
		const parked = await wait.ask();
		const began = Date.now();
		expect(await wait.ring()).toBe(200);
		await clock.pass(SECOND);
		await wait.completeSilently();
		expect(readAnswers(await clock.settle(parked.resumed()))).toEqual(['Answer to Question 0']);
		expect([gaps(wait, began).length, Date.now() - began < 3 * SECOND]).toEqual([2, true]);
	});

	test('is followed by a look within 75 seconds, as the execution wakes', async ({
		clock,
		wait,
	}) => {
		const parked = await wait.ask();
		await clock.pass(MINUTE);
		const began = Date.now();
		await wait.ring();
		const again = await clock.settle(parked.resumed());
		expect([again.status, wait.checks().length]).toEqual(['waiting', 2]);
		await wait.completeSilently();
		expect(readAnswers(await wait.toItsEnd(again))).toEqual(['Answer to Question 0']);
		const last = gaps(wait, began).at(-1) ?? 0;
		expect([wait.checks().length, last >= 60 * SECOND, last <= 77 * SECOND]).toEqual([
			3,
			true,
			true,
		]);
	});

	test('is looked at twice more, then with the planned checks', async ({ n8n, clock, wait }) => {
		const parked = await wait.ask();
		const began = Date.now();
		await wait.ring();
		await clock.settle(parked.resumed());
		n8n.track();
		await clock.pass(5 * MINUTE + 30 * SECOND);
		const [first = 0, second = 0, third = 0, fourth = 0, ...planned] = gaps(wait, began);
		expect([first, second]).toEqual([0, 2 * SECOND]);
		for (const [from, to] of [
			[second, third],
			[third, fourth],
		] as const)
			expect([to - from >= 60 * SECOND, to - from <= 77 * SECOND]).toEqual([true, true]);
		expect(planned).toHaveLength(1);
		expect(planned[0]).toBeGreaterThanOrEqual(4.5 * MINUTE);
	});
});

test('a ring within 10 seconds of the planned wake is left to it: by then, n8n has read the execution', async ({
	n8n,
	clock,
	wait,
}) => {
	const parked = await wait.ask();
	await wait.completeSilently();
	await clock.pass((parked.waitTill?.getTime() ?? 0) - Date.now() - 9 * SECOND);
	expect([await wait.ring(), stored(n8n, parked).status]).toEqual([200, 'waiting']);
	expect(readAnswers(await wait.wakeInTime(parked))).toEqual(answersTo('Question 0'));
});

test("what rings is looked at, also if the clock of n8n's main process is behind that of the worker that has looked before", async ({
	clock,
	wait,
}) => {
	const parked = await wait.wakeInTime(await wait.ask());
	expect(wait.checks()).toHaveLength(1);
	await clock.pass(SECOND);
	vi.setSystemTime(Date.now() - 3 * SECOND);
	await wait.complete();
	expect(readAnswers(await clock.settle(parked.resumed()))).toEqual(answersTo('Question 0'));
});

test('a flood of rings for one open question costs two GETs a minute at most', async ({
	clock,
	wait,
}) => {
	const parked = await wait.ask();
	const began = Date.now();
	for (let rings = 0; rings < 20; rings += 1) {
		expect(await wait.ring()).toBe(200);
		await clock.pass(2.5 * SECOND);
	}
	expect([wait.checks().length, Date.now() - began < MINUTE]).toEqual([2, true]);
	await wait.completeSilently();
	const again = await clock.settle(parked.resumed());
	expect(readAnswers(await wait.toItsEnd(again))).toEqual(['Answer to Question 0']);
});

test("where the workflow's own timeout comes first, all comes out 10 seconds before it, marked and with a hint", async ({
	wait,
}) => {
	const began = Date.now();
	const parked = await wait.ask({
		options: { maxWait: 120 },
		settings: { executionTimeout: 60 * 60 },
	});
	const ended = await wait.toItsEnd(parked);
	expect(ended.json).toMatchObject([{ status: 'in_progress', timed_out: true }]);
	expect(Math.abs(Date.now() - began - (60 * MINUTE - 10 * SECOND))).toBeLessThan(SECOND);
	expect(ended.hints.join()).toEqual(textWith('timeout'));
});

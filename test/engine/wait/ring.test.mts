import { answerTo, type Posting } from '../../support/engine/listening.mts';
import {
	answersOf,
	answersTo,
	type Execution,
	logs,
	onStoppedClock,
	pass,
	questions,
	settle,
	textWith,
} from '../../support/wait/onStoppedClock.mts';

/*
 * A callback is a doorbell that says which question: nothing else of it counts, and the node asks the service. What becomes of the
 * answers is in once.test.mts, any order of rings, checks and kills in model.test.mts.
 */

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

const world = await onStoppedClock();
const { sandbox, ask, ring, complete, completeSilently, wakeInTime, toItsEnd, checks, posted } =
	world;

const three = { items: questions(3) };
const threeTexts = three.items.map(({ json }) => json.words);
const stored = ({ id }: Execution) => world.n8n.database.get(id);
const looksAt = (text: string) => sandbox.requests.filter(world.isCheckOf(text));
const gaps = (since: number) => checks().map((at) => at - since);

describe('each question has an address of its own', () => {
	test('which is that of the execution, with a short name of the question', async () => {
		const { resumeUrl } = await ask(three);
		const urls = sandbox.questions.map(({ callbackUrl = '' }) => new URL(callbackUrl));
		const names = urls.map(({ searchParams }) => searchParams.get('q') ?? '');
		expect(new Set(names).size).toBe(3);
		for (const [index, url] of urls.entries()) {
			const name = names[index] ?? '';
			expect([name.length > 3, name.length < 40]).toEqual([true, true]);
			expect(name).not.toBe(sandbox.questions[index]?.id);
			url.searchParams.delete('q');
			expect(url.href).toBe(resumeUrl);
		}
	});

	test.each<[string, object | string, Posting]>([
		['without a signature', {}, { signature: undefined }],
		['with a signature of nobody', {}, { signature: 't=1,v1=00' }],
		['with an answer that is not the one', answerTo('q', { answer: 'A lie' }), {}],
		['with a megabyte', { answer: 'x'.repeat(1_000_000) }, {}],
		['with no JSON at all', '<a lie/>', { headers: { 'content-type': 'application/xml-lie' } }],
		['with nothing', '', { headers: { 'content-type': 'application/octet-stream' } }],
	])(
		'a callback %s is answered 200, and the answer is what the service says',
		async (_what, body, posting) => {
			const parked = await ask({ credential: { webhookSecret: 'another' } });
			await completeSilently();
			expect(await ring('Question 0', body, posting)).toBe(200);
			const ended = await settle(parked.resumed());
			expect([answersOf(ended), checks().length]).toEqual([['Answer to Question 0'], 1]);
			expect(JSON.stringify([ended.hints, logs, stored(parked).data])).not.toMatch(/a lie|xxx/i);
		},
	);

	test('n questions that ring cost n POSTs and n GETs, and what the service says comes out', async () => {
		const items = questions(20);
		const parked = await ask({ items });
		for (const { json } of items) await complete(json.words);
		const ended = await settle(parked.resumed());
		expect(answersOf(ended)).toEqual(answersTo(...items.map(({ json }) => json.words)));
		expect([posted(), checks().length]).toEqual([20, 20]);
		expect(sandbox.callbacks.map(({ status }) => status)).toEqual(Array(20).fill(200));
	});
});

describe('an execution continues once everything open has rung', () => {
	test('and looks at what rang, at once', async () => {
		const parked = await ask(three);
		for (const text of threeTexts) await completeSilently(text);
		await ring('Question 2');
		await ring('Question 0');
		expect([checks(), stored(parked).status]).toEqual([[], 'waiting']);
		const began = Date.now();
		await ring('Question 1');
		const ended = await settle(parked.resumed());
		expect(answersOf(ended)).toEqual(answersTo(...threeTexts));
		expect([checks().length, Date.now() - began < 2 * SECOND]).toEqual([3, true]);
	});

	test('or when something waits for its turn behind what rang, and looks at that alone', async () => {
		const parked = await world.askInTurn();
		const began = Date.now();
		await pass(MINUTE);
		await completeSilently('A');
		await ring('A');
		const again = await settle(parked.resumed());
		expect(again.status).toBe('waiting');
		expect([looksAt('A').length, looksAt('Open').length, posted()]).toEqual([1, 0, 4]);
		for (const text of ['B', 'Open']) await completeSilently(text);
		expect(answersOf(await toItsEnd(again))).toEqual(answersTo('A', 'B', 'Open'));
		// The planned check keeps its time.
		expect(looksAt('Open')[0]?.at).toBeLessThanOrEqual(began + 5.5 * MINUTE);
	});

	test.each([
		['names nothing that is open', 'nothing'],
		['names nothing', ''],
	])('a ring that %s changes nothing', async (_what, name) => {
		const parked = await ask();
		const before = stored(parked);
		const url = new URL(sandbox.asked().callbackUrl ?? '');
		url.searchParams.set('q', name);
		await completeSilently();
		sandbox.asked().callbackUrl = url.href;
		expect(await ring()).toBe(200);
		expect([checks(), stored(parked)]).toEqual([[], before]);
		expect(answersOf(await wakeInTime(parked))).toEqual(['Answer to Question 0']);
	});

	test('what a ring resumes is what is open: not what has rung before, and was looked at', async () => {
		const parked = await ask({ items: questions(2) });
		await complete('Question 0');
		await ring('Question 0');
		await ring('Question 0');
		expect([checks(), stored(parked).status]).toEqual([[], 'waiting']);
		await complete('Question 1');
		expect(answersOf(await settle(parked.resumed()))).toEqual(
			answersTo('Question 0', 'Question 1'),
		);
		expect(checks()).toHaveLength(2);
	});
});

describe('a ring that comes before the service knows', () => {
	test('is made good in the process, by a second look after 2 seconds', async () => {
		const parked = await ask();
		const began = Date.now();
		expect(await ring()).toBe(200);
		await pass(SECOND);
		await completeSilently();
		expect(answersOf(await settle(parked.resumed()))).toEqual(['Answer to Question 0']);
		expect([gaps(began).length, Date.now() - began < 3 * SECOND]).toEqual([2, true]);
	});

	test('is made good within 75 seconds', async () => {
		const parked = await ask();
		await pass(MINUTE);
		const began = Date.now();
		await ring();
		const again = await settle(parked.resumed());
		expect([again.status, checks().length]).toEqual(['waiting', 2]);
		await completeSilently();
		expect(answersOf(await toItsEnd(again))).toEqual(['Answer to Question 0']);
		const last = gaps(began).at(-1) ?? 0;
		expect([checks().length, last >= 60 * SECOND, last <= 77 * SECOND]).toEqual([3, true, true]);
	});

	test('is looked at twice more, then with the planned checks', async () => {
		const parked = await ask();
		const began = Date.now();
		await ring();
		await settle(parked.resumed());
		world.n8n.track();
		await pass(5 * MINUTE + 30 * SECOND);
		const [first = 0, second = 0, third = 0, fourth = 0, ...planned] = gaps(began);
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

test('a ring within 10 seconds of the planned wake is left to it: by then, n8n has read the execution', async () => {
	const parked = await ask();
	await completeSilently();
	await pass((parked.waitTill?.getTime() ?? 0) - Date.now() - 9 * SECOND);
	expect([await ring(), stored(parked).status]).toEqual([200, 'waiting']);
	expect(answersOf(await wakeInTime(parked))).toEqual(answersTo('Question 0'));
});

test('a flood of rings for one open question costs two GETs a minute at most', async () => {
	const parked = await ask();
	const began = Date.now();
	for (let rings = 0; rings < 20; rings += 1) {
		expect(await ring()).toBe(200);
		await pass(2.5 * SECOND);
	}
	expect([checks().length, Date.now() - began < MINUTE]).toEqual([2, true]);
	await completeSilently();
	const again = await settle(parked.resumed());
	expect(answersOf(await toItsEnd(again))).toEqual(['Answer to Question 0']);
});

test("where the workflow's own timeout comes first, all comes out 10 seconds before it, marked and with a hint", async () => {
	const began = Date.now();
	const parked = await ask({ options: { maxWait: 120 }, settings: { executionTimeout: 60 * 60 } });
	const ended = await toItsEnd(parked);
	expect(ended.json).toMatchObject([{ status: 'in_progress', timed_out: true }]);
	expect(Math.abs(Date.now() - began - (60 * MINUTE - 10 * SECOND))).toBeLessThan(SECOND);
	expect(ended.hints.join()).toEqual(textWith('timeout'));
});

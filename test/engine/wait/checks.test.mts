import {
	readAnswers,
	answersTo,
	ASK,
	continuing,
	questions,
	test,
	textWith,
} from '../../support/fixtures.mts';

const MINUTE = 60_000;

test('by polling, checks begin after 2 to 3 seconds and get rarer, and the node parks after 20 seconds', async ({
	service,
	wait,
}) => {
	const parked = await wait.ask({ options: { waitUsing: 'polling' } });
	const times = [service.asked().askedAt, ...wait.checks()];
	const gaps = times.slice(1).map((at, index) => at - (times[index] ?? 0));
	expect([parked.status, (times.at(-1) ?? NaN) <= (times[0] ?? NaN) + 20_000]).toEqual([
		'waiting',
		true,
	]);
	expect(gaps[0]).toBeGreaterThanOrEqual(1_900);
	expect(gaps[0]).toBeLessThanOrEqual(3_100);
	expect(gaps.at(-1)).toBeGreaterThan(1.2 * (gaps[0] ?? NaN));
	await wait.complete();
	expect((await wait.wakeInTime(parked)).json).toMatchObject([{ answer: 'Answer to Question 0' }]);
	expect(wait.checks().at(-1)).toBeGreaterThan((times[0] ?? 0) + MINUTE);
});

test('checks of many questions leave room for other requests: no more than 300 a minute', async ({
	wait,
}) => {
	const parked = await wait.ask({ items: questions(60), options: { waitUsing: 'polling' } });
	expect(parked.status).toBe('waiting');
	// In 20 seconds.
	expect(wait.checks().length).toBeGreaterThan(0);
	expect(wait.checks().length).toBeLessThanOrEqual(100);
});

describe('with On Error "Continue", the last of the callbacks that are still waited for resumes the execution', () => {
	test('although another question has failed in a check', async ({ service, clock, wait }) => {
		const parked = await wait.ask({ items: questions(3), node: continuing });
		const body = { error_code: 'resource_not_found', message: 'Gone' };
		service.faults.add({ status: 404, body, match: wait.isCheckOf('Question 0') });
		const again = await wait.wakeInTime(parked);
		expect(again.status).toBe('waiting');
		await wait.complete('Question 1');
		await wait.complete('Question 2');
		const gone = { error: textWith('Gone') };
		expect((await clock.settle(again.resumed())).json).toMatchObject([
			gone,
			{ answer: 'Answer to Question 1' },
			{ answer: 'Answer to Question 2' },
		]);
	});

	test('although another question is past its Max Wait', async ({ clock, wait }) => {
		const items = questions(2).map(({ json }, index) => ({
			json: { ...json, minutes: index === 0 ? 10 : 60 },
		}));
		let run = await wait.ask({ items, options: { maxWait: '={{ $json.minutes }}' } });
		const began = Date.now();
		while (Date.now() < began + 10 * MINUTE) run = await wait.wakeInTime(run);
		const last = wait.checks().length;
		await wait.complete('Question 1');
		expect((await clock.settle(run.resumed())).json).toMatchObject([
			{ timed_out: true },
			{ answer: 'Answer to Question 1' },
		]);
		expect(wait.checks().length).toBe(last + 1);
	});
});

describe('the last check', () => {
	test.for(['callback', 'polling'])(
		'is the only one with a Max Wait of 0 (%s)',
		async (waitUsing, { wait }) => {
			const over = await wait.ask({ items: questions(2), options: { waitUsing, maxWait: 0 } });
			expect(over.json).toMatchObject([{ timed_out: true }, { timed_out: true }]);
			expect(wait.checks()).toHaveLength(2);
		},
	);

	test('comes when Max Wait is over, if the node checks in the process', async ({
		service,
		wait,
	}) => {
		service.settings.answer = () => ({
			status: 'completed',
			answer: 'Just in time',
			after: 14_900,
		});
		const over = await wait.ask({ options: { waitUsing: 'polling', maxWait: 0.25 } });
		expect(over.json).toMatchObject([{ answer: 'Just in time' }]);
		expect(wait.checks().at(-1)).toBe(service.asked().askedAt + MINUTE / 4);
	});

	test('is still made if a callback for another question comes after Max Wait', async ({
		clock,
		wait,
	}) => {
		const parked = await wait.ask({ items: questions(2), options: { maxWait: 10 } });
		await wait.completeSilently('Question 1');
		await clock.pass(11 * MINUTE);
		await wait.complete('Question 0');
		expect(readAnswers(await clock.settle(parked.wake()))).toEqual(
			answersTo('Question 0', 'Question 1'),
		);
	});
});

test('an answer with a field "error" is not asked for again by Retry On Fail', async ({
	service,
	wait,
}) => {
	service.faults.add({
		kind: 'body',
		body: JSON.stringify({
			id: 'q',
			status: 'completed',
			answer: 'Yes.',
			error: 'none to speak of',
		}),
		match: ASK,
		times: Infinity,
	});
	const over = await wait.ask({ node: { retryOnFail: true, maxTries: 3 } });
	expect(over.json).toMatchObject([{ answer: 'Yes.' }]);
	expect(wait.posted()).toBe(1);
});

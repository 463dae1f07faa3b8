import { ASK, CHECK, questions, test, type Wait } from '../../support/fixtures.mts';

/* A wait that was retried from the list of executions: what the earlier execution has asked rings there. */

const SECOND = 1_000;

/** A retry that waits for "Question 0", which the execution before has asked, and for "Question 1", which it asks anew itself. */
async function retriedWait({ service, ask, clock }: Wait) {
	service.faults.add({ kind: 'latency', ms: 3 * SECOND, match: ASK, skip: 1 });
	service.faults.add({ status: 422, match: ASK, skip: 1 });
	const failed = await ask({ items: questions(2) });
	expect(failed.status).toBe('error');
	expect(service.questions.map(({ text }) => text)).toEqual(['Question 0']);
	const again = await clock.settle(failed.retry());
	expect(service.questions.map(({ text }) => text)).toEqual(['Question 0', 'Question 1']);
	return again;
}

test('a retried wait, whose callbacks ring at the earlier execution, checks after 65 to 75 seconds', async ({
	service,
	clock,
	wait,
}) => {
	const parked = await wait.ask({ items: questions(2) });
	const body = { error_code: 'resource_not_found', message: 'Gone' };
	service.faults.add({ status: 404, body, match: wait.isCheckOf('Question 1') });
	const failed = await wait.wakeInTime(parked);
	expect(failed.status).toBe('error');
	const again = await clock.settle(failed.retry());
	const seconds = ((again.waitTill?.getTime() ?? 0) - Date.now()) / SECOND;
	expect(again.status).toBe('waiting');
	expect(wait.posted()).toBe(2);
	expect(seconds).toBeGreaterThanOrEqual(64);
	expect(seconds).toBeLessThanOrEqual(75);
});

test('an answer that rings at the retried wait is looked at at once: a question that rings elsewhere does not hold it back', async ({
	service,
	clock,
	wait,
}) => {
	const again = await retriedWait(wait);
	const [before, since] = [wait.checks().length, Date.now()];
	await wait.complete('Question 1');
	const resumed = await clock.settle(again.resumed());
	expect(resumed.status).toBe('waiting');
	expect(Date.now() - since).toBeLessThanOrEqual(2 * SECOND);
	const looked = service.requestsTo(CHECK).slice(before);
	const { id } = service.asked('Question 1');
	expect(looked.map(({ path }) => path.split('/').at(-1))).toEqual([id]);
});

test('the answer that rings elsewhere comes out with the next check, after 75 seconds at most', async ({
	n8n,
	wait,
}) => {
	const again = await retriedWait(wait);
	await wait.complete('Question 1');
	await wait.complete('Question 0');
	const since = Date.now();
	const latest = () => n8n.endings.entries.findLast(({ id }) => id === again.id) ?? again;
	const over = await wait.wakeInTime(latest());
	expect(over.status).toBe('success');
	expect(over.json).toMatchObject([
		{ answer: 'Answer to Question 0' },
		{ answer: 'Answer to Question 1' },
	]);
	expect(Date.now() - since).toBeLessThanOrEqual(77 * SECOND);
});

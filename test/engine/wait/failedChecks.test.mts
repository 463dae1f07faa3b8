import type { FaultEffect } from '../../sandbox/faults.mts';
import { CHECK, questions, test, textLike, type Wait } from '../../support/fixtures.mts';

/** A response of the API itself, with its error_code. */
const ofApi = (status: number, error_code = 'some_code'): FaultEffect => ({
	status,
	body: { error_code, message: 'So it is' },
});

const everyCheck = { match: CHECK, times: Infinity } as const;

const notYet = textLike(/could not check: [A-Z].*\. It/);

/** Wakes an execution whose question is answered, with a check that fails. */
async function wakeTo({ ask, completeSilently, service, wakeInTime }: Wait, failure: FaultEffect) {
	const parked = await ask();
	await completeSilently();
	service.faults.add({ ...failure, ...everyCheck });
	return await wakeInTime(parked);
}

/** Waits for the answer to a question that was asked before; with only its ID unless told otherwise. */
async function waitForAnswer({ ask, service }: Wait, item: object = {}, options = {}) {
	await ask({ fields: { operation: 'ask' } });
	const json = { id: service.asked().id, ...item };
	return await ask({
		items: [{ json }],
		fields: { operation: 'waitForAnswer', questionId: '={{ $json.id }}' },
		options,
	});
}

// The same for "Wait for Answer", with more kinds of failures, in the fault matrix.
test.for<[string, FaultEffect]>([
	[
		'302 to a maintenance page',
		{ kind: 'redirect', location: 'https://maintenance.example.com', status: 302 },
	],
	...[200, 401, 404, 407, 503].map((status): [string, FaultEffect] => [
		`a page of HTML with ${status}`,
		{ status, body: '<html>Maintenance</html>' },
	]),
	...[402, 409, 410, 429, 500].map((status): [string, FaultEffect] => [
		`${status} of the API`,
		ofApi(status),
	]),
	[
		'a response of more than 32 MB',
		{ kind: 'body', body: (body) => body + ' '.repeat(33 * 1024 * 1024) },
	],
	['a connection that is reset', { kind: 'reset', when: 'unread' }],
])('a question is checked again if a check gets %s', async ([, failure], { service, wait }) => {
	const again = await wakeTo(wait, failure);
	expect([again.status, again.hints]).toEqual(['waiting', expect.arrayContaining([notYet])]);
	service.faults.clear();
	expect((await wait.wakeInTime(again)).json).toMatchObject([{ answer: 'Answer to Question 0' }]);
});

describe('if the service does not find a question,', () => {
	const notFound = ofApi(404, 'resource_not_found');

	test('the node checks it again during the first two minutes after it was accepted', async ({
		service,
		wait,
	}) => {
		const fault = service.faults.add({ ...notFound, ...everyCheck });
		service.settings.answer = () => ({
			status: 'completed',
			answer: 'Answer to Question 0',
			after: 5_000,
		});
		setTimeout(() => {
			fault.remove();
		}, 8_000);
		expect((await wait.ask({ options: { waitUsing: 'polling' } })).json).toMatchObject([
			{ answer: 'Answer to Question 0' },
		]);
	});

	test('Wait for Answer checks it again if the input item is the question itself', async ({
		service,
		wait,
	}) => {
		const fault = service.faults.add({ ...notFound, ...everyCheck });
		const parked = await waitForAnswer(wait, { status: 'in_progress', assistant_id: 'default' });
		expect(parked.status).toBe('waiting');
		fault.remove();
		await wait.completeSilently();
		expect((await wait.wakeInTime(parked)).json).toMatchObject([
			{ answer: 'Answer to Question 0' },
		]);
	});
});

test('with a Max Wait of 0, Wait for Answer fails with the reason if its only check fails', async ({
	service,
	wait,
}) => {
	service.faults.add({ ...ofApi(503), ...everyCheck });
	expect((await waitForAnswer(wait, {}, { maxWait: 0 })).error?.message).toContain('503');
});

test('with a Max Wait of 0, a question whose only check fails is output, and no other check is promised', async ({
	service,
	wait,
}) => {
	service.faults.add({ ...ofApi(503), ...everyCheck });
	const { json, hints } = await wait.ask({ options: { maxWait: 0 } });
	expect(json).toMatchObject([{ status: 'in_progress', timed_out: true }]);
	expect(hints[0]).toEqual(textLike(/could not check: [^.]*503[^.]*\.$/));
});

test('questions whose credential was deleted meanwhile come out when their time is over, with a hint', async ({
	service,
	wait,
}) => {
	const credential = {};
	const parked = await wait.ask({ credential, items: questions(2), options: { maxWait: 10 } });
	Object.defineProperty(credential, 'baseUrl', {
		enumerable: true,
		get: () => {
			throw new Error('Credential with ID "1" does not exist for type "legalAiApi".');
		},
	});
	const over = await wait.toItsEnd(parked);
	expect(over.json).toMatchObject([
		{ id: service.asked('Question 0').id, status: 'in_progress', timed_out: true },
		{ id: service.asked('Question 1').id, status: 'in_progress', timed_out: true },
	]);
	expect(over.hints).toContainEqual(textLike(/its credential can't be used/));
});

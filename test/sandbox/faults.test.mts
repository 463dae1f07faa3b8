import { describe, expect, test } from 'vitest';
import { call, sandboxForTests, textWith } from '../support/sandboxClient.mts';

const sandbox = await sandboxForTests();
const created = () => sandbox.tasks.ordered().filter(({ title }) => title === 'New');
const create = () => call(sandbox, 'POST', '/tasks', { title: 'New' });

describe('a fault', () => {
	test('a fault affects one request to its route, and counts it', async () => {
		const fault = sandbox.faults.add({ kind: 'status', status: 500, match: 'GET /tasks', body: { message: 'Oops' } });
		expect(await call(sandbox, 'GET', '/me')).toMatchObject({ status: 200 });
		expect(fault.fired).toBe(0);
		expect(await call(sandbox, 'GET', '/tasks')).toMatchObject({ status: 500, body: { message: 'Oops' } });
		expect(await call(sandbox, 'GET', '/tasks')).toMatchObject({ status: 200 });
		expect(fault.fired).toBe(1);
	});

	test('a fault can skip some requests, strike several, match by a function, and be removed', async () => {
		const fault = sandbox.faults.add({
			kind: 'status',
			status: 503,
			times: Infinity,
			skip: 1,
			match: ({ path }) => path.endsWith('/me'),
		});
		const statuses = [];
		for (let sent = 0; sent < 3; sent += 1) statuses.push((await call(sandbox, 'GET', '/me')).status);
		expect(statuses).toEqual([200, 503, 503]);
		fault.remove();
		expect(await call(sandbox, 'GET', '/me')).toMatchObject({ status: 200 });
	});
});

describe('answers in place of the real one', () => {
	test('a fault answers with any status, headers and body', async () => {
		const headers = { 'retry-after': '7' };
		sandbox.faults.add({ kind: 'status', status: 429, headers, body: { error_code: 'rate_limit_exceeded' } });
		const limited = await create();
		expect(limited).toMatchObject({ status: 429, headers, body: { error_code: 'rate_limit_exceeded' } });
		sandbox.faults.add({ kind: 'status', status: 502, body: '<html>Bad gateway</html>' });
		const html = { status: 502, headers: { 'content-type': textWith('text/html') } };
		expect(await create()).toMatchObject({ ...html, text: '<html>Bad gateway</html>' });
		expect(created()).toEqual([]);
	});

	test('a request that hangs is never answered', async () => {
		sandbox.faults.add({ kind: 'hang' });
		const hung = create();
		await sandbox.waitForRequest(({ route }) => route === 'POST /tasks');
		await sandbox.reset();
		await expect(hung).rejects.toThrow();
		expect(created()).toEqual([]);
	});

	test('a fault delays the response by a given time', async () => {
		sandbox.faults.add({ kind: 'latency', ms: 60_000 });
		sandbox.faults.add({ kind: 'status', status: 500 });
		const late = call(sandbox, 'GET', '/me');
		const request = await sandbox.waitForRequest(() => true);
		expect(request.status).toBeNull();
		sandbox.advance(60_000);
		expect(await late).toMatchObject({ status: 500 });
	});
});

describe('a connection', () => {
	test.each([
		['unread', 0],
		['unhandled', 0],
		['handled', 1],
	] as const)('a fault resets the connection when the request is %s', async (when, count) => {
		sandbox.faults.add({ kind: 'reset', when });
		await expect(create()).rejects.toThrow();
		const request = await sandbox.waitForRequest(({ ended }) => ended);
		expect(request.status).toBeNull();
		expect(request.body !== undefined).toBe(when !== 'unread');
		expect(created()).toHaveLength(count);
	});

	test.each(['head', 'half'] as const)(
		'a connection is cut after the %s of an answer to a request that was handled',
		async (after) => {
			sandbox.faults.add({ kind: 'cut', after });
			await expect(create()).rejects.toThrow(/other side closed|terminated|aborted/);
			const request = await sandbox.waitForRequest(({ ended }) => ended);
			expect(request.status).toBe(200);
			expect(created()).toHaveLength(1);
		},
	);
});

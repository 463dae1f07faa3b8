import type { INodeParameters } from 'n8n-workflow';
import { expect } from 'vitest';

import { logs, pollingTrigger } from '../support/engine/engine.mts';
import { sandboxTest } from '../support/fixtures.mts';

type Trigger = Awaited<ReturnType<typeof pollingTrigger>>;

/** Failures are retried for some seconds. */
const test = sandboxTest({}, 50).extend<{
	trigger: (parameters?: INodeParameters, timezone?: string) => Promise<Trigger>;
}>({
	trigger: async ({ sandbox }, use) => {
		sandbox.tasks.clear();
		await use(
			async (parameters = {}, timezone = 'Europe/Berlin') =>
				await pollingTrigger({ sandbox, parameters, settings: { timezone } }),
		);
	},
});

const DAY_MS = 86_400_000;

const titles = (items: readonly object[]): unknown[] =>
	items.map((item) => ('title' in item ? item.title : undefined));

test('a task trigger starts nothing when it is published, then with each new task that passes the filters, simplified', async ({
	sandbox,
	trigger,
}) => {
	sandbox.tasks.create({ title: 'Old' });
	const polled = await trigger({ filters: { tags: 'nda', draft: false } });
	expect(await polled.register()).toEqual([]);
	sandbox.tasks.create({ title: 'Lease' });
	const { id } = sandbox.tasks.create({ title: 'NDA', tags: ['nda'] });
	const items = await polled.poll();
	expect(items).toMatchObject([{ id, title: 'NDA', tags: ['nda'] }]);
	expect(items[0]).not.toHaveProperty('created_at');
	expect(await polled.poll()).toEqual([]);
	expect(sandbox.requests.at(-1)?.query).toEqual({ tags: 'nda', limit: '100' });
});

test('a task trigger starts with the whole task if Simplify is off', async ({
	sandbox,
	trigger,
}) => {
	const polled = await trigger({ simplify: false });
	await polled.register();
	sandbox.tasks.create({ title: 'NDA' });
	expect(await polled.poll()).toMatchObject([
		{ title: 'NDA', created_at: expect.any(String) as unknown },
	]);
});

test('a task trigger for statuses asks the service for them alone, also for those that no task has, and starts when one is reached', async ({
	sandbox,
	trigger,
}) => {
	const task = sandbox.tasks.create({ title: 'NDA' });
	const polled = await trigger({
		event: 'statusReached',
		statuses: 'approved, rejected',
		filters: { status: 'open' },
	});
	expect(await polled.register()).toEqual([]);
	sandbox.tasks.update(task, { status: 'approved' });
	expect(titles(await polled.poll())).toEqual(['NDA']);
	expect(sandbox.requests.map(({ query }) => query)).toEqual(
		Array(2).fill({ status: 'approved,rejected', limit: '100' }),
	);
	await expect((await trigger({ event: 'statusReached' })).register()).rejects.toThrow(
		'"Statuses" is empty',
	);
});

test.for([
	['Pacific/Kiritimati', '10:00'],
	['Pacific/Honolulu', '10:00'],
	['Asia/Kolkata', '18:30'],
	// The clock of the system, which is on UTC here.
	['', '00:00'],
	['Nowhere/City', '00:00'],
] as const)(
	'a task trigger for due dates counts whole days on the clock of the workflow: in %s they begin at %s UTC',
	async ([timezone, begin], { sandbox, trigger }) => {
		const query = async (parameters: INodeParameters): Promise<Record<string, string>> => {
			await (
				await trigger(
					{ event: 'due', filters: { status: 'open', completeByTo: '2020-01-01' }, ...parameters },
					timezone,
				)
			).register();
			return sandbox.requests.at(-1)?.query as Record<string, string>;
		};
		const {
			complete_by_from: start = '',
			complete_by_to: end = '',
			...others
		} = await query({ daysBefore: 2 });
		expect(others).toEqual({ status: 'open', limit: '100' });
		expect(start.slice(10)).toBe(`T${begin}:00.000Z`);
		expect(Math.abs(Date.parse(start) + DAY_MS / 2 - Date.now())).toBeLessThan(DAY_MS / 2 + 60_000);
		expect(Date.parse(end) - Date.parse(start)).toBe(3 * DAY_MS - 1);
		expect(await query({ includeOverdue: true })).not.toHaveProperty('complete_by_from');
	},
);

test.for(['init', 'leadershipChange'] as const)(
	'after a restart, a task trigger starts with what came meanwhile, and with nothing twice (%s)',
	async (activation, { sandbox, trigger }) => {
		const polled = await trigger();
		await polled.register();
		sandbox.tasks.create({ title: 'Meanwhile' });
		expect(titles(await polled.register(activation))).toEqual(['Meanwhile']);
		expect(await polled.poll()).toEqual([]);
	},
);

test('published again, a task trigger starts nothing that came meanwhile', async ({
	sandbox,
	trigger,
}) => {
	const polled = await trigger();
	await polled.register();
	sandbox.tasks.create({ title: 'Meanwhile' });
	expect([await polled.register('update'), await polled.poll()]).toEqual([[], []]);
});

test('a page that fails starts nothing and loses nothing: the next poll starts with all new tasks', async ({
	sandbox,
	trigger,
}) => {
	const polled = await trigger();
	await polled.register();
	sandbox.tasks.seed(120);
	const fault = sandbox.faults.add({
		kind: 'status',
		status: 503,
		match: 'GET /tasks',
		skip: 1,
		times: Infinity,
	});
	await expect(polled.poll()).rejects.toThrow('The service could not process the request');
	fault.remove();
	expect(await polled.poll()).toHaveLength(120);
	expect(await polled.poll()).toEqual([]);
});

test('a poll gives up if the service asks to wait for a minute', async ({ sandbox }) => {
	sandbox.faults.add({
		kind: 'status',
		status: 429,
		headers: { 'retry-after': '60' },
		match: 'GET /tasks',
	});
	// All that use a key wait with it.
	const polled = await pollingTrigger({
		sandbox,
		credential: { apiKey: 'sk-svc-api1-of-this-test' },
		parameters: {},
	});
	await expect(polled.register()).rejects.toThrow(
		"Your organization has reached the service's limit",
	);
});

test('a task that moves to the next page while the list is read starts the workflow once', async ({
	sandbox,
	trigger,
}) => {
	const polled = await trigger();
	await polled.register();
	for (const next_cursor of ['next', null]) {
		sandbox.faults.add({
			kind: 'body',
			body: JSON.stringify({ tasks: [{ id: 'moves' }], next_cursor }),
			status: 200,
			match: 'GET /tasks',
		});
	}
	expect(await polled.poll()).toEqual([{ id: 'moves' }]);
});

test('a publication fails if the tasks cannot be read', async ({ sandbox, trigger }) => {
	sandbox.faults.add({ kind: 'status', status: 503, match: 'GET /tasks', times: Infinity });
	await expect((await trigger()).register()).rejects.toThrow(
		'The service could not process the request',
	);
});

test('a restart does not fail if the service does: the log says so, and the next poll starts with what came meanwhile', async ({
	sandbox,
	trigger,
}) => {
	const polled = await trigger();
	await polled.register();
	sandbox.tasks.create({ title: 'Meanwhile' });
	const fault = sandbox.faults.add({
		kind: 'status',
		status: 503,
		match: 'GET /tasks',
		times: Infinity,
	});
	expect(await polled.register('init')).toEqual([]);
	expect(logs.at(-1)).toMatchObject({
		level: 'warn',
		message: expect.stringContaining('could not check for tasks when n8n started') as unknown,
	});
	await expect(polled.poll()).rejects.toThrow('The service could not process the request');
	fault.remove();
	expect(titles(await polled.poll())).toEqual(['Meanwhile']);
});

test('two polls at once start nothing twice', async ({ sandbox, trigger }) => {
	const polled = await trigger();
	await polled.register();
	sandbox.tasks.create({ title: 'NDA' });
	sandbox.faults.add({ kind: 'latency', ms: 500, match: 'GET /tasks' });
	expect((await Promise.all([polled.poll(), polled.poll()])).map(titles)).toEqual([['NDA'], []]);
	expect(await polled.poll()).toEqual([]);
	sandbox.tasks.create({ title: 'DPA' });
	expect((await Promise.all([polled.pollDurably(), polled.pollDurably()])).map(titles)).toEqual([
		['DPA'],
		[],
	]);
});

test("with another key, which may be another organization's, a task trigger starts nothing that it finds there", async ({
	sandbox,
}) => {
	const credential = { apiKey: sandbox.apiKey };
	const polled = await pollingTrigger({ sandbox, credential, parameters: {} });
	await polled.register();
	credential.apiKey = ` ${sandbox.apiKey}`;
	sandbox.tasks.create({ title: 'Of the others' });
	expect(await polled.poll()).toEqual([]);
	sandbox.tasks.create({ title: 'News of the others' });
	expect(titles(await polled.poll())).toEqual(['News of the others']);
});

test('a test event is the newest task that matches, and changes nothing', async ({
	sandbox,
	trigger,
}) => {
	const polled = await trigger({ filters: { status: ['open'] } });
	await polled.register();
	for (const [title, day] of [
		['Older', '02'],
		['Newest', '05'],
		['Oldest', '01'],
	] as const) {
		sandbox.tasks.create({
			title,
			created_at: `2026-03-${day}T00:00:00Z`,
			priority: title === 'Oldest' ? 'urgent' : 'low',
		});
	}
	sandbox.tasks.create({ title: 'Closed', status: 'closed' });
	expect(titles(await polled.testEvent())).toEqual(['Newest']);
	expect(titles(await polled.poll())).toHaveLength(3);
});

test('more than 20,000 tasks are an error that says what to do, and nothing is known of them', async ({
	sandbox,
	trigger,
}) => {
	const tasks = Array.from({ length: 20_001 }, (_, index) => ({ id: String(index) }));
	const fault = sandbox.faults.add({
		kind: 'body',
		body: JSON.stringify({ tasks, next_cursor: null }),
		match: 'GET /tasks',
	});
	const polled = await trigger();
	await expect(polled.register()).rejects.toMatchObject({
		message: 'More than 20,000 tasks match this trigger',
		description: expect.stringContaining('Narrow "Filters"') as unknown,
	});
	expect(fault.fired).toBe(1);
});

test('a poll that takes more than half of the requests of a minute says so in the log', async ({
	sandbox,
	trigger,
}) => {
	let page = 0;
	const body = (): string =>
		JSON.stringify({
			tasks: [{ id: String(page) }],
			next_cursor: page++ < 200 ? `cursor-${page}` : null,
		});
	sandbox.faults.add({
		kind: 'body',
		body,
		match: (request) => request.route === 'GET /tasks',
		times: Infinity,
		status: 200,
	});
	await (await trigger()).register();
	expect(logs.at(-1)).toMatchObject({
		level: 'warn',
		message: expect.stringMatching(/^Legal AI used 201 of the 400 requests/) as unknown,
	});
});

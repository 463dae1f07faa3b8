import { randomUUID } from 'node:crypto';

import type { INodeParameters } from 'n8n-workflow';

import {
	logs,
	pollingTrigger,
	type Sandbox,
	test as base,
	textLike,
	textWith,
} from '../support/fixtures.mts';

type Trigger = Awaited<ReturnType<typeof pollingTrigger>>;

/** Failures are retried for some seconds. Each test has a key of its own: what the process knows of a key outlives a test. */
const test = base.override({ timesFaster: 50 }).extend<{
	credential: { apiKey: string };
	trigger: (parameters?: INodeParameters, timezone?: string) => Promise<Trigger>;
}>({
	credential: async ({ service }, use) => {
		const credential = { apiKey: `sk-svc-api1-${randomUUID()}` };
		service.keys.set(credential.apiKey, undefined);
		await use(credential);
	},
	trigger: async ({ service, credential }, use) => {
		service.tasks.clear();
		await use((parameters = {}, timezone = 'Europe/Berlin') =>
			pollingTrigger({ service, credential, parameters, settings: { timezone } }),
		);
	},
});

const DAY_MS = 86_400_000;

/** Has the credential hold the key of another user. */
function replaceKey(credential: { apiKey: string }, { keys, organization: { user } }: Sandbox) {
	credential.apiKey = `sk-svc-api1-${randomUUID()}`;
	keys.set(credential.apiKey, { ...user, user_id: 'other' });
}

/** What the service was asked about tasks. */
const queries = (service: Sandbox) => service.requestsTo('GET /tasks').map(({ query }) => query);

const titles = (items: object[]) => items.map((item) => ('title' in item ? item.title : undefined));

test('a task trigger starts nothing when it is published, then with each new task that passes the filters, simplified', async ({
	service,
	trigger,
}) => {
	service.tasks.create({ title: 'Old' });
	const polled = await trigger({ filters: { tags: 'nda', draft: false } });
	expect(await polled.register()).toEqual([]);
	service.tasks.create({ title: 'Lease' });
	const { id } = service.tasks.create({ title: 'NDA', tags: ['nda'] });
	const items = await polled.poll();
	expect(items).toMatchObject([{ id, title: 'NDA', tags: ['nda'] }]);
	expect(items[0]).not.toHaveProperty('created_at');
	expect(await polled.poll()).toEqual([]);
	expect(queries(service).at(-1)).toEqual({ tags: 'nda', limit: '100' });
});

test('a task trigger that filters by due date counts whole days on the clock of the workflow', async ({
	service,
	trigger,
}) => {
	const polled = await trigger({ filters: { completeByTo: '2026-01-01' } }, 'Asia/Kolkata');
	await polled.register();
	expect(queries(service)).toMatchObject([{ complete_by_to: '2026-01-01T18:29:59.999Z' }]);
});

test('a task trigger for statuses asks the service for them alone, also for those that no task has, and starts when one is reached', async ({
	service,
	trigger,
}) => {
	const task = service.tasks.create({ title: 'NDA' });
	const polled = await trigger({
		event: 'statusReached',
		statuses: 'approved, rejected',
		filters: { status: 'open' },
	});
	expect(await polled.register()).toEqual([]);
	service.tasks.update(task, { status: 'approved' });
	expect(titles(await polled.poll())).toEqual(['NDA']);
	expect(queries(service)).toEqual(Array(2).fill({ status: 'approved,rejected', limit: '100' }));
	await expect((await trigger({ event: 'statusReached' })).register()).rejects.toThrow(
		'"Status" is empty',
	);
});

test.for([
	['Pacific/Honolulu', '10:00'],
	['Asia/Kolkata', '18:30'],
	// The clock of the system, which is on UTC here.
	['Nowhere/City', '00:00'],
] as const)(
	'a task trigger for due dates counts whole days on the clock of the workflow: in %s they begin at %s UTC',
	async ([timezone, begin], { service, trigger }) => {
		const query = async (parameters: INodeParameters) => {
			await (
				await trigger(
					{ event: 'due', filters: { status: 'open', completeByTo: '2020-01-01' }, ...parameters },
					timezone,
				)
			).register();
			return service.requests.at(-1)?.query as Record<string, string>;
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

const edited = { filters: { tags: 'nda' } };
const EMPTY = {
	...{ query: ' ', status: [], draft: false, tags: '' },
	priority: { __rl: true, mode: 'list', value: '' },
};

test.for<[string, (trigger: Trigger) => Promise<object[]>, string[]]>([
	['was switched off and on', (trigger) => trigger.register('activate'), []],
	[
		'was taken over by another n8n',
		(trigger) => trigger.register('leadershipChange'),
		['Meanwhile'],
	],
	['was edited', (trigger) => trigger.edit({ parameters: { simplify: false } }), ['Meanwhile']],
	[
		'has another credential of the same user',
		(trigger) => trigger.edit({ credentials: { legalAiApi: { id: 'other', name: 'Other' } } }),
		['Meanwhile'],
	],
	['has other filters', (trigger) => trigger.edit({ parameters: edited }), []],
	[
		'has more filters, which are empty',
		(trigger) => trigger.edit({ parameters: { filters: EMPTY } }),
		['Meanwhile'],
	],
	[
		'is about other events',
		(trigger) => trigger.edit({ parameters: { event: 'statusReached', statuses: ['open'] } }),
		[],
	],
	['has another name', (trigger) => trigger.edit({ name: 'Renamed' }), []],
])(
	'a task trigger that %s starts what came meanwhile only if it is about the same',
	async ([, publish, starts], { service, trigger }) => {
		const polled = await trigger();
		await polled.register();
		service.tasks.create({ title: 'Meanwhile', tags: ['nda'] });
		expect(titles(await publish(polled))).toEqual(starts);
		expect(await polled.poll()).toEqual([]);
		service.tasks.create({ title: 'Next', tags: ['nda'] });
		expect(titles(await polled.poll())).toEqual(['Next']);
	},
);

const PERSON = '1f0c9a52-6b1d-4f0e-9b58-2a7d4c3e5f60';
const person = (cachedResultName: string) => ({
	filters: { assignedTo: { __rl: true, mode: 'list', value: PERSON, cachedResultName } },
});

test.for<[string, before: INodeParameters, after: INodeParameters]>([
	['picked in another order', { statuses: ['open', 'sent'] }, { statuses: ['sent', 'open'] }],
	['spelled with another blank', { statuses: 'open,sent' }, { statuses: ' open, sent' }],
	['with a label that has changed', person('Ada'), person('Ada Okafor')],
	[
		'added in another order',
		{ filters: { priority: 'high', tags: 'nda, lease' } },
		{ filters: { tags: 'lease,nda', priority: 'high' } },
	],
])(
	'statuses and filters of a task trigger are the same if they are %s',
	async ([, before, after], { service, trigger }) => {
		const event = { event: 'statusReached', statuses: 'open' };
		const polled = await trigger({ ...event, ...before });
		await polled.register();
		service.tasks.create({
			...{ title: 'Meanwhile', status: 'open', assigned_to: PERSON, tags: ['nda', 'lease'] },
			priority: 'high',
		});
		expect(titles(await polled.edit({ parameters: after }))).toEqual(['Meanwhile']);
	},
);

test('a task trigger that searches for the same words in another order has other filters than before', async ({
	service,
	trigger,
}) => {
	const polled = await trigger({ filters: { query: 'NDA, Acme' } });
	await polled.register();
	service.tasks.create({ title: 'NDA, Acme, NDA' });
	expect(await polled.edit({ parameters: { filters: { query: 'Acme, NDA' } } })).toEqual([]);
});

test('a task trigger with other statuses than before starts nothing that has them already', async ({
	service,
	trigger,
}) => {
	const polled = await trigger({ event: 'statusReached', statuses: ['open', 'sent'] });
	await polled.register();
	service.tasks.create({ title: 'Meanwhile', status: 'open' });
	expect(await polled.edit({ parameters: { statuses: ['open'] } })).toEqual([]);
});

test.for(['ordinary', 'durable', 'durable with cursors'] as const)(
	"with another user's key, a task trigger starts nothing that it finds, and says so in the log (scheduler: %s)",
	async (scheduler, { service, credential }) => {
		const polled = await pollingTrigger({ service, credential, parameters: {}, scheduler });
		await polled.register();
		const logged = logs.length;
		replaceKey(credential, service);
		service.tasks.create({ title: 'Of the others' });
		for (let polls = 0; polls < 2; polls++) expect(await polled.poll()).toEqual([]);
		expect(logs.slice(logged)).toMatchObject([
			{ level: 'warn', message: textWith('another user') },
		]);
	},
);

test('where the service does not say whose a key is, a task trigger goes by the key, and asks once for all that use it', async ({
	service,
	credential,
	trigger,
}) => {
	const body = '{"user_name":"Ada"}';
	service.faults.add({ kind: 'body', body, match: 'GET /me', times: Infinity });
	const polled = await trigger();
	await polled.register();
	service.tasks.create({ title: 'NDA' });
	expect(titles(await polled.poll())).toEqual(['NDA']);
	await (await trigger()).register();
	expect(service.requestsTo('GET /me')).toHaveLength(1);
	replaceKey(credential, service);
	service.tasks.create({ title: 'Of somebody else, perhaps' });
	expect(await polled.poll()).toEqual([]);
});

test('a poll during which the key is changed starts nothing, and nothing is lost or repeated once it is changed back', async ({
	service,
	credential,
	trigger,
}) => {
	const mine = { ...credential };
	const polled = await trigger();
	await polled.register();
	service.tasks.seed(120);
	const change = service.faults.add({
		kind: 'body',
		match: 'GET /tasks',
		body: (body) => {
			replaceKey(credential, service);
			return body;
		},
	});
	expect(await polled.restart({})).toEqual([]);
	expect(change.fired).toBe(1);
	Object.assign(credential, mine);
	expect(await polled.poll()).toHaveLength(120);
	expect(await polled.poll()).toEqual([]);
});

test('a poll waits if the service asks for some seconds, and gives up if it asks for a minute', async ({
	service,
	trigger,
}) => {
	const polled = await trigger();
	const busy = { status: 429, match: 'GET /tasks' } as const;
	service.faults.add({ ...busy, headers: { 'retry-after': '2' } });
	expect(await polled.register()).toEqual([]);
	service.faults.add({ ...busy, headers: { 'retry-after': '60' } });
	await expect(polled.poll()).rejects.toThrow("Your organization has reached the service's limit");
});

test('a restart does not fail if the service does: the log says so, and the next poll starts with what came meanwhile', async ({
	service,
	trigger,
}) => {
	const polled = await trigger();
	await polled.register();
	service.tasks.create({ title: 'Meanwhile' });
	const fault = service.faults.add({ status: 503, match: 'GET /tasks', times: Infinity });
	expect(await polled.register('init')).toEqual([]);
	expect(logs.at(-1)).toMatchObject({
		level: 'warn',
		message: textWith('could not check for tasks when n8n started'),
	});
	await expect(polled.poll()).rejects.toThrow('The service could not process the request');
	fault.remove();
	expect(titles(await polled.poll())).toEqual(['Meanwhile']);
});

test('two polls at once start nothing twice', async ({ service, trigger }) => {
	const polled = await trigger();
	await polled.register();
	service.tasks.create({ title: 'NDA' });
	service.faults.add({ kind: 'latency', ms: 500, match: 'GET /tasks' });
	expect((await Promise.all([polled.poll(), polled.poll()])).map(titles)).toEqual([['NDA'], []]);
	expect(await polled.poll()).toEqual([]);
});

test('a test event comes during a poll, too, and lets no other poll begin before that one has ended', async ({
	service,
	trigger,
}) => {
	const polled = await trigger();
	await polled.register();
	service.tasks.create({ title: 'NDA' });
	service.faults.add({ kind: 'latency', ms: 500, match: 'GET /tasks' });
	const first = polled.poll();
	await service.waitForRequest(({ route, ended }) => route === 'GET /tasks' && !ended);
	expect(titles(await polled.testEvent())).toEqual(['NDA']);
	expect(await polled.poll()).toEqual([]);
	expect(titles(await first)).toEqual(['NDA']);
});

test('a test event is the newest task that matches, and changes nothing', async ({
	service,
	trigger,
}) => {
	const polled = await trigger({ filters: { status: ['open'] } });
	await polled.register();
	await expect(polled.testEvent()).rejects.toThrow('No task matches this trigger yet');
	for (const [title, day] of [
		['Older', '02'],
		['Newest', '05'],
		['Oldest', '01'],
	] as const) {
		service.tasks.create({
			title,
			created_at: `2026-03-${day}T00:00:00Z`,
			priority: title === 'Oldest' ? 'urgent' : 'low',
		});
	}
	service.tasks.create({ title: 'Closed', status: 'closed' });
	expect(titles(await polled.testEvent())).toEqual(['Newest']);
	expect(titles(await polled.poll())).toHaveLength(3);
});

test('a test event is the newest task of the whole list, which has the urgent ones first', async ({
	service,
	trigger,
}) => {
	const created_at = '2026-03-01T00:00:00Z';
	for (let index = 0; index < 500; index++)
		service.tasks.create({ title: 'Older', created_at, priority: 'urgent' });
	service.tasks.create({ title: 'Newest', created_at: '2026-03-05T00:00:00Z', priority: 'low' });
	expect(titles(await (await trigger()).testEvent())).toEqual(['Newest']);
});

test('a test event takes twenty seconds at most: it is then the newest task so far', async ({
	service,
	trigger,
}) => {
	let tasks = 0;
	const body = () =>
		JSON.stringify({ tasks: [{ id: `t${tasks++}`, title: 'Some' }], next_cursor: `c${tasks}` });
	const match = 'GET /tasks';
	service.faults.add({ kind: 'latency', ms: 200, match, times: Infinity });
	service.faults.add({ kind: 'body', body, match, times: Infinity, status: 200 });
	expect(titles(await (await trigger()).testEvent())).toEqual(['Some']);
});

test('more than 20,000 tasks are an error that says what to do, and nothing is known of them', async ({
	service,
	trigger,
}) => {
	const listTasks = (count: number) => {
		const tasks = Array.from({ length: count }, (_, index) => ({ id: String(index) }));
		const body = JSON.stringify({ tasks, next_cursor: null });
		return service.faults.add({ kind: 'body', body, match: 'GET /tasks' });
	};
	const polled = await trigger();
	const fault = listTasks(20_001);
	await expect(polled.register()).rejects.toMatchObject({
		message: 'More than 20,000 tasks match this trigger',
		description: textWith('Narrow "Filters"'),
	});
	expect(fault.fired).toBe(1);
	listTasks(20_000);
	expect(await polled.register()).toEqual([]);
});

test('a poll that takes more than half of the requests of a minute says so in the log', async ({
	service,
	trigger,
}) => {
	let page = 0;
	const body = () =>
		JSON.stringify({
			tasks: [{ id: String(page) }],
			next_cursor: page++ < 200 ? `cursor-${page}` : null,
		});
	service.faults.add({ kind: 'body', body, match: 'GET /tasks', times: Infinity, status: 200 });
	await (await trigger()).register();
	expect(logs.at(-1)).toMatchObject({
		level: 'warn',
		message: textLike(/^Legal AI used 201 of the 400 requests/),
	});
});

import { LegalAi } from '../../../nodes/LegalAi/LegalAi.node.ts';
import type { Task } from '../../sandbox/state/tasks.mts';
import { asTool, seenAs } from '../../support/engine/seenAs.mts';
import {
	continuing,
	LEGAL_AI,
	type Sandbox,
	someText,
	test,
	textLike,
	textWith,
	type Wait,
} from '../../support/fixtures.mts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

const create = (service: Sandbox, status = 'todo') =>
	service.tasks.create({ title: 'Approve the NDA', status });
const looks = (service: Sandbox) => service.requestsTo('GET /tasks/:task_id').map(({ at }) => at);

const nameTask = ({ display_id: key, title }: Task) => `${key} "${title}"`;

/** Waits until the tasks are approved, or are "2"; until the node outputs or parks. */
async function waitFor(
	{ ask }: Wait,
	tasks: { id: string }[],
	{ fields, ...more }: Parameters<Wait['ask']>[0] = {},
) {
	return await ask({
		items: tasks.map(({ id }) => ({ json: { id } })),
		fields: {
			resource: 'task',
			operation: 'waitForStatus',
			taskId: { __rl: true, mode: 'id', value: '={{ $json.id }}' },
			statuses: ['approved', '2'],
			...fields,
		},
		...more,
	});
}

const CANT_PAUSE = {
	message: textWith("can't pause the execution"),
	description: textWith('"Status Reached"'),
};

describe('task: wait for status', () => {
	test('outputs a task that has one of the statuses with a single request, at once or after somebody has set it', async ({
		service,
		wait,
	}) => {
		const [now, later] = [create(service, 'approved'), create(service)];
		expect((await waitFor(wait, [now])).json).toMatchObject([{ id: now.id, status: 'approved' }]);

		const parked = await waitFor(wait, [later]);
		expect([parked.status, looks(service).length]).toEqual(['waiting', 2]);
		expect(parked.hints).toEqual([
			textLike(
				/^Waiting for LEGAL-\d+ "Approve the NDA" to reach the status "approved" or "2", until \w{3} \d+, .* It was "todo" at the last check.*every 30 minutes/,
			),
		]);
		service.tasks.update(later, { status: '2' });
		const [item] = (await wait.wakeInTime(parked)).json;
		expect(item).toMatchObject({ id: later.id, status: '2' });
		expect(Object.keys(item ?? {})).toHaveLength(10);
		expect(looks(service)).toHaveLength(3);
	});

	test('names the task by its title, whatever is in it, while it waits, and if it fails', async ({
		service,
		wait,
	}) => {
		const title = 'Sign Mutual_Non_Disclosure_Agreement_Acme_GmbH.docx \u0096 final';
		const task = service.tasks.create({ title, status: 'todo' });
		const shown = textWith(`"${title.replace(' \u0096', '')}"`);
		const parked = await waitFor(wait, [task]);
		expect(parked.hints).toEqual([shown]);
		const { error } = await wait.toItsEnd(parked);
		expect(error?.message).toEqual(shown);
	});

	test('fails once five days are over, and only then, with what the task is and the ways out; a retry looks, and waits, anew', async ({
		service,
		clock,
		wait,
	}) => {
		const began = Date.now();
		const task = create(service);
		const failed = await wait.toItsEnd(await waitFor(wait, [task]));
		expect(failed.error?.message).toBe(
			`${nameTask(task)} did not reach the status "approved" or "2" in time: it is "todo"`,
		);
		expect(failed.error?.description).toMatch(/status: 1\..*"Output the Task".*"On Error"/);
		expect(Date.now() - began).toBeGreaterThanOrEqual(5 * DAY);

		const before = looks(service).length;
		const again = await clock.settle(failed.retry());
		expect([again.status, looks(service).length]).toEqual(['waiting', before + 1]);
		expect((again.waitTill?.getTime() ?? 0) - Date.now()).toBeLessThan(2 * MINUTE);
		service.tasks.update(task, { status: 'approved' });
		expect((await wait.wakeInTime(again)).json).toMatchObject([
			{ id: task.id, status: 'approved' },
		]);
	});

	test('lets all others end before one fails that was archived or is late, and counts those', async ({
		service,
		clock,
		wait,
	}) => {
		const [first, archived, late] = [create(service), create(service), create(service)];
		service.tasks.update(archived, { archived: true });
		const parked = await waitFor(wait, [first, archived, late]);
		expect(parked.hints).toEqual([
			textLike(/^Waiting for all tasks .* All of them go on together, with the last one\./),
		]);
		service.tasks.update(first, { status: 'approved' });
		const failed = await wait.toItsEnd(parked);
		expect(failed.error?.message).toBe(
			`${nameTask(archived)} was archived before it reached the status "approved" or "2": it is "todo" [item 1]`,
		);
		expect(failed.error?.description).toContain('status: 2.');

		service.tasks.update(first, { status: 'sent' });
		service.tasks.update(archived, { archived: false });
		const again = await clock.settle(failed.retry());
		for (const task of [archived, late]) service.tasks.update(task, { status: 'approved' });
		expect((await wait.wakeInTime(again)).json.map(({ status }) => status)).toEqual([
			'approved',
			'approved',
			'approved',
		]);
	});

	test('counts each task by the statuses of its own item', async ({ service, wait }) => {
		const tasks = [
			create(service, 'approved'),
			create(service, 'approved'),
			create(service, 'sent'),
		];
		const statuses = "={{ $itemIndex === 1 ? ['sent'] : ['approved', 'sent'] }}";
		const parked = await waitFor(wait, tasks, { fields: { statuses } });
		const failed = await wait.toItsEnd(parked);
		expect(failed.status).toBe('error');
		expect(failed.error?.description).toEqual(
			textWith('Tasks that did not reach their status: 1.'),
		);
	});

	test('with Continue on Fail, an item that fails is the task, whole, with the error beside it', async ({
		service,
		wait,
	}) => {
		const [archived, late] = [create(service), create(service)];
		service.tasks.update(archived, { archived: true });
		const tasks = [create(service, 'approved'), archived, late];
		const { json } = await wait.toItsEnd(await waitFor(wait, tasks, { node: continuing }));
		const failed = {
			status: 'todo',
			url: someText,
			error: textWith('[item '),
			details: { description: textWith('status: 2.') },
		};
		expect(json).toMatchObject([
			{ status: 'approved' },
			{ id: archived.id, archived: true, ...failed },
			{ id: late.id, timed_out: true, ...failed },
		]);
		expect(json.map((item) => 'timed_out' in item)).toEqual([false, false, true]);
	});

	test('outputs the tasks as they are if that is wanted, in their order, with a hint that counts them', async ({
		service,
		wait,
	}) => {
		const [archived, late] = [create(service), create(service)];
		service.tasks.update(archived, { archived: true });
		const options = { onNotReached: 'output', maxWait: 0 };
		const { json, hints } = await waitFor(wait, [late, create(service, 'approved'), archived], {
			options,
		});
		expect(json).toMatchObject([
			{ id: late.id, timed_out: true },
			{ status: 'approved' },
			{ id: archived.id, archived: true },
		]);
		expect(json.map((item) => Object.keys(item).length)).toEqual([10, 10, 10]);
		expect(hints).toEqual([textWith('Number of tasks that did not reach the status: 2.')]);
	});

	test('says that "Status" is empty before any request', async ({ service, wait }) => {
		const { error } = await waitFor(wait, [create(service)], { fields: { statuses: '={{ [] }}' } });
		expect(error?.message).toBe('"Status" is empty');
		expect(service.requests).toEqual([]);
	});

	test.for([
		['says that the ID is that of a question which the item is', 'q-1', 's-1', 404, true],
		['does not say so of another ID', 'q-2', 's-1', 404, false],
		['does not say so if the item has no session', 'q-1', undefined, 404, false],
		['does not say so if access is denied', 'q-1', 's-1', 403, false],
	] as const)(
		'fails at the first look, and %s',
		async ([, id, session_id, status, isSaid], { service, wait }) => {
			service.faults.add({
				status,
				body: { error_code: 'some_code' },
				match: 'GET /tasks/:task_id',
			});
			const items = [{ json: { id: 'q-1', session_id } }];
			const fields = { taskId: { __rl: true, mode: 'id', value: `={{ "${id}" }}` } };
			const { error } = await waitFor(wait, [], { items, fields });
			expect(error).toMatchObject({ httpCode: String(status) });
			expect(error?.message.includes('this is the ID of a question')).toBe(isSaid);
		},
	);

	test('ends later only with a 404 of the API', async ({ service, wait }) => {
		const parked = await waitFor(wait, [create(service)]);
		const answer = (status: number) =>
			({
				status,
				body: { error_code: 'some_code', message: 'So it is' },
				match: 'GET /tasks/:task_id',
			}) as const;
		service.faults.add(answer(403));
		const checked = await wait.wakeInTime(parked);
		expect([checked.status, checked.hints]).toEqual([
			'waiting',
			expect.arrayContaining([textWith('could not check: ')]),
		]);
		service.faults.add(answer(404));
		expect((await wait.wakeInTime(checked)).error?.message).toContain('So it is');
	});

	test.for([
		['as a tool that another node runs', asTool('Agent')],
		['in Engine 2.0', () => ({ getExecutionId: () => '0f6b3c52-9d1e' })],
	] as const)(
		'looks once %s: the task has the status, or the error says what to use instead',
		async ([, execute], { service, wait }) => {
			const nodeTypes = { [LEGAL_AI]: seenAs(new LegalAi(), { execute }) };
			expect(
				(await waitFor(wait, [create(service, 'approved')], { nodeTypes })).json,
			).toMatchObject([{ status: 'approved' }]);
			expect((await waitFor(wait, [create(service)], { nodeTypes })).error).toMatchObject(
				CANT_PAUSE,
			);
			expect(looks(service)).toHaveLength(2);
		},
	);

	test('fails if the execution timeout comes before Max Wait: "timed_out" would be wrong', async ({
		service,
		wait,
	}) => {
		const settings = { executionTimeout: 60 * 60 };
		const over = await wait.toItsEnd(await waitFor(wait, [create(service)], { settings }));
		expect(over.error?.message).toContain('the execution timeout of this workflow is shorter');
	});
});

import fc from 'fast-check';
import type { INodeParameters } from 'n8n-workflow';
import { describe, expect, test } from 'vitest';

import { taskView } from '../sandbox/routes/tasks.mts';
import type { Task } from '../sandbox/state/tasks.mts';
import type { Double } from './double.mts';
import type { Json } from './pages.mts';
import { everyService, expectSuccess, runAgainst } from './property.mts';
import { kept } from './records.mts';
import { partsOfService } from './services.mts';

/** An operation on a task, and what it leaves the task as. */
interface Change {
	readonly operation: string;
	readonly parameters?: INodeParameters;
	readonly fields?: Partial<Task>;
}

const CHANGES: readonly Change[] = [
	{ operation: 'get' },
	{ operation: 'archive', fields: { archived: true } },
	{ operation: 'acceptDraft', fields: { draft: false } },
	{
		operation: 'update',
		parameters: { updateFields: { title: 'Sign “NDA”', description: 'Now', tags: 'a, b' }, clearFields: ['complete_by'] },
		fields: { title: 'Sign “NDA”', description: 'Now', tags: ['a', 'b'], complete_by: null },
	},
];

/** Services that have a task. */
const withTasks = { tasks: partsOfService.tasks.map((style) => ({ ...style, count: style.count || (1 as const) })) };

const PERSON = '1f0c9a52-6b1d-4f0e-9b58-2a7d4c3e5f60';

/** The same values, as people, spreadsheets and databases write them. */
const FORMS = {
	tags: fc.constantFrom(['nda', '7'], ['nda', 7, null], 'nda, 7', ' nda,7, ', '["nda", "7"]'),
	draft: fc.constantFrom(true, 'true', ' TRUE', 1, '1'),
	assignedTo: fc.constantFrom(PERSON, ` ${PERSON}\n`),
	completeBy: fc.constantFrom('2026-12-01T10:00:00Z', '2026-12-01 10:00:00 UTC', 'Tue, 1 Dec 2026 11:00:00 +0100', Date.UTC(2026, 11, 1, 10)),
	priority: fc.constantFrom('2', 2, 'high'),
	description: fc.constantFrom('', '  ', null),
};

describe('one task, however it is wrapped,', () => {
	test('comes out as the service has it after each operation, which is carried out once', async () => {
		const choice = fc.record({ change: fc.constantFrom(...CHANGES), simplify: fc.boolean() });
		await everyService(withTasks, choice, async (service, { change: { operation, parameters, fields }, simplify }) => {
			const task = service.sandbox.tasks.ordered().find(({ archived, draft }) => !archived && !draft);
			if (task === undefined) throw new Error('The service has no task');
			const taskId = { __rl: true, mode: 'id', value: task.id };
			const before = structuredClone(task);
			const run = await runAgainst(service, { parameters: { resource: 'task', operation, taskId, simplify, ...parameters } });
			expectSuccess(run);
			expect(task).toEqual({ ...before, ...fields, updated_at: task.updated_at });
			expectTask(run.json, shownTask(service, task), simplify);
		});
	});

	test('is created once, with the fields that were set, in whatever form an item has them', async () => {
		const form = fc.record({ json: fc.record(FORMS), simplify: fc.boolean() });
		await everyService({}, form, async (service, { json, simplify }) => {
			const before = [...service.sandbox.tasks.ordered()];
			const additionalFields = Object.fromEntries(Object.keys(FORMS).map((name) => [name, `={{ $json.${name} }}`]));
			const run = await runAgainst(service, {
				parameters: { resource: 'task', operation: 'create', title: 'Review “NDA”', simplify, additionalFields },
				items: [{ json }],
			});
			expectSuccess(run);
			const [created, ...others] = service.sandbox.tasks.ordered().filter((task) => !before.includes(task));
			if (created === undefined) throw new Error('No task was created');
			expect(others).toEqual([]);
			const fields = { title: 'Review “NDA”', tags: ['nda', '7'], assigned_to: PERSON, complete_by: '2026-12-01T10:00:00.000Z' };
			expect(created).toMatchObject({ ...fields, priority: kept(json.priority), draft: true, description: null });
			expectTask(run.json, shownTask(service, created), simplify);
		});
	});
});

const shownTask = ({ sandbox, shown }: Double, task: Task): Json => shown.task(taskView(task, sandbox.organization));

/** Simplified, it still has what tells it from others, as the service has it. */
function expectTask(json: Json[], task: Json, simplify: boolean): void {
	const { id, display_id, title, status, priority } = task;
	const known = Object.entries({ id, display_id, title, status, priority }).filter(([, value]) => value !== undefined);
	expect(json).toEqual([simplify ? expect.objectContaining(Object.fromEntries(known)) : task]);
}

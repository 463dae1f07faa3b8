import fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { describe, expect, test } from 'vitest';

import type { Json } from './pages.mts';
import { everyService, expectSuccess, runAgainst } from './property.mts';
import { shown, type Task } from './records.mts';

/** An operation on a task, and what it leaves the task as. */
interface Change {
	readonly operation: string;
	readonly parameters?: INodeParameters;
	readonly fields?: Json;
	readonly flags?: Partial<Pick<Task, 'archived' | 'draft'>>;
}

const CHANGES: readonly Change[] = [
	{ operation: 'get' },
	{ operation: 'archive', flags: { archived: true } },
	{ operation: 'acceptDraft', flags: { draft: false } },
	{
		operation: 'update',
		parameters: { updateFields: { title: 'Sign “NDA”', description: 'Now', tags: 'a, b' }, clearFields: ['complete_by'] },
		fields: { title: 'Sign “NDA”', description: 'Now', tags: ['a', 'b'], complete_by: null },
	},
];

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
		await everyService({}, choice, async (service, { change: { operation, parameters, fields, flags }, simplify }) => {
			const [task] = service.truth.tasks;
			const taskId = { __rl: true, mode: 'id', value: '={{ $json.id }}' };
			const item = { json: { id: '7c9e6679-7425-40de-944b-e07fc1f90ae7', ...task?.record } as IDataObject };
			const before = structuredClone(task);
			const run = await runAgainst(service, { parameters: { resource: 'task', operation, taskId, simplify, ...parameters }, items: [item] });
			if (task === undefined) {
				expect(run.status).toBe('error');
				return;
			}
			expectSuccess(run);
			expect(task).toEqual({ ...before, ...flags, record: { ...before?.record, ...fields } });
			expectTask(run.json, shown(service.description, task), simplify);
		});
	});

	test('is created once, with the fields that were set, in whatever form an item has them', async () => {
		const form = fc.record({ json: fc.record(FORMS), simplify: fc.boolean() });
		await everyService({}, form, async (service, { json, simplify }) => {
			const { description, truth } = service;
			const before = truth.tasks.length;
			const additionalFields = Object.fromEntries(Object.keys(FORMS).map((name) => [name, `={{ $json.${name} }}`]));
			const run = await runAgainst(service, {
				parameters: { resource: 'task', operation: 'create', title: 'Review “NDA”', simplify, additionalFields },
				items: [{ json }],
			});
			expectSuccess(run);
			expect(truth.tasks).toHaveLength(before + 1);
			const created = truth.tasks.at(-1);
			const fields = { title: 'Review “NDA”', tags: ['nda', '7'], assigned_to: PERSON, complete_by: '2026-12-01T10:00:00.000Z' };
			expect(created).toMatchObject({ record: { ...fields, priority: json.priority }, draft: true });
			expect(created?.record).not.toHaveProperty('description');
			if (created !== undefined) expectTask(run.json, shown(description, created), simplify);
		});
	});
});

/** Simplified, it still has what tells it from others, as the service has it. */
function expectTask(json: Json[], task: Json, simplify: boolean): void {
	const { id, display_id, title, status, priority } = task;
	const known = Object.entries({ id, display_id, title, status, priority }).filter(([, value]) => value !== undefined);
	expect(json).toEqual([simplify ? expect.objectContaining(Object.fromEntries(known)) : task]);
}

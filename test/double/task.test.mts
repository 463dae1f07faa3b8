import fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { install, uninstall } from '../support/engine/acceleratedClock.mts';
import type { Json } from './pages.mts';
import { everyService, expectSuccess, runAgainst } from './property.mts';
import { shown, type Task } from './records.mts';

beforeAll(() => {
	install(200);
});
afterAll(uninstall);

/** An operation on a task, and what it leaves the task as. */
interface Change {
	readonly operation: string;
	readonly parameters: INodeParameters;
	readonly fields: Json;
	readonly archived?: boolean;
	readonly draft?: boolean;
}

const CHANGES: readonly Change[] = [
	{ operation: 'get', parameters: {}, fields: {} },
	{ operation: 'archive', parameters: {}, fields: {}, archived: true },
	{ operation: 'acceptDraft', parameters: {}, fields: {}, draft: false },
	{
		operation: 'update',
		parameters: { updateFields: { title: 'Sign “NDA”', description: 'Now', tags: 'a, b' }, clearFields: ['complete_by'] },
		fields: { title: 'Sign “NDA”', description: 'Now', tags: ['a', 'b'], complete_by: null },
	},
];

const FIRST: Task['record'] = {};

describe('one task, however it is wrapped,', () => {
	test('comes out as the service has it after each operation, which is carried out once', async () => {
		const change = fc.record({ change: fc.constantFrom(...CHANGES), simplify: fc.boolean() });
		await everyService({}, change, async (service, { change: { operation, parameters, fields, archived, draft }, simplify }) => {
			const { description, truth } = service;
			const [task] = truth.tasks;
			const taskId = { __rl: true, mode: 'id', value: '={{ $json.id }}' };
			const item = { json: { id: '7c9e6679-7425-40de-944b-e07fc1f90ae7', ...task?.record } as IDataObject };
			const before = structuredClone(task ?? { record: FIRST, archived: false, draft: false });
			const run = await runAgainst(service, {
				parameters: { resource: 'task', operation, taskId, simplify, ...parameters },
				items: [item],
			});
			if (task === undefined) {
				expect(run.status).toBe('error');
				return;
			}
			expectSuccess(run);
			expect(task).toEqual({
				record: { ...before.record, ...fields },
				archived: archived ?? before.archived,
				draft: draft ?? before.draft,
			});
			expectTask(run.json, shown(description, task), simplify);
		});
	});

	test('is created once, with the fields that were set', async () => {
		await everyService({}, fc.boolean(), async (service, simplify) => {
			const { description, truth } = service;
			const before = truth.tasks.length;
			const run = await runAgainst(service, {
				parameters: {
					resource: 'task',
					operation: 'create',
					title: 'Review “NDA”',
					simplify,
					additionalFields: { tags: 'nda, new', draft: true, completeBy: '2026-12-01T10:00:00Z' },
				},
			});
			expectSuccess(run);
			expect(truth.tasks).toHaveLength(before + 1);
			const created = truth.tasks.at(-1);
			expect(created).toMatchObject({ record: { title: 'Review “NDA”', tags: ['nda', 'new'] }, draft: true });
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

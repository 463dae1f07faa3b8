import fc from 'fast-check';
import type { INodeParameters } from 'n8n-workflow';
import { expect, test } from 'vitest';

import type { Task } from '../sandbox/state/tasks.mts';
import { everyService, expectSuccess, runAgainst } from './property.mts';
import { withTasks } from './services.mts';

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
		parameters: {
			updateFields: { title: 'Sign “NDA”', description: 'Now', tags: 'a, b' },
			clearFields: ['complete_by'],
		},
		fields: { title: 'Sign “NDA”', description: 'Now', tags: ['a', 'b'], complete_by: null },
	},
];

test('a task, however the service wraps it, comes out unchanged after each operation, which happens once', async () => {
	const choice = fc.record({ change: fc.constantFrom(...CHANGES), simplify: fc.boolean() });
	await everyService(
		withTasks,
		choice,
		async (service, { change: { operation, parameters, fields }, simplify }) => {
			const task = service.sandbox.tasks
				.ordered()
				.find(({ archived, draft }) => !archived && !draft);
			if (task === undefined) throw new Error('The service has no task');
			const taskId = { __rl: true, mode: 'id', value: task.id };
			const before = structuredClone(task);
			const run = await runAgainst(service, {
				parameters: { resource: 'task', operation, taskId, simplify, ...parameters },
			});
			expectSuccess(run);
			expect(task).toEqual({ ...before, ...fields, updated_at: task.updated_at });
			const shown = service.sandbox.tasks.view(task);
			const { id, display_id, title, status, priority } = shown;
			// Simplified, it still has what tells it from others, as the service has it.
			expect(run.json).toEqual([
				simplify ? expect.objectContaining({ id, display_id, title, status, priority }) : shown,
			]);
		},
	);
});

import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { install, uninstall } from '../support/engine/acceleratedClock.mts';
import { listSearch } from '../support/engine/engine.mts';
import { listed } from './lists.mts';
import { leadsOn } from './pages.mts';
import { everyService, expectSuccess, runAgainst } from './property.mts';
import { shown } from './records.mts';

beforeAll(() => {
	install(50);
});
afterAll(uninstall);

const FIELDS = [
	{ field: 'status', method: 'searchStatuses' },
	{ field: 'priority', method: 'searchPriorities' },
] as const;

/** The values of a task's field that the service shows in its list, each once. */
function valuesOf(tasks: readonly Record<string, unknown>[], field: string): unknown[] {
	const texts = tasks.map((task) => JSON.stringify(task[field]));
	return [...new Set(texts)].map((text): unknown => JSON.parse(text));
}

describe('a status or a priority, whatever it is made of,', () => {
	test('can be picked from the list of those seen, comes back to the service as it was, and finds its tasks', async () => {
		const choice = fc.record({ which: fc.constantFrom(...FIELDS), nth: fc.nat({ max: 2 }) });
		await everyService({}, choice, async (service, { which: { field, method }, nth }) => {
			const { description, truth } = service;
			const { page } = description.tasks;
			if (description.throttling.every > 0 || !leadsOn(page) || page.atEnd === 'absent') return;
			const seen = listed(description, truth.tasks, new URLSearchParams()).map((task) => shown(description, task));
			const { results } = await listSearch(method, { sandbox: service });
			expect(results).toHaveLength(valuesOf(seen, field).length);
			const picked = results[nth];
			if (picked === undefined) return;

			const locator = { __rl: true, mode: 'list', value: picked.value, cachedResultName: picked.name };
			const created = await runAgainst(service, {
				parameters: { resource: 'task', operation: 'create', title: 'New', simplify: false, additionalFields: { [field]: locator } },
			});
			expectSuccess(created);
			const value = truth.tasks.at(-1)?.record[field];
			expect(valuesOf(seen, field)).toContainEqual(value);
			expect(created.json).toMatchObject([{ [field]: value }]);

			const filters = { [field]: field === 'status' ? '={{ $json.value }}' : locator };
			const found = await runAgainst(service, {
				parameters: { resource: 'task', operation: 'getAll', returnAll: true, simplify: false, filters },
				items: [{ json: { value: value as string } }],
			});
			expectSuccess(found);
			const all = listed(description, truth.tasks, new URLSearchParams()).map((task) => shown(description, task));
			expect(found.json).toEqual(all.filter((task) => JSON.stringify(task[field]) === JSON.stringify(value)));
		});
	});
});

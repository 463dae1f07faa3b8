import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { install, uninstall } from '../support/engine/acceleratedClock.mts';
import { listSearch } from '../support/engine/engine.mts';
import type { Double } from './double.mts';
import { listed } from './lists.mts';
import { leadsOn } from './pages.mts';
import { everyService, expectNoSecrets, expectSuccess, hasFailed, runAgainst } from './property.mts';
import { shown } from './records.mts';

beforeAll(() => {
	install(100);
});
afterAll(uninstall);

const listing = fc.record({
	returnAll: fc.boolean(),
	limit: fc.constantFrom(50, 1, 20, 100),
	pageSize: fc.constantFrom(100, 20, 7),
	simplify: fc.boolean(),
	filters: fc.constantFrom<Record<string, string>>({}, { query: 'task 1' }, { archived: 'true' }, { draft: 'true', query: 'task' }),
});

/** Whether a service leaves nothing to doubt: each page leads to the next, and the last one says that it is the last. */
function leavesNoDoubt({ description: { tasks } }: Double): boolean {
	return leadsOn(tasks.page) && tasks.page.atEnd !== 'absent';
}

/**
 * Whether it heeds the filters for flags, and shows what they have found. If it adds the tasks found to the others and there
 * are none, it can't be told from one that ignores the filter.
 */
function filtersByFlags({ description: { tasks } }: Double, found: readonly unknown[]): boolean {
	if (!tasks.showsFlags) return false;
	return tasks.flagFilters === 'only' || (tasks.flagFilters === 'include' && found.length > 0);
}

/** What a query means, whatever the service makes of its filters for flags. */
function expected({ description, truth }: Double, query: URLSearchParams): Record<string, unknown>[] {
	const heeding = { ...description, tasks: { ...description.tasks, flagFilters: 'only' as const } };
	return listed(heeding, truth.tasks, query).map((task) => shown(description, task));
}

describe('the list of tasks, however it comes in pages,', () => {
	test('is complete and in order, or fails', async () => {
		await everyService({}, listing, async (service, { pageSize, filters, ...parameters }) => {
			const run = await runAgainst(service, {
				parameters: { resource: 'task', operation: 'getAll', ...parameters, filters, options: { pageSize } },
			});
			const all = expected(service, new URLSearchParams(filters));
			if (hasFailed(run)) {
				const hasFlags = 'archived' in filters || 'draft' in filters;
				if (leavesNoDoubt(service) && (!hasFlags || filtersByFlags(service, all))) expectSuccess(run);
				return;
			}
			const wanted = parameters.returnAll ? all : all.slice(0, parameters.limit);
			if (parameters.simplify) expect(run.json.map(({ id }) => id)).toEqual(wanted.map(({ id }) => id));
			else expect(run.json).toEqual(wanted);
		});
	});

	test.each([
		['searchTasks', {}],
		['searchDrafts', { draft: 'true' }],
	])('is complete in the editor too, or fails: %s', async (method, filters) => {
		await everyService({}, fc.constant(null), async (service) => {
			const ids: unknown[] = [];
			const all = expected(service, new URLSearchParams(filters));
			try {
				let paginationToken: string | undefined;
				do {
					const page = await listSearch(method, { sandbox: service, paginationToken });
					ids.push(...page.results.map(({ value }) => value));
					const { paginationToken: next } = page;
					paginationToken = typeof next === 'string' ? next : undefined;
				} while (paginationToken !== undefined);
			} catch (error) {
				expectNoSecrets(service, error);
				const isFiltered = !('draft' in filters) || filtersByFlags(service, all);
				if (leavesNoDoubt(service) && isFiltered && service.description.throttling.every === 0) throw error;
				return;
			}
			expect(ids).toEqual(all.map(({ id }) => id));
		});
	});
});

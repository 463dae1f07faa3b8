import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { install, uninstall } from '../support/engine/acceleratedClock.mts';
import { listSearch } from '../support/engine/engine.mts';
import type { LibraryStyle } from './description.mts';
import { leadsOn } from './pages.mts';
import { everyService, expectNoSecrets, expectSuccess, hasFailed, runAgainst } from './property.mts';

beforeAll(() => {
	install(50);
});
afterAll(uninstall);

const library = fc.constantFrom('assistants', 'playbooks', 'templates');

/** Whether a service leaves nothing to doubt: a bare list, or pages that lead on with the parameters of the tasks. */
function leavesNoDoubt({ page, cursorParameter, refusesUnknownParameters }: LibraryStyle): boolean {
	if (page.list.length === 0) return true;
	return leadsOn(page) && page.atEnd !== 'absent' && cursorParameter === 'cursor' && !refusesUnknownParameters;
}

describe('assistants, playbooks and templates, however they are listed,', () => {
	test('come out complete and in order, or fail', async () => {
		const listing = fc.record({ name: library, returnAll: fc.boolean(), limit: fc.constantFrom(50, 1, 20) });
		await everyService({}, listing, async (service, { name, returnAll, limit }) => {
			const run = await runAgainst(service, {
				parameters: { resource: name.slice(0, -1), operation: 'getAll', returnAll, limit },
			});
			if (hasFailed(run)) {
				if (leavesNoDoubt(service.description.libraries)) expectSuccess(run);
				return;
			}
			const all = service.truth[name];
			expect(run.json).toEqual(returnAll ? all : all.slice(0, limit));
		});
	});

	test('are complete in the editor too, or fail', async () => {
		await everyService({}, library, async (service, name) => {
			const method = `search${name.charAt(0).toUpperCase()}${name.slice(1)}`;
			const values: string[] = [];
			try {
				let paginationToken: string | undefined;
				do {
					const page = await listSearch(method, { sandbox: service, paginationToken });
					values.push(...page.results.map(({ value }) => String(value)));
					const { paginationToken: next } = page;
					paginationToken = typeof next === 'string' ? next : undefined;
				} while (paginationToken !== undefined);
			} catch (error) {
				expectNoSecrets(service, error);
				const { libraries, throttling } = service.description;
				if (leavesNoDoubt(libraries) && throttling.every === 0) throw error;
				return;
			}
			const ids = service.truth[name].map(({ id }) => String(id));
			expect(values.filter((value) => value !== 'default').sort()).toEqual(ids.sort());
		});
	});
});

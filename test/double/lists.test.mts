import fc from 'fast-check';
import { expect, test } from 'vitest';

import { listSearch } from '../support/engine/engine.mts';
import { kept } from './records.mts';
import { everyService, expectSuccess, runAgainst } from './property.mts';
import { withTasks } from './services.mts';

/** The editor waits for 15 seconds only: they take long enough for a busy machine. */
const IN_EDITOR = 20;

const library = fc.constantFrom('assistants' as const, 'playbooks' as const, 'templates' as const);

test('the list of tasks, however it comes in pages, is complete and in order', async () => {
	const listing = fc.record({
		returnAll: fc.boolean(),
		limit: fc.constantFrom(50, 1, 20, 100),
		simplify: fc.boolean(),
		filters: fc.constantFrom<Record<string, string>>(
			{},
			{ query: 'task 1' },
			{ archived: 'true' },
			{ draft: 'true', query: 'task' },
		),
	});
	await everyService({}, listing, async (service, { filters, ...parameters }) => {
		const run = await runAgainst(service, {
			parameters: {
				resource: 'task',
				operation: 'getAll',
				...parameters,
				filters,
			},
		});
		expectSuccess(run);
		const all = service.shown.tasks(new URLSearchParams(filters));
		const wanted = parameters.returnAll ? all : all.slice(0, parameters.limit);
		if (parameters.simplify)
			expect(run.json.map(({ id }) => id)).toEqual(wanted.map(({ id }) => id));
		else expect(run.json).toEqual(wanted);
	});
});

test('assistants, playbooks and templates, however they are listed, come out complete and in order', async () => {
	const listing = fc.record({
		name: library,
		returnAll: fc.boolean(),
		limit: fc.constantFrom(50, 1, 20),
	});
	await everyService({}, listing, async (service, { name, returnAll, limit }) => {
		const run = await runAgainst(service, {
			parameters: { resource: name.slice(0, -1), operation: 'getAll', returnAll, limit },
		});
		expectSuccess(run);
		const all = service.shown.library(name);
		expect(run.json).toEqual(returnAll ? all : all.slice(0, limit));
	});
});

test('a status or a priority that the user picks is sent back to the service unchanged, and finds its tasks', async () => {
	const choice = fc.record({
		field: fc.constantFrom('status' as const, 'priority' as const),
		nth: fc.nat({ max: 2 }),
	});
	await everyService(
		withTasks,
		choice,
		async (service, { field, nth }) => {
			const method = field === 'status' ? 'searchStatuses' : 'searchPriorities';
			const seen = new Set(service.shown.tasks().map((task) => task[field]));
			const { results } = await listSearch(method, { sandbox: service });
			expect(results).toHaveLength(seen.size);
			const picked = results[nth % results.length];
			const locator = {
				__rl: true,
				mode: 'list',
				value: picked?.value ?? null,
				cachedResultName: picked?.name,
			};
			const created = await runAgainst(service, {
				parameters: {
					resource: 'task',
					operation: 'create',
					title: 'New',
					simplify: false,
					additionalFields: { [field]: locator },
				},
			});
			expectSuccess(created);
			const value = created.json[0]?.[field];
			expect(seen).toContain(value);
			const [newest] = [...service.sandbox.tasks.ordered()].sort(
				(one, other) => other.sequence - one.sequence,
			);
			expect(newest?.[field]).toBe(kept(value));

			const filters = { [field]: field === 'status' ? '={{ $json.value }}' : locator };
			const found = await runAgainst(service, {
				parameters: {
					resource: 'task',
					operation: 'getAll',
					returnAll: true,
					simplify: false,
					filters,
				},
				items: [{ json: { value: value as string } }],
			});
			expectSuccess(found);
			expect(found.json).toEqual(service.shown.tasks().filter((task) => task[field] === value));
		},
		IN_EDITOR,
	);
});

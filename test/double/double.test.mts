import fc from 'fast-check';
import { request } from 'undici';
import { expect, inject, test } from 'vitest';

import { arbitraryService, partsOfService } from './arbitrary.mts';
import { listed } from './lists.mts';
import { leadsOn, type Json } from './pages.mts';
import { changesOf, described, PLAIN } from './plain.mts';
import { withService } from './property.mts';
import { shown } from './records.mts';

const { count, seed } = inject('services');

test('there are as many services as were asked for', () => {
	const { DOUBLE_SERVICES = count, DOUBLE_SEED = seed } = process.env;
	expect({ count, seed }).toEqual({ count: Number(DOUBLE_SERVICES), seed: Number(DOUBLE_SEED) });
});

test('a description is what its printed changes make of the plainest service', () => {
	fc.assert(
		fc.property(arbitraryService(), (description) => {
			expect(described(changesOf(description))).toEqual(description);
			expect(JSON.parse(JSON.stringify(description))).toEqual(description);
		}),
		{ numRuns: count, seed },
	);
});

test('whoever knows how a service makes its pages gets every task from it, in order', async () => {
	const walkable = partsOfService.tasks.filter(({ page }) => leadsOn(page));
	const property = fc.asyncProperty(walkable, async (tasks) => {
		await withService({ ...PLAIN, tasks }, async ({ baseUrl, apiKey, truth, description }) => {
			const { next, flag, list } = tasks.page;
			const read: unknown[] = [];
			for (let url: string | undefined = `${baseUrl}/tasks?limit=20`; url !== undefined; ) {
				const response = await request(url, { headers: { authorization: `Bearer ${apiKey}` } });
				expect(response.statusCode).toBe(200);
				const page = (await response.body.json()) as Json;
				read.push(...(at(page, list) as unknown[]));
				const value = next.kind === 'none' ? undefined : at(page, next.at);
				const more = flag === null ? value !== null && value !== undefined && value !== '' : at(page, flag) === true;
				const there: string = next.kind === 'link' ? String(value) : `?limit=20&cursor=${encodeURIComponent(String(value))}`;
				url = more ? new URL(there, url).href : undefined;
			}
			const all = listed(description, truth.tasks, new URLSearchParams());
			expect(read).toEqual(all.map((task) => shown(description, task)));
		});
	});
	await fc.assert(property, { numRuns: count, seed });
});

function at(body: unknown, path: readonly string[]): unknown {
	return path.reduce<unknown>((inner, name) => (inner as Json | undefined)?.[name], body);
}

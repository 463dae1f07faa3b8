import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { install, uninstall } from '../support/engine/acceleratedClock.mts';
import type { NodeRun } from '../support/engine/engine.mts';
import { CURSORS, FLAGS, LINKS, TOTALS } from './arbitraryPages.mts';
import type { NextPage, PageStyle } from './description.mts';
import { listed } from './lists.mts';
import { described, PLAIN } from './plain.mts';
import { expectSuccess, hasFailed, runAgainst, withService } from './property.mts';

beforeAll(() => {
	install(200);
});
afterAll(uninstall);

const nested = { list: ['data', 'items'] };
const cursor = (...at: string[]): Pick<PageStyle, 'next'> => ({ next: { kind: 'cursor', at, value: 'text' } });
const link = (
	at: readonly string[],
	form: Extract<NextPage, { kind: 'link' }>['form'] = 'absolute',
	whole = true,
): Pick<PageStyle, 'next'> => ({ next: { kind: 'link', at, form, whole } });

/** Pages that lead on: all 179 tasks of them come out. */
const LEADING: readonly (readonly [string, Partial<PageStyle>])[] = [
	...CURSORS.map((at) => [`a cursor in ${at.join('.')}`, cursor(...at)] as const),
	...FLAGS.map((flag) => [`a cursor that stays, and ${flag.join('.')} that ends it`, { flag, atEnd: 'kept' }] as const),
	...LINKS.map((at) => [`a link in ${at.join('.')}`, link(at)] as const),
	['a link without an origin', link(['links', 'next'], 'path')],
	['a link of a query alone', link(['links', 'next'], 'query')],
	['a link of a cursor alone', link(['links', 'next'], 'absolute', false)],
	['a cursor that is a number', { next: { kind: 'cursor', at: ['next_cursor'], value: 'number' } }],
	['a cursor full of symbols', { next: { kind: 'cursor', at: ['next_cursor'], value: 'symbols' } }],
	['a cursor that is absent at the end', { atEnd: 'absent' }],
	['the end cursor and the flag of a page_info', { ...cursor('page_info', 'end_cursor'), flag: ['page_info', 'has_next_page'], atEnd: 'kept' }],
	['the cursor that was sent beside the next', { ...cursor('next_page_token'), beside: ['current cursor'] }],
	['the cursor that was sent beside a link', { ...link(['links', 'next']), beside: ['current cursor'] }],
	['half pages', { fill: [0.5] }],
	['an empty first page', { fill: [0, 1] }],
	['an empty page in between', { ...cursor('page_info', 'end_cursor'), fill: [1, 0, 0.5] }],
];

/** Pages that say that there is more, and not how to get it: an error, or all tasks. */
const SAYING: readonly (readonly [string, Partial<PageStyle>])[] = [
	...FLAGS.map((flag) => [`the flag ${flag.join('.')} alone`, { next: { kind: 'none' }, flag }] as const),
	...TOTALS.map((total) => [`the total ${total.join('.')} alone`, { next: { kind: 'none' }, total }] as const),
	['a link to another origin', link(['links', 'next'], 'elsewhere')],
	['a link to another origin, of a cursor alone', link(['next'], 'elsewhere', false)],
	['another list beside the nested one', { ...nested, beside: ['other list'] }],
];

/** Lists all tasks; checks that they are all there where the run has not failed. */
async function listAll(page: Partial<PageStyle>): Promise<NodeRun> {
	const description = described({ tasks: { count: 230, page: { ...PLAIN.tasks.page, ...page } } });
	return await withService(description, async (service) => {
		const run = await runAgainst(service, { parameters: { resource: 'task', operation: 'getAll', returnAll: true } });
		if (hasFailed(run)) return run;
		const all = listed(description, service.truth.tasks, new URLSearchParams());
		expect(all).toHaveLength(179);
		expect(run.json.map(({ id }) => id)).toEqual(all.map(({ record }) => record.id));
		return run;
	});
}

describe('tasks in pages', () => {
	test.each(LEADING)('with %s come out complete', async (_title, page) => {
		expectSuccess(await listAll(page));
	});

	test.each(SAYING)('with %s come out complete, or fail', async (_title, page) => {
		await listAll(page);
	});
});

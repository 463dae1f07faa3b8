import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { ApiFailure } from '../../nodes/LegalAi/api/failure.ts';
import { readPage } from '../../nodes/LegalAi/api/page.ts';

const LISTS = ['tasks', 'data', 'items', 'results'];
const CURSORS = ['next_cursor', 'nextCursor', 'cursor', 'next'];
const HOLDERS = ['pagination', 'meta', 'page_info', 'paging'];

const records = fc.array(fc.record({ id: fc.uuid(), title: fc.string() }));

function refusal(answer: unknown): string {
	try {
		readPage(answer, 'tasks');
	} catch (error) {
		if (error instanceof ApiFailure && error.kind === 'unlistable') return error.facts.serviceMessage ?? '';
		throw error;
	}
	return 'none';
}

describe('a page of a list', () => {
	test('is read whatever its list, its cursor and the object about paging are called', () => {
		fc.assert(
			fc.property(
				records,
				fc.constantFrom(...LISTS, 'anything'),
				fc.constantFrom(...CURSORS),
				fc.option(fc.constantFrom(...HOLDERS), { nil: undefined }),
				fc.option(fc.string({ minLength: 1 }), { nil: undefined }),
				fc.boolean(),
				(list, listName, cursorName, holder, cursor, enveloped) => {
					const paging = { [cursorName]: cursor ?? null };
					const page = { total: list.length, [listName]: list, ...(holder === undefined ? paging : { [holder]: paging }) };
					const { records: read, cursor: next } = readPage(enveloped ? { data: page } : page, 'tasks');
					expect(read).toEqual(list);
					expect(next).toBe(cursor);
				},
			),
		);
	});

	test('may be the bare list, which leaves open whether there is more', () => {
		expect(readPage([{ id: '1' }], 'tasks')).toEqual({ records: [{ id: '1' }], tellsOfMore: false });
		expect(readPage([], 'tasks').records).toEqual([]);
	});

	test.each([[{}], [{ next_cursor: '' }], [{ next_cursor: null }], [{ meta: {} }], [{ next_cursor: 'x', has_more: false }]])(
		'with %j is the last one',
		(paging) => {
			expect(readPage({ tasks: [], ...paging }, 'tasks').cursor).toBeUndefined();
		},
	);

	test('says its own cursor and the next one: the next one counts, even where it is null', () => {
		expect(readPage({ tasks: [], cursor: 'this', next_cursor: null }, 'tasks').cursor).toBeUndefined();
		expect(readPage({ tasks: [], cursor: 'this', paging: { next_cursor: 'that' } }, 'tasks').cursor).toBe('that');
	});

	test('may count its cursors', () => {
		expect(readPage({ tasks: [], next_cursor: 2 }, 'tasks').cursor).toBe('2');
	});

	test('has the list of its own name, whatever other lists it has', () => {
		expect(readPage({ labels: [{ id: 'l' }], data: [{ id: 'd' }], tasks: [] }, 'tasks').records).toEqual([]);
	});

	test('without a list, or with several strange ones, is told by its fields and never taken for an empty list', () => {
		expect(refusal({ count: 3, hits: 'none' })).toBe("no list among the fields 'count', 'hits'");
		expect(refusal({ a: [{}], b: [{}] })).toBe("no list among the fields 'a', 'b'");
		expect(refusal({ tasks: ['a', 'b'] })).toBe("no list among the fields 'tasks'");
		expect(refusal({ tasks: null })).toBe("no list among the fields 'tasks'");
		expect(refusal({})).toBe('no list among the fields (there are none)');
		expect(refusal('text')).toBe('an answer that is no list');
	});

	test('that has more but no way to it is refused', () => {
		expect(refusal({ tasks: [], has_more: true, next_cursor: null })).toMatch(/more is said to follow/);
		expect(refusal({ tasks: [], next: { page: 2 } })).toMatch(/no readable cursor/);
	});
});

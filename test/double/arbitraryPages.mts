import fc from 'fast-check';

import type { NextPage, PageStyle } from './description.mts';

const one = fc.constantFrom;

export const CURSORS: readonly (readonly string[])[] = [
	['next_cursor'],
	['nextCursor'],
	['next_page_token'],
	['next_token'],
	['nextPageToken'],
	['next'],
	['cursor'],
	['after'],
	['end_cursor'],
	['page_info', 'end_cursor'],
	['pageInfo', 'endCursor'],
	['page', 'next_cursor'],
	['page', 'next'],
	['paging', 'cursors', 'after'],
	['paging', 'next_cursor'],
	['pagination', 'next_cursor'],
	['pagination', 'cursor'],
	['pagination', 'next', 'cursor'],
	['meta', 'next_cursor'],
	['meta', 'pagination', 'next_cursor'],
	['meta', 'cursor', 'next'],
	['cursors', 'next'],
	['cursors', 'after'],
	['response_metadata', 'next_cursor'],
];
export const LINKS: readonly (readonly string[])[] = [
	['links', 'next'],
	['next'],
	['paging', 'next'],
	['meta', 'next'],
];
export const FLAGS: readonly (readonly string[])[] = [
	['has_more'],
	['hasMore'],
	['has_next'],
	['has_next_page'],
	['more'],
	['page_info', 'has_next_page'],
	['pageInfo', 'hasNextPage'],
	['pagination', 'has_more'],
	['meta', 'has_more'],
	['page', 'has_next'],
	['paging', 'has_more'],
];
export const TOTALS: readonly (readonly string[])[] = [
	['total'],
	['total_count'],
	['totalCount'],
	['meta', 'total'],
	['pagination', 'total'],
];

/** A cursor that a client sends back. */
export const cursor: fc.Arbitrary<NextPage> = fc.record({
	kind: fc.constant('cursor'),
	at: one(...CURSORS),
	value: one('text', 'symbols', 'number'),
});
/** A link that a client follows. */
export const link: fc.Arbitrary<NextPage> = fc.record({
	kind: fc.constant('link'),
	at: one(...LINKS),
	form: one('absolute', 'path', 'query'),
	whole: fc.boolean(),
});
/** Nothing to go on with. */
export const noNext: fc.Arbitrary<NextPage> = fc.constant({ kind: 'none' });

const fill = one([1], [1], [0.5], [1, 0, 0.5], [0, 1], [0.1, 1]);

/** Pages of a list that may go by a name of its own. */
export function pages(name: string, ways: fc.Arbitrary<NextPage>): fc.Arbitrary<PageStyle> {
	return fc
		.record({
			list: one<(readonly string[])[]>(
				[name],
				['data'],
				['items'],
				['results'],
				['data', name],
				['data', 'items'],
			),
			next: ways,
			atEnd: one<PageStyle['atEnd'][]>('null', 'absent', 'empty', 'kept'),
			flag: fc.option(one(...FLAGS), { freq: 2 }),
			total: fc.option(one(...TOTALS), { freq: 2 }),
			beside: fc.subarray<PageStyle['beside'][number]>(
				['count', 'limit', 'current cursor', 'previous cursor', 'empty list', 'other list'],
				{ maxLength: 2 },
			),
			fill,
		})
		.filter(fitsTogether);
}

/** Whether no field has two meanings, and whether the pages tell when there is more. */
function fitsTogether({ list, next, atEnd, flag, total, beside, fill: parts }: PageStyle): boolean {
	const paths = [list, ...(next.kind === 'none' ? [] : [next.at]), ...(flag === null ? [] : [flag]), ...(total === null ? [] : [total])];
	const own = beside.map((each) => [
		{
			count: 'count',
			limit: 'limit',
			'current cursor': 'cursor',
			'previous cursor': 'prev_cursor',
			'empty list': 'warnings',
			'other list': 'people',
		}[each],
	]);
	const all = [...paths, ...own].map((path) => path.join('/'));
	const clash = all.some((path, index) => all.some((other, at) => at !== index && `${other}/`.startsWith(`${path}/`)));
	const tells = next.kind === 'none' ? (flag !== null || total !== null) && parts.length === 1 : atEnd !== 'kept' || flag !== null;
	// Beside nothing that leads on, an empty cursor is the end.
	const saysEnd = next.kind === 'none' && beside.includes('current cursor');
	return !clash && tells && !saysEnd;
}

import { readPage } from './page.mts';

const records = [{ id: '1' }];

test.each<[unknown, string | undefined]>([
	[records, undefined],
	[{ tasks: records, data: [], next_cursor: 'c' }, 'c'],
	[{ data: { items: records }, cursor: 'this', has_more: false }, undefined],
	[{ results: records, paging: { cursors: { after: 7 } } }, '7'],
	[{ anything: records, links: { next: 'https://legal-ai.example/tasks?cursor=c' } }, 'c'],
	[{ tasks: records, cursor: 'this', nextCursor: '' }, undefined],
])('A check of a service reads %j as a page that leads to %s', (body, next) => {
	expect(readPage(body, 'tasks')).toMatchObject({ records, next });
});

test.each([{ one: records, other: records }, { tasks: records, has_more: true }, 'text'])(
	'A check of a service says that %j is no page to go on from',
	(body) => {
		expect(() => readPage(body, 'tasks')).toThrow('expected');
	},
);

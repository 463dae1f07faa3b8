import type { INodeListSearchItems } from 'n8n-workflow';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { listSearch } from '../../../nodes/LegalAi/listSearch/index.ts';
import { editorOf } from './editor.mts';

const ADA = '1f0c9a52-6b1d-4f0e-9b58-2a7d4c3e5f60';
const BEN = '2e1d0b63-7c2e-4a1f-8c69-3b8e5d4f6071';
const CARA = '3d2e1c74-8d3f-4b20-9d7a-4c9f6e50a182';

const SECOND = 1_000;

interface Records {
	user?: object;
	tasks?: object[];
	playbooks?: object[];
}

/** What a list shows if the service has these records. */
async function shown(method: string, { user = { user_id: CARA }, tasks = [], playbooks = [] }: Records, filter?: string): Promise<INodeListSearchItems[]> {
	const bodies: Record<string, unknown> = { '/me': user, '/tasks': { tasks }, '/playbooks': playbooks };
	const { search } = editorOf((path) => ({ body: bodies[path] }));
	return (await search(method, filter)).results;
}

const namesOf = (results: INodeListSearchItems[]): string[] => results.map(({ name }) => name);

describe('a list shows', () => {
	test('names in the order in which people count', async () => {
		const playbooks = ['NDA 10', 'lease', 'NDA 2'].map((name, index) => ({ id: index, name }));
		expect(namesOf(await shown('searchPlaybooks', { playbooks }))).toEqual(['lease', 'NDA 2', 'NDA 10']);
	});

	test('people in the order of their names, whichever task they are on', async () => {
		const tasks = [{ owner: { id: BEN, name: 'Ben' } }, { owner: { id: ADA, name: 'Ada' } }];
		expect(namesOf(await shown('searchPeople', { tasks }))).toEqual(['Me', 'Ada', 'Ben']);
	});

	test.each([
		['searchPlaybooks', { playbooks: [{ id: 'p', name: 'NDA' }, { name: 'No ID' }] }, [{ name: 'NDA', value: 'p' }]],
		['searchTasks', { tasks: [{ id: 't', title: 'Review' }, { title: 'No ID' }] }, [{ name: 'Review', value: 't' }]],
	])('only what can be picked by an ID (%s)', async (method, records, expected) => {
		expect(await shown(method, records)).toEqual(expected);
	});

	test.each([
		['searchPlaybooks', { playbooks: [{ id: 'p', name: 'NDA' }, { id: 'q', name: 'Lease' }] }, ' nda ', ['NDA']],
		['searchStatuses', { tasks: [{ status: 'open' }, { status: 'on_hold' }] }, 'hold', ['on_hold']],
		['searchMatters', { tasks: [{ matter: { id: ADA, name: 'Acme' } }, { matter: { id: BEN, name: 'Bolt' } }] }, 'bolt', ['Bolt']],
	])('what has the words typed, without the spaces around them (%s)', async (method, records, filter, expected) => {
		expect(namesOf(await shown(method, records, filter))).toEqual(expected);
	});

	test.each([
		['the user by name', { user_id: CARA, user_name: 'Cara', user_email: 'cara@example.com' }, [{ name: 'Me (Cara)', value: CARA }]],
		['the user by email address if the name is blank', { user_id: CARA, user_name: ' ', user_email: 'cara@example.com' }, [{ name: 'Me (cara@example.com)', value: CARA }]],
		['"Me" if the service tells neither name nor email address', { user_id: CARA }, [{ name: 'Me', value: CARA }]],
		['nobody if the service does not tell the ID of the user', { user_name: 'Cara' }, []],
	])('the people on the tasks, and before them %s', async (_what, user, expected) => {
		const tasks = [{ owner: { id: BEN, name: 'Ben' } }];
		expect(await shown('searchPeople', { user, tasks })).toEqual([...expected, { name: 'Ben', value: BEN }]);
	});

	test.each([
		['by the first name that a task tells', [{ owner: BEN, owner_name: 'Ben S.' }, { owner: BEN, owner_name: 'Ben' }, { owner: BEN }], 'Ben S.'],
		['by the name on a later task if the first has none', [{ owner: BEN }, { owner: BEN, owner_name: 'Ben' }], 'Ben'],
		['by the ID and the first task if no task tells a name', [{ owner: BEN, title: 'Review' }, { owner: BEN, title: 'Redline' }], `${BEN} (Review)`],
	])('a person once, %s', async (_how, tasks, name) => {
		const [, ...people] = await shown('searchPeople', { tasks });
		expect(people).toEqual([{ name, value: BEN }]);
	});

	test('the statuses of 500 tasks at most, asked for a hundred at a time', async () => {
		const page = (number: number): object => ({
			tasks: Array.from({ length: 100 }, (_, index) => ({ id: `${number}.${index}`, status: `status ${number}.${index}` })),
			next_cursor: `after ${number}`,
		});
		const { search, requests } = editorOf(() => ({ body: page(requests.length) }));
		expect((await search('searchStatuses')).results).toHaveLength(500);
		expect(requests.map(({ searchParams }) => searchParams.get('limit'))).toEqual(Array.from({ length: 5 }, () => '100'));
	});
});

describe('whoever opens a list', () => {
	beforeEach(() => {
		vi.useFakeTimers({ now: 1_760_000_000_000 });
	});
	afterEach(() => {
		vi.useRealTimers();
	});

	test('sees it after ten seconds if the service is busy for so long', async () => {
		const begun = Date.now();
		const isBusy = (): boolean => Date.now() < begun + 10 * SECOND;
		const { search } = editorOf(() => (isBusy() ? { status: 503, headers: { 'retry-after': '10' }, body: {} } : { body: [{ id: 'p', name: 'NDA' }] }));
		const found = search('searchPlaybooks');
		await vi.runAllTimersAsync();
		expect((await found).results).toEqual([{ name: 'NDA', value: 'p' }]);
	});

	test.each([
		...Object.keys(listSearch).map((method) => [method, 'its records']),
		['searchPeople', 'the user'],
	])('is not kept waiting for twenty seconds if the service is busy (%s, asked for %s)', async (method, what) => {
		const begun = Date.now();
		const isBusy = (path: string): boolean => (path === '/me') === (what === 'the user');
		const { search } = editorOf((path) => (isBusy(path) ? { status: 503, headers: { 'retry-after': '20' }, body: {} } : { body: { user_id: CARA } }));
		const failed = expect(search(method)).rejects.toMatchObject({ name: 'NodeApiError' });
		await vi.runAllTimersAsync();
		await failed;
		expect(Date.now() - begun).toBeLessThan(15 * SECOND);
	});
});

import type { JsonRecord } from '../../harness/unknownJson.mts';
import { clause, type Clause, Differs, NotTried } from './clause.mts';
import type { CheckedService } from './checkedService.mts';
import { readPage, type Page } from './page.mts';
import { expectOk, namesOf, shapeOf } from './shape.mts';

const LISTS = ['assistants', 'playbooks', 'templates'];
const MOST_PAGES = 20;

/** The parameters of a request. */
export type Query = Record<string, string>;

/** One page of a list. */
export async function page(
	service: CheckedService,
	name: string,
	query: Query = {},
): Promise<Page> {
	const search = new URLSearchParams(query).toString();
	return readPage(
		expectOk(await service.get(`/${name}${search === '' ? '' : `?${search}`}`)),
		name,
	);
}

/** The records of a list, page after page, to its end or to as many pages as are enough. */
export async function records(
	service: CheckedService,
	name: string,
	query: Query = {},
	pages = MOST_PAGES,
): Promise<JsonRecord[]> {
	const found: JsonRecord[] = [];
	const cursors = new Set<string>();
	let cursor: string | undefined;
	do {
		const { records: some, next } = await page(service, name, {
			...query,
			...(cursor === undefined ? {} : { cursor }),
		});
		found.push(...some);
		if (next !== undefined && cursors.has(next))
			throw new Differs('another cursor on each page', 'the same twice');
		cursors.add((cursor = next) ?? '');
	} while (cursor !== undefined && cursors.size < pages);
	return found;
}

const isNamed = (record: JsonRecord) =>
	Object.entries(record).some(
		([field, value]) => /(name|title|label)$/i.test(field) && typeof value === 'string',
	);

/** Assistants, playbooks and templates (specification, "Endpoints"). */
export const lists: Clause[] = LISTS.map((name) =>
	clause(`GET /${name} lists records that each have an ID and a name`, async (service) => {
		const { places } = await page(service, name);
		const all = await records(service, name);
		const [first] = all;
		if (first === undefined) throw new NotTried(`this key's user has no ${name}; ${places}`);
		const wrong = all.find(
			(record) => !['string', 'number'].includes(typeof record.id) || !isNamed(record),
		);
		if (wrong !== undefined)
			throw new Differs('id, and a field that ends with name, title or label', shapeOf(wrong));
		return `${places}; a record has ${namesOf(first)}`;
	}),
);

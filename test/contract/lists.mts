import type { JsonRecord } from '../../harness/unknownJson.mts';
import type { ApiRequest, LegalAiClient } from '../../nodes/LegalAi/api/client.ts';
import { ApiError } from '../../nodes/LegalAi/api/errors.ts';
import { type List, paginate } from '../../nodes/LegalAi/api/pagination.ts';
import { clause, type Clause, Differs, NotTried } from './clause.mts';
import type { CheckedService } from './checkedService.mts';
import { expectOk, joinNames, describeShape } from './shape.mts';

const LISTS = ['assistants', 'playbooks', 'templates'] as const;
const MOST_PAGES = 20;

/** The parameters of a request. */
export type Query = Record<string, string>;

/**
 * The records of a list, as this package itself reads it, page after page to its end or as many pages as are enough; and what a report may
 * say of the last of them.
 */
export async function readPages(
	service: CheckedService,
	name: List['name'],
	{ limit, ...query }: Query = {},
	pages = MOST_PAGES,
) {
	const found: JsonRecord[] = [];
	let shape = '';
	let left = pages;
	const client = {
		request: async ({ query: sent }: ApiRequest, take: (answer: object) => unknown) => {
			const search = new URLSearchParams(JSON.parse(JSON.stringify(sent)) as Query);
			const answer = expectOk(await service.get(`/${name}?${search}`));
			shape = describeShape(answer);
			if (typeof answer !== 'object' || answer === null)
				throw new Differs('a list, or an object with one', shape);
			return take(answer);
		},
		ensureSameCredential: () => Promise.resolve(),
	} as unknown as LegalAiClient;
	const pageSize = limit === undefined ? undefined : Number(limit);
	try {
		for await (const { records, next } of paginate(client, { name, query, pageSize })) {
			next();
			found.push(...records);
			if (--left === 0) break;
		}
	} catch (error) {
		if (!(error instanceof ApiError)) throw error;
		throw new Differs('a page of records, and what leads to the next', String(error.details.said));
	}
	return { records: found, shape };
}

const isNamed = (record: JsonRecord) =>
	Object.entries(record).some(
		([field, value]) => /(name|title|label)$/i.test(field) && typeof value === 'string',
	);

/** Assistants, playbooks and templates (specification, "Endpoints"). */
export const lists: Clause[] = LISTS.map((name) =>
	clause(`GET /${name} lists records that each have an ID and a name`, async (service) => {
		const { shape } = await readPages(service, name, {}, 1);
		const { records } = await readPages(service, name);
		const [first] = records;
		if (first === undefined) throw new NotTried(`this key's user has no ${name}; ${shape}`);
		const wrong = records.find(
			(record) => !['string', 'number'].includes(typeof record.id) || !isNamed(record),
		);
		if (wrong !== undefined)
			throw new Differs(
				'id, and a field that ends with name, title or label',
				describeShape(wrong),
			);
		return `${shape}; a record has ${joinNames(first)}`;
	}),
);

import { isRecord, type JsonRecord } from '../../harness/unknownJson.mts';
import { Differs } from './clause.mts';
import { namesOf, shapeOf } from './shape.mts';

/** A page of a list, as this package reads it. */
export interface Page {
	records: JsonRecord[];
	/** The cursor of the next page; undefined at the end. */
	next: string | undefined;
	/** Where the records are, and what tells what follows. */
	places: string;
}

const LISTS = ['data', 'items', 'results'];
const CURSORS = [
	'next_cursor',
	'next_page_token',
	'next_token',
	'end_cursor',
	'next',
	'after',
	'cursor',
];
const FLAGS = ['has_more', 'has_next_page', 'has_next', 'more'];

type Field = [path: string, value: unknown];

/** Reads a page: an array, or an object with the records at one of the usual places, and beside them what follows. */
export function readPage(body: unknown, name: string): Page {
	if (Array.isArray(body))
		return {
			records: body.filter(isRecord),
			next: undefined,
			places: 'the answer itself is the list',
		};
	if (!isRecord(body)) throw new Differs('a list, or an object with one', shapeOf(body));
	const [place, records] = findRecords(body, name);
	const fields = fieldsOf(body, '', 0);
	const flag = fields.find(([path, value]) => isNamed(path, FLAGS) && typeof value === 'boolean');
	const cursors = CURSORS.flatMap((each) => fields.filter(([path]) => isNamed(path, [each])));
	const cursor = cursors.find(([, value]) => !isRecord(value) && !Array.isArray(value));
	const places = [`the list in ${place}`];
	if (cursor !== undefined) places.push(`the cursor in ${cursor[0]}`);
	if (flag !== undefined) places.push(`a flag in ${flag[0]}`);
	const next = flag?.[1] === false ? undefined : readCursor(cursor?.[1]);
	if (flag?.[1] === true && next === undefined)
		throw new Differs('a cursor, as there is more', `an object with ${namesOf(body)}`);
	return { records, next, places: places.join(', ') };
}

function findRecords(body: JsonRecord, name: string): [place: string, records: JsonRecord[]] {
	const levels: Field[] = [
		['', body],
		['data.', body.data],
	];
	const named = [name, ...LISTS].flatMap((field) =>
		levels.map(([at, level]): Field => [at + field, isRecord(level) ? level[field] : undefined]),
	);
	const [only, ...others] = Object.entries(body).filter(([, value]) => isListOfRecords(value));
	const isList = ([, value]: Field) => isListOfRecords(value);
	const found =
		named.find(isList) ??
		named.find(([, value]) => value === null) ??
		(others.length === 0 ? only : undefined);
	if (found === undefined) {
		throw new Differs(
			`a list in ${name}, ${LISTS.join(', ')}, or the only one there is`,
			`an object with ${namesOf(body)}`,
		);
	}
	return [found[0], isListOfRecords(found[1]) ? found[1] : []];
}

const isListOfRecords = (value: unknown): value is JsonRecord[] =>
	Array.isArray(value) && value.every(isRecord);

/** The fields of a page and of the objects in it, three levels down, from the outside in. */
function fieldsOf(record: JsonRecord, at: string, depth: number): Field[] {
	const own = Object.entries(record).map(([name, value]): Field => [at + name, value]);
	if (depth === 3) return own;
	return [
		...own,
		...own.flatMap(([path, value]) =>
			isRecord(value) ? fieldsOf(value, `${path}.`, depth + 1) : [],
		),
	];
}

function isNamed(path: string, names: string[]) {
	const plain = (name: string) => name.replaceAll('_', '').toLowerCase();
	return names.some((name) => plain(name) === plain(path.split('.').at(-1) ?? ''));
}

/** A text or a number, or an address whose query has a `cursor`. */
function readCursor(value: unknown) {
	if (typeof value === 'number') return String(value);
	if (typeof value !== 'string' || value === '') return undefined;
	if (!/^(https?:\/\/|[^?\s]*\?[^=\s]+=)/.test(value)) return value;
	return URL.parse(value, 'https://list')?.searchParams.get('cursor') ?? undefined;
}

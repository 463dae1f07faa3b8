import { readJson } from '../../api/json';
import {
	type AnswerField,
	type Column,
	saysNothing,
	type Type,
	TYPES,
	type Value,
} from './answerFields';
import {
	findObjectAtEnd,
	isPartOfMore,
	type ObjectAtEnd,
	readEntries,
	readMembers,
} from './objectAtEnd';
import { quoteFinder } from './quotes';

const MOST_ROWS = 500;
const MOST_UNREAD_CELLS = 100;

type Row = Record<string, Value | null>;

/** What an answer says of a field, and what of it does not fit, by the name that it is listed under. */
interface Reading {
	value: Value | Row[] | null;
	unread: Array<[name: string, text: string]>;
}

type IsQuoted = (quote: string) => boolean;

/**
 * Reads the fields out of the one object with which an answer ends; what it does not say is null.
 *
 * @param documents the text that has to have the quotes; undefined if they are not checked
 */
export function readFields(answer: string, wanted: AnswerField[], documents?: string) {
	const found = findObjectAtEnd(answer) ?? { before: answer, json: '', after: '' };
	const members = readMembers(found.json);
	const problem = findProblem(answer, found, members, wanted);
	const content = (problem === undefined && members) || new Map<string, string | undefined>();
	const isQuoted = documents === undefined ? () => true : quoteFinder(documents);
	const readings = wanted.map((field): [string, Reading] => {
		const json = content.get(field.name) ?? 'null';
		const table = field.type === 'table' ? readTable(field, json, isQuoted) : undefined;
		return [field.name, table ?? readValue(field, json, isQuoted)];
	});
	const fields = Object.fromEntries(readings.map(([name, { value }]) => [name, value]));
	const unread = readings.flatMap(([, reading]) => reading.unread);
	const missing = wanted.filter(({ name, required }) => required && fields[name] === null);
	const isRead = wanted.some(({ name }) => content.has(name));
	const isAllRead = [...content].every(
		([name, json]) => json !== undefined && Object.hasOwn(fields, name),
	);
	return {
		answer: isRead && isAllRead ? withoutFence(found) : answer,
		fields,
		...(unread.length > 0 && { unread_fields: Object.fromEntries(unread) }),
		...(missing.length > 0 && { missing_fields: missing.map(({ name }) => name) }),
		isRead,
		problem,
	};
}

/** Why no field is read, although the answer has some; undefined if they are read, or if it has none. */
function findProblem(
	answer: string,
	found: ObjectAtEnd,
	members: ReadonlyMap<string, unknown> | undefined,
	wanted: AnswerField[],
): string | undefined {
	const timesAsKeys = (text: string): number =>
		Math.max(...wanted.map(({ name }) => timesAsKey(name, text)));
	const inObject = wanted.some(({ name }) =>
		members ? members.has(name) : found.json.includes(name),
	);
	if (members === undefined)
		return inObject || timesAsKeys(answer) > 0 ? 'an object that is not valid JSON' : undefined;
	if (inObject ? timesAsKeys(`${found.before}{}${found.after}`) > 0 : timesAsKeys(answer) > 1)
		return 'the answer fields in several places';
	return inObject && isPartOfMore(found)
		? 'a bracket left open before the answer fields, or other JSON beside them'
		: undefined;
}

/** How often a text has a name as a key of JSON. */
function timesAsKey(name: string, text: string): number {
	const [, ...rest] = text.split(JSON.stringify(name));
	return rest.filter((part) => part.trimStart().startsWith(':')).length;
}

/** Reads what an answer says of a field or a cell, as it is written: 1.000 may be a thousand. */
function readValue(
	{ name, type, choices = [] }: Pick<AnswerField, 'name' | 'type'> & { choices?: string[] },
	json: string,
	isQuoted: IsQuoted,
): Reading {
	const said = readJson(json);
	const text = typeof said === 'string' ? said.trim() : json;
	const { read }: Type = TYPES[type];
	const isMadeUp = type === 'quote' && !isQuoted(text);
	const value = isMadeUp ? null : (read(text, said, choices) ?? null);
	const isUnread = value === null && ![said].flat().every(saysNothing);
	return { value, unread: isUnread ? [[name, text]] : [] };
}

/** Reads a list of objects as rows, cell by cell; undefined if it is something else, or if it is open what a row says. */
function readTable(
	{ name, columns }: { name: string; columns: Column[] },
	json: string,
	isQuoted: IsQuoted,
): Reading | undefined {
	const entries = readEntries(json)?.map(readMembers);
	if (entries === undefined || entries.length > MOST_ROWS) return undefined;
	const unread: Reading['unread'] = [];
	const value: Row[] = [];
	for (const [index, members] of entries.entries()) {
		const said = columns.filter((column) => members?.has(column.name));
		if (said.length === 0 || said.some((column) => members?.get(column.name) === undefined))
			return undefined;
		const cells = columns.map((column) => {
			const place = `${name} ${index + 1}: ${column.name}`;
			const said = members?.get(column.name) ?? 'null';
			const cell = readValue({ name: place, type: column.type }, said, isQuoted);
			unread.push(...cell.unread);
			return [column.name, cell.value];
		});
		value.push(Object.fromEntries(cells));
	}
	const more = unread.length - MOST_UNREAD_CELLS;
	if (more > 0) unread.splice(MOST_UNREAD_CELLS, more, [name, `${more} more cells`]);
	return { value, unread };
}

/** What stands before and after an object, without the fence around it. */
function withoutFence(found: ObjectAtEnd): string {
	let [before, after] = [found.before.trimEnd(), found.after.trimStart()];
	// The opening of a fence is short: a long text is not searched for it.
	const [opening = '', mark = ''] = /(`+|~{3,})[\w+-]*$/.exec(before.slice(-40)) ?? [];
	const closing = /^(`+|~{3,})/.exec(after)?.[0] ?? '';
	if (mark !== '' && (after === '' || closing === mark)) {
		before = before.slice(0, before.length - opening.length).trimEnd();
		after = after.slice(closing.length).trimStart();
	}
	return [before, after].filter((part) => part !== '').join('\n\n');
}

import { readJson } from '../../api/json';
import type { AnswerField } from './answerFields';
import {
	findObjectAtEnd,
	isPartOfMore,
	type Members,
	type ObjectAtEnd,
	readEntries,
	readMembers,
} from './objectAtEnd';
import { quoteFinder } from './quotes';

const MOST_ROWS = 500;
const MOST_UNREAD_CELLS = 100;

type Value = string | number | boolean | string[] | Array<{ [column: string]: Value }> | null;

/** Whether quotes count, and what does not fit, by the name that it is listed under. */
interface Reading {
	isQuoted: (quote: string) => boolean;
	unread: Array<[name: string, text: string]>;
}

/** Reads what is said, and its text; without a value, or with null, if it does not fit. */
type Read = (text: string, said: unknown, choices: string[], reading: Reading) => Value | undefined;

/** How values are read, by type. Lawyers act on what is read: nothing is converted that could be read in two ways. */
const READERS: Record<Exclude<AnswerField['type'], 'table'>, Read> = {
	boolean: (text) => (/^(true|false)$/i.test(text) ? text.toLowerCase() === 'true' : null),
	choice: (text, _said, choices) =>
		choices.find((choice) => choice.toLowerCase() === text.toLowerCase()),
	date: (text) =>
		/^[1-9]\d{3}-\d\d-\d\d$/.test(text) && new Date(text).toJSON()?.startsWith(text) ? text : null,
	list: (_text, said) => {
		if (!Array.isArray(said)) return null;
		const entries: unknown[] = said.filter((entry) => !saysNothing(entry));
		// An empty list says that there are none; one of nothing but n/a does not.
		if (entries.length === 0 && said.length > 0) return null;
		return entries.every((entry) => typeof entry === 'string') ? entries : null;
	},
	number: (text) => {
		const value = readJson(text);
		if (typeof value !== 'number') return null;
		// 1.000 may be a thousand, and JavaScript rounds what is long.
		const isUnclear = /^-?[1-9]\d{0,2}\.\d{3}$/.test(text);
		const isExact = text.length < 16 || String(value) === text;
		return isFinite(value) && isExact && !isUnclear ? value : null;
	},
	quote: (text, said, _choices, { isQuoted }) =>
		typeof said === 'string' && !saysNothing(said) && isQuoted(text) ? text : null,
	text: (text, said) =>
		['string', 'number'].includes(typeof said) && !saysNothing(said) ? text : null,
};

/** Whether a value is that the documents do not say it. */
function saysNothing(said: unknown) {
	return (
		said === null || (typeof said === 'string' && /^<?(null|n\/a|unknown)?>?$/i.test(said.trim()))
	);
}

/**
 * Reads the fields out of the one object with which an answer ends; what it does not say is null.
 *
 * @param documents the text that has to have the quotes; undefined if they are not checked
 */
export function readAnswerFields(answer: string, wanted: AnswerField[], documents?: string) {
	const names = wanted.map(({ name }) => name);
	const found = findObjectAtEnd(answer);
	const members = readMembers(found.json);
	const problem = findProblem(answer, found, members, names);
	const content: Members = (problem === undefined && members) || new Map();
	const isQuoted = documents === undefined ? () => true : quoteFinder(documents);
	const reading: Reading = { isQuoted, unread: [] };
	const fields = Object.fromEntries(
		wanted.map((field) => [
			field.name,
			readValue(field, field.name, content.get(field.name), reading),
		]),
	);
	const unread_fields = Object.fromEntries(reading.unread);
	const missing_fields = wanted
		.filter(({ name, required }) => required && fields[name] === null)
		.map(({ name }) => name);
	const isRead = names.some((name) => content.has(name));
	const isAllRead =
		isRead && [...content].every(([name, values]) => values.length === 1 && names.includes(name));
	const unclear = isRead ? [...missing_fields, ...Object.keys(unread_fields)] : names;
	return {
		read: {
			answer: isAllRead ? withoutFence(found) : answer,
			fields,
			...(reading.unread.length > 0 && { unread_fields }),
			...(missing_fields.length > 0 && { missing_fields }),
		},
		/** Why no field was read; undefined if one was, or if the answer has none. */
		problem,
		/** Names of what is missing or could not be read. */
		unclear,
	};
}

/** Why no field is read, although the answer has some. */
function findProblem(
	answer: string,
	found: ObjectAtEnd,
	members: Members | undefined,
	names: string[],
) {
	const hasKey = (text: string, times = 1) => names.some((name) => countKey(text, name) >= times);
	if (members === undefined) {
		const isMeant = hasKey(answer) || names.some((name) => found.json.includes(name));
		return isMeant ? 'an object that is not valid JSON' : undefined;
	}
	const hasFields = names.some((name) => members.has(name));
	if (hasFields ? hasKey(`${found.before}{}${found.after}`) : hasKey(answer, 2))
		return 'the answer fields in several places';
	return hasFields && isPartOfMore(found)
		? 'a bracket left open before the answer fields, or other JSON beside them'
		: undefined;
}

/** How many times a name stands before a colon, in quotes. */
function countKey(text: string, name: string) {
	const [, ...following] = text.split(JSON.stringify(name));
	return following.filter((part) => /^\s*:/.test(part)).length;
}

/** Reads what an answer says of a field or a cell, as it is written. */
function readValue(
	{ type, choices = [], columns = [] }: Pick<AnswerField, 'type'> & Partial<AnswerField>,
	name: string,
	[json = '', ...others]: string[] = [],
	reading: Reading,
): Value {
	// A key that stands twice leaves open which value is meant.
	if (others.length > 0) return leaveUnread([json, ...others], name, reading);
	const said = readJson(json || 'null');
	const text = typeof said === 'string' ? said.trim() : json;
	const value =
		type === 'table'
			? readTable(columns, name, json, reading)
			: READERS[type](text, said, choices, reading);
	if ((value ?? null) === null && ![said].flat().every(saysNothing))
		reading.unread.push([name, text]);
	return value ?? null;
}

function leaveUnread(values: string[], name: string, { unread }: Reading) {
	if (!values.every((json) => saysNothing(readJson(json)))) unread.push([name, values.join(', ')]);
	return null;
}

/** Reads a list of objects as rows, cell by cell; undefined if it is something else, or if it is open what a row says. */
function readTable(columns: AnswerField['columns'], name: string, json: string, reading: Reading) {
	const rows = readEntries(json)?.map(readMembers);
	const isRow = (row?: Members) => {
		const said = columns.map((column) => row?.get(column.name));
		return said.some(Boolean) && said.every((values = []) => values.length < 2);
	};
	if (rows === undefined || rows.length > MOST_ROWS || !rows.every(isRow)) return undefined;
	const { unread } = reading;
	const most = unread.length + MOST_UNREAD_CELLS;
	const value = rows.map((row, index) =>
		Object.fromEntries(
			columns.map((column) => {
				const place = `${name} ${index + 1}: ${column.name}`;
				return [column.name, readValue(column, place, row?.get(column.name), reading)];
			}),
		),
	);
	const more = unread.length - most;
	if (more > 0) unread.splice(most, more, [name, `${more} more cells`]);
	return value;
}

/** The line that opens a block of code, with the language of the block. */
const OPENING_FENCE = /((?<!`)`+|(?<!~)~{3,})[\w+-]*$/;

/** Takes an object out of its text, and the fence around it. */
function withoutFence({ before, after }: ObjectAtEnd) {
	const [opening = '', mark = ''] = OPENING_FENCE.exec(before) ?? [];
	const isFenced = after === '' || after.startsWith(mark);
	const parts = isFenced
		? [before.slice(0, before.length - opening.length), after.slice(mark.length)]
		: [before, after];
	return parts
		.map((part) => part.trim())
		.filter(Boolean)
		.join('\n\n');
}

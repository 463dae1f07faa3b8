import { invalidInput, parameterMessages } from '../../messages';
import {
	converted,
	eachOnce,
	list,
	quotedValue,
	repeated,
	required,
	text,
	toggle,
	variants,
	type ValueOf,
} from '../../parameters';
import { readField, type FieldType, type FieldValue } from './fieldReaders';
import { objectAtEnd, type ObjectAtEnd } from './objectAtEnd';

const choices = converted(
	required(
		list('choices', 'Choices', {
			placeholder: 'e.g. low, medium, high',
			description: 'The values to choose from, separated by commas, or a list from an expression',
		}),
	),
	(entered) => {
		// Somebody has separated them with something else than a comma.
		if (entered.length === 1)
			throw invalidInput(parameterMessages.oneChoice, { choice: quotedValue(entered[0]) });
		return eachOnce(entered, 'Choices', (choice) => choice.toLowerCase());
	},
);

const field = {
	name: converted(
		required(
			text('name', 'Field Name', {
				placeholder: 'e.g. Notice By',
				description: 'What the field is called in "fields"',
			}),
		),
		(name) => {
			// JavaScript would move it before the others.
			if (/^\d+$/.test(name)) throw invalidInput(parameterMessages.nameIsNumber, { name });
			return name;
		},
	),
	type: variants(
		'type',
		'Type',
		{
			default: 'text',
			typeOptions: { showEvenWhenOptional: true },
			description: 'What the value is. What does not fit is output in "unread_fields".',
		},
		{
			choice: {
				name: 'Choice',
				description: 'One of the choices that you enter',
				parameters: { choices },
			},
			date: { name: 'Date', description: 'A day, output as 2026-05-31' },
			list: { name: 'List', description: 'Any number of texts' },
			number: { name: 'Number', description: 'Without currency or unit' },
			text: { name: 'Text' },
			boolean: { name: 'Yes or No', description: 'Output as true or false' },
		},
	),
	description: text('description', 'Description', {
		placeholder: 'e.g. Last day to give notice',
		description: 'What to look for, if the name does not say it',
	}),
	required: toggle('required', 'Required', {
		default: true,
		description:
			'Whether the field is listed in "missing_fields" if the answer has no value for it',
	}),
};

/** What to read out of the answer. */
export const answerFields = converted(
	repeated(
		'answerFields',
		'Answer Fields',
		{
			placeholder: 'Add Answer Field',
			description:
				'What to read out of the answer, for the next nodes to use: a risk, a date, the parties. The node asks for it in the question, and outputs it in "fields".',
		},
		{ displayName: 'Field', name: 'field' },
		field,
	),
	(fields) => eachOnce(fields, 'Answer Fields', ({ name }) => name),
);

type AnswerFields = ValueOf<typeof answerFields>;

/** Asks for the fields, as a part of the question's text; undefined if there are none. */
export function requestForFields(fields: AnswerFields): string | undefined {
	if (fields.length === 0) return undefined;
	const lines = fields.map(({ name, type, description }) => {
		const line = `${JSON.stringify(name)}: ${typeInWords(type)}`;
		return description === undefined ? line : `${line} (${description})`;
	});
	return [REQUEST, ...lines].join('\n');
}

const REQUEST =
	'End your answer with one JSON object in a ```json fence. It has these keys, each once, and no others. Use null for what the documents do not say.';

function typeInWords(type: FieldType): string {
	if (type.kind === 'choice')
		return `one of ${type.choices.map((choice) => JSON.stringify(choice)).join(', ')}`;
	return {
		boolean: 'true or false',
		date: 'date as YYYY-MM-DD',
		list: 'list of texts',
		number: 'number without currency or unit',
		text: 'text',
	}[type.kind];
}

/** An answer and the values of its fields. */
export interface AnswerWithFields {
	/** Without the object that has the fields, if it has nothing else. */
	answer: string | null;
	fields: Record<string, FieldValue | null>;
	/** What the answer says that does not fit the type of its field, if there is any. */
	unread_fields?: Record<string, string>;
	/** The required ones without a value, if there are any. */
	missing_fields?: string[];
	/** Whether the answer ends with the object that has the fields. */
	isRead: boolean;
	/** Whether it has them in several places, so that it is open what counts. */
	isAmbiguous: boolean;
}

/** Reads the fields out of the one object with which an answer ends; what it does not say is null. */
export function readFields(answer: string | null, wanted: AnswerFields): AnswerWithFields {
	const names = wanted.map(({ name }) => name);
	const { before, after, members } = objectAtEnd(answer ?? '') ?? NO_OBJECT;
	const hasFields = names.some((name) => members.has(name));
	const around = unescaped(`${before}{}${after}`);
	const counts = hasFields && !names.some((name) => timesAsKey(name, around) > 0);
	const whole = unescaped(answer ?? '');
	const readings = wanted.map(({ name, type, required }) => {
		const json = counts ? members.get(name) : undefined;
		const reading = json === undefined ? { value: null } : readField(type, json);
		return { name, required, ...reading };
	});
	const unread = readings.flatMap(({ name, unread }) =>
		unread === undefined ? [] : [[name, unread] as const],
	);
	const missing = readings.filter(({ required, value }) => required && value === null);
	const isAllRead =
		counts && [...members].every(([key, json]) => json !== undefined && names.includes(key));
	return {
		answer: isAllRead ? withoutFence(before, after) : answer,
		fields: Object.fromEntries(readings.map(({ name, value }) => [name, value])),
		...(unread.length > 0 && { unread_fields: Object.fromEntries(unread) }),
		...(missing.length > 0 && { missing_fields: missing.map(({ name }) => name) }),
		isRead: counts,
		isAmbiguous: !counts && (hasFields || names.some((name) => timesAsKey(name, whole) > 1)),
	};
}

const NO_OBJECT: ObjectAtEnd = { before: '', after: '', members: new Map() };

/** A text with the characters that JSON may write by their codes. */
function unescaped(text: string): string {
	return text.replace(/\\u([0-9a-f]{4})/gi, (_, code: string) =>
		String.fromCharCode(parseInt(code, 16)),
	);
}

/** How often a text has a name as a key of JSON. */
function timesAsKey(name: string, text: string): number {
	const [, ...rest] = text.split(JSON.stringify(name));
	return rest.filter((part) => part.trimStart().startsWith(':')).length;
}

/** What stands before and after an object, without the fence around it. */
function withoutFence(textBefore: string, textAfter: string): string {
	let [before, after] = [textBefore.trimEnd(), textAfter.trimStart()];
	// The opening of a fence is short: a long text is not searched for it.
	const [opening = '', mark = ''] = /(`+|~{3,})[\w+-]*$/.exec(before.slice(-40)) ?? [];
	const closing = /^(`+|~{3,})/.exec(after)?.[0] ?? '';
	if (mark !== '' && (after === '' || closing === mark)) {
		before = before.slice(0, before.length - opening.length).trimEnd();
		after = after.slice(closing.length).trimStart();
	}
	return [before, after].filter((part) => part !== '').join('\n\n');
}

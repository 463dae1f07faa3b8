import { isRecord, readJson } from '../../api/json';
import { parameterMessages } from '../../messages/parameterMessages';
import { invalidInput } from '../../messages/template';
import { toggle, variants } from '../../parameters/choice';
import { repeated } from '../../parameters/collection';
import { list } from '../../parameters/list';
import { converted, eachOnce, required, type ValueOf } from '../../parameters/parameter';
import { text } from '../../parameters/text';
import { readFieldValue, type FieldType, type FieldValue } from './fieldReaders';
import { findObject } from './jsonInText';

const choices = converted(
	required(
		list('choices', 'Choices', {
			placeholder: 'e.g. low, medium, high',
			description: 'The values to choose from, separated by commas, or a list from an expression',
		}),
	),
	(entered) =>
		eachOnce(
			entered,
			'Choices',
			(choice) => choice,
			(choice) => choice.toLowerCase(),
		),
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
			description: 'What the value is. A value of another type is not used.',
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
	"End your answer with a JSON object that has these keys. Use null for what you can't say for sure.";

function typeInWords(type: FieldType): string {
	if (type.kind === 'choice')
		return `one of ${type.choices.map((choice) => JSON.stringify(choice)).join(', ')}`;
	return {
		boolean: 'true or false',
		date: 'date as YYYY-MM-DD',
		list: 'list of texts',
		number: 'number',
		text: 'text',
	}[type.kind];
}

/** An answer without the JSON in it that has the fields, and their values. */
export interface AnswerWithFields {
	answer: string | null;
	fields: Record<string, FieldValue | null>;
	/** The required ones without a value, if there are any. */
	missing_fields?: string[];
}

/** Reads the fields out of an answer; those that it does not have, or not as they should be, are null. */
export function readFields(answer: string | null, wanted: AnswerFields): AnswerWithFields {
	const found = findObject(answer ?? '', new Set(wanted.map(({ name }) => name)));
	const content = readJson(answer?.slice(...(found?.place ?? [0, 0])) ?? '');
	const values = wanted.map(({ name, type, required }) => {
		const value =
			isRecord(content) && Object.hasOwn(content, name)
				? readFieldValue(type, content[name])
				: null;
		return { name, value, isMissing: required && value === null };
	});
	const missing = values.filter(({ isMissing }) => isMissing).map(({ name }) => name);
	return {
		answer: answer !== null && found !== undefined ? without(answer, ...found.outermost) : answer,
		fields: Object.fromEntries(values.map(({ name, value }) => [name, value])),
		...(missing.length === 0 ? {} : { missing_fields: missing }),
	};
}

/** A text without a part of it, and without the fence around that part. */
function without(whole: string, start: number, end: number): string {
	let [before, after] = [whole.slice(0, start).trimEnd(), whole.slice(end).trimStart()];
	// The opening of a fence is short: a long text is not searched for it.
	const [opening = '', mark = ''] = /(`+|~{3,})[\w+-]*$/.exec(before.slice(-40)) ?? [];
	const closing = /^(`+|~{3,})/.exec(after)?.[0] ?? '';
	if (mark !== '' && (after === '' || closing === mark)) {
		before = before.slice(0, before.length - opening.length).trimEnd();
		after = after.slice(closing.length).trimStart();
	}
	return [before, after].filter((part) => part !== '').join('\n\n');
}

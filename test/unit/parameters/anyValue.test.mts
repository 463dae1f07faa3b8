import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { InvalidInputError } from '../../../nodes/LegalAi/messages/template.ts';
import { allFiles, binaryFields, binaryFieldsIfAny } from '../../../nodes/LegalAi/parameters/binaryFields.ts';
import { choice, choices, toggle, variants } from '../../../nodes/LegalAi/parameters/choice.ts';
import { collection, repeated } from '../../../nodes/LegalAi/parameters/collection.ts';
import { dateTime } from '../../../nodes/LegalAi/parameters/dateTime.ts';
import { chosenValues, jsonArray, list, webAddresses } from '../../../nodes/LegalAi/parameters/list.ts';
import { by, fromList, locator, pickedTextOrNumber, pickedValue } from '../../../nodes/LegalAi/parameters/locator.ts';
import { number, resultLimit } from '../../../nodes/LegalAi/parameters/number.ts';
import { ifSet, required, type Parameter, type RawValues } from '../../../nodes/LegalAi/parameters/parameter.ts';
import { text, textIfAdded, webAddress } from '../../../nodes/LegalAi/parameters/text.ts';
import { FIELD, ITEM } from './reading.mts';

const OPTIONS = [
	{ name: 'Private', value: 'private' },
	{ name: 'Public', value: 'public' },
] as const;
const LOCATOR = { ...FIELD, modes: [fromList('searchTasks'), by('ID', 'e.g. 1')] };
const FILES = { data: { data: '', mimeType: 'application/pdf' } };

const either =
	(...checks: ((value: unknown) => boolean)[]) =>
	(value: unknown): boolean =>
		checks.some((check) => check(value));
const listOf = (check: (value: unknown) => boolean) => (value: unknown): boolean => Array.isArray(value) && value.every(check);
const shapeOf = (shape: Record<string, (value: unknown) => boolean>) => (value: unknown): boolean =>
	isObject(value) &&
	Object.keys(value).every((name) => name in shape) &&
	Object.entries(shape).every(([name, check]) => check(Reflect.get(value, name)));

const isUndefined = (value: unknown): boolean => value === undefined;
const isText = (value: unknown): boolean => typeof value === 'string';
const isTrimmed = (value: unknown): boolean => typeof value === 'string' && value.trim() === value && value !== '';
const isTruth = (value: unknown): boolean => typeof value === 'boolean';
const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null && !Array.isArray(value);
const isOption = (value: unknown): boolean => OPTIONS.some((option) => option.value === value);
const isFrom0To9 = (value: unknown): boolean => typeof value === 'number' && value >= 0 && value <= 9;
const isMoment = (value: unknown): boolean => typeof value === 'string' && new Date(value).toISOString() === value;
const isWebAddress = (value: unknown): boolean => typeof value === 'string' && /^https?:$/.test(new URL(value).protocol);
const isLimit = (value: unknown): boolean => value === Infinity || (Number.isInteger(value) && Number(value) >= 1);
const isFile = shapeOf({ fieldName: isText, binary: (value) => value === FILES.data });
const isPick = either(shapeOf({ id: isTrimmed }), shapeOf({ name: isTrimmed }), shapeOf({ id: isTrimmed, name: isText }));
const isTextOrNumber = either(isTrimmed, Number.isFinite);

/** Every kind of parameter: what its values are like, and what its complaints name. */
const KINDS: Record<string, { parameter: Parameter<unknown>; isValue: (value: unknown) => boolean; names?: RegExp }> = {
	allFiles: { parameter: allFiles, isValue: listOf(isFile) },
	binaryFields: { parameter: binaryFields, isValue: listOf(isFile), names: /binary field/i },
	binaryFieldsIfAny: { parameter: binaryFieldsIfAny, isValue: listOf(isFile), names: /binary field/i },
	choice: { parameter: choice({ ...FIELD, default: 'private' }, OPTIONS), isValue: isOption },
	chosenValues: { parameter: chosenValues(FIELD, 'getStatuses'), isValue: either(isUndefined, listOf(isTrimmed)) },
	choices: { parameter: choices(FIELD, OPTIONS), isValue: listOf(isOption) },
	collection: {
		parameter: collection({ ...FIELD, placeholder: 'Add Field' }, { inner: text(FIELD), amount: number({ ...FIELD, default: 1 }, { min: 0, max: 9 }) }),
		isValue: shapeOf({ inner: either(isUndefined, isTrimmed), amount: isFrom0To9 }),
	},
	dateTime: { parameter: dateTime({ ...FIELD, description: 'When' }, 'end'), isValue: either(isUndefined, isMoment) },
	jsonArray: { parameter: jsonArray(FIELD), isValue: either(isUndefined, Array.isArray) },
	list: { parameter: list(FIELD), isValue: either(isUndefined, listOf(isTrimmed)) },
	locator: { parameter: locator(LOCATOR), isValue: either(isUndefined, isPick) },
	ifSet: { parameter: ifSet(toggle({ ...FIELD, default: true })), isValue: either(isUndefined, isTruth) },
	number: { parameter: number({ ...FIELD, default: 1 }, { min: 0, max: 9 }), isValue: isFrom0To9 },
	pickedTextOrNumber: { parameter: pickedTextOrNumber(LOCATOR), isValue: either(isUndefined, isTextOrNumber) },
	pickedValue: { parameter: pickedValue(LOCATOR), isValue: either(isUndefined, isTrimmed) },
	repeated: {
		parameter: repeated({ ...FIELD, placeholder: 'Add Entry' }, { displayName: 'Entry', name: 'someField' }, { on: toggle({ ...FIELD, default: false }) }),
		isValue: listOf(shapeOf({ on: isTruth })),
	},
	requiredList: { parameter: required(list(FIELD)), isValue: listOf(isTrimmed) },
	requiredText: { parameter: required(text(FIELD)), isValue: isTrimmed },
	resultLimit: { parameter: resultLimit(), isValue: isLimit, names: /^"(Limit|Return All)"/ },
	text: { parameter: text(FIELD), isValue: either(isUndefined, isTrimmed) },
	textIfAdded: { parameter: textIfAdded(FIELD), isValue: either(isUndefined, (value) => value === null, isTrimmed) },
	toggle: { parameter: toggle({ ...FIELD, default: false }), isValue: isTruth },
	variants: {
		parameter: variants({ ...FIELD, default: 'one' }, { one: { name: 'One' }, two: { name: 'Two', parameters: { words: list(FIELD) } } }),
		isValue: shapeOf({ kind: (value) => value === 'one' || value === 'two', words: either(isUndefined, listOf(isTrimmed)) }),
	},
	webAddress: { parameter: webAddress(FIELD), isValue: isWebAddress },
	webAddresses: { parameter: webAddresses(FIELD), isValue: listOf(isWebAddress) },
};

const circle: Record<string, unknown> = {};
circle.itself = circle;

const oddities = fc.constantFrom<unknown>(
	...[Symbol('x'), () => 1, 10n, -0, NaN, Infinity, '1e400', '0x10', '\u0000', '\ud800', '__proto__', 'constructor'],
	...[Object.create(null), { toString: null }, { valueOf: () => ({}), toString: () => ({}) }, { toString: () => 'public' }, circle],
	...[{ toJSON: 7 }, { toJSON: () => circle }, { toJSON: () => 10n }, new Date(NaN), /x/, new Error('x'), new Proxy({}, {})],
	{
		toJSON: () => {
			throw new TypeError('no JSON');
		},
	},
	{
		toString: () => {
			throw new RangeError('no text');
		},
	},
	...['one', 'two', 'private', 'true', '[{"a":1}]', '[[]]', '2026-02-29', '2026-07-15T12:00', '2026-07-15', '1784109600000', 'https://example.com', 'data', '7'],
	...['\u00a0', ' , ', 'a, b', 'http://', 'javascript:x', '9999-12-31T23:59-23:59', '0000-01-01'],
);

const anything = fc.oneof(
	fc.anything({
		withBigInt: true,
		withBoxedValues: true,
		withDate: true,
		withMap: true,
		withNullPrototype: true,
		withObjectString: true,
		withSet: true,
		withSparseArray: true,
		withTypedArray: true,
	}),
	oddities,
	fc.array(oddities, { maxLength: 3 }),
);

const anyValue = fc.oneof(
	anything,
	fc.record({ __rl: fc.constant(true), mode: anything, value: anything, cachedResultName: anything }),
	fc.record({ someField: anything }),
	fc.record({ someField: fc.array(fc.record({ someField: anything })) }),
);

describe.each(Object.entries(KINDS))('%s', (_name, { parameter, isValue, names = /^"Some Field"/ }) => {
	test('reads any value at all as one of its type, or names the field and says what to do', () => {
		fc.assert(
			fc.property(anyValue, anyValue, (first, others) => {
				const raw: RawValues = (name) => (name === parameter.properties[0]?.name ? first : others);
				const outcome = outcomeOf(parameter, raw);
				if ('value' in outcome) expect(isValue(outcome.value)).toBe(true);
				else {
					expect(outcome.error.message).toMatch(names);
					expect(outcome.error.message).not.toContain('[object');
					expect(outcome.error.description).toMatch(/^[A-Z].*\.$/s);
				}
			}),
			{ numRuns: 1_000 },
		);
	});
});

function outcomeOf(parameter: Parameter<unknown>, raw: RawValues): { value: unknown } | { error: InvalidInputError } {
	try {
		return { value: parameter.read(raw, { ...ITEM, files: FILES }) };
	} catch (error) {
		if (error instanceof InvalidInputError) return { error };
		throw error;
	}
}

import fc from 'fast-check';
import { expect, test } from 'vitest';

import { InvalidInputError } from '../../../nodes/LegalAi/messages/template.ts';
import { allFiles, binaryFields, binaryFieldsIfAny } from '../../../nodes/LegalAi/parameters/binaryFields.ts';
import { choice, choices, toggle, variants } from '../../../nodes/LegalAi/parameters/choice.ts';
import { collection, repeated } from '../../../nodes/LegalAi/parameters/collection.ts';
import { dateTime } from '../../../nodes/LegalAi/parameters/dateTime.ts';
import { chosenValues, jsonArray, list, webAddresses } from '../../../nodes/LegalAi/parameters/list.ts';
import { by, fromList, locator, pickedTextOrNumber, pickedValue } from '../../../nodes/LegalAi/parameters/locator.ts';
import { number, resultLimit } from '../../../nodes/LegalAi/parameters/number.ts';
import { ifSet, required, type Parameter } from '../../../nodes/LegalAi/parameters/parameter.ts';
import { text, textIfAdded, webAddress } from '../../../nodes/LegalAi/parameters/text.ts';
import { FIELD, ITEM } from './reading.mts';

const OPTIONS = [
	{ name: 'Private', value: 'private' },
	{ name: 'Public', value: 'public' },
] as const;
const LOCATOR = { ...FIELD, modes: [fromList('searchTasks'), by('ID', 'e.g. 1')] };
const ONE = { ...FIELD, default: 1 };
const OFF = { ...FIELD, default: false };
const FILES = { data: { data: '', mimeType: 'application/pdf' } };

/** Every kind of parameter. */
const KINDS: Record<string, Parameter<unknown>> = {
	allFiles,
	binaryFields,
	binaryFieldsIfAny,
	choice: choice({ ...FIELD, default: 'private' }, OPTIONS),
	chosenValues: chosenValues(FIELD, 'getStatuses'),
	choices: choices(FIELD, OPTIONS),
	collection: collection({ ...FIELD, placeholder: 'Add' }, { inner: text(FIELD), amount: number(ONE, { min: 0, max: 9 }) }),
	dateTime: dateTime({ ...FIELD, description: 'When' }, 'end'),
	jsonArray: jsonArray(FIELD),
	list: list(FIELD),
	locator: locator(LOCATOR),
	ifSet: ifSet(toggle({ ...FIELD, default: true })),
	number: number(ONE, { min: 0, max: 9 }),
	pickedTextOrNumber: pickedTextOrNumber(LOCATOR),
	pickedValue: pickedValue(LOCATOR),
	repeated: repeated({ ...FIELD, placeholder: 'Add Entry' }, FIELD, { on: toggle(OFF) }),
	requiredList: required(list(FIELD)),
	requiredText: required(text(FIELD)),
	resultLimit: resultLimit(),
	text: text(FIELD),
	textIfAdded: textIfAdded(FIELD),
	toggle: toggle(OFF),
	variants: variants({ ...FIELD, default: 'one' }, { one: { name: 'One' }, two: { name: 'Two', parameters: { on: toggle(OFF) } } }),
	webAddress: webAddress(FIELD),
	webAddresses: webAddresses(FIELD),
};

const circle: Record<string, unknown> = {};
circle.itself = circle;

const fails = (): never => {
	throw new TypeError('no JSON, no text');
};

const oddities = fc.constantFrom<unknown>(
	...[Symbol('x'), () => 1, 10n, -0, NaN, Infinity, '1e400', '0x10', '\u0000', '\ud800', '__proto__', 'constructor'],
	...[Object.create(null), { toString: null }, { valueOf: () => ({}), toString: () => ({}) }, { toString: () => 'public' }, circle],
	...[{ toJSON: 7 }, { toJSON: () => circle }, { toJSON: () => 10n }, new Date(NaN), /x/, new Error('x'), new Proxy({}, {})],
	...[{ toJSON: fails }, { toString: fails }],
	...['one', 'two', 'private', 'true', '[{"a":1}]', '[[]]', '2026-02-29', '2026-07-15T12:00', '2026-07-15', '1784109600000'],
	...['https://example.com', 'data', '7', '\u00a0', ' , ', 'a, b', 'http://', 'javascript:x', '0000-01-01'],
	'9999-12-31T23:59-23:59',
);

const kinds = { withBigInt: true, withBoxedValues: true, withDate: true, withMap: true, withSet: true, withTypedArray: true };
const anything = fc.oneof(
	fc.anything({ ...kinds, withNullPrototype: true, withObjectString: true, withSparseArray: true }),
	oddities,
	fc.array(oddities, { maxLength: 3 }),
);

const anyValue = fc.oneof(
	anything,
	fc.record({ __rl: fc.constant(true), mode: anything, value: anything, cachedResultName: anything }),
	fc.record({ someField: anything }),
	fc.record({ someField: fc.array(fc.record({ someField: anything })) }),
);

test.each(Object.entries(KINDS))('%s: any value at all is read, or the field is named with what to do', (_name, parameter) => {
	fc.assert(
		fc.property(anyValue, anyValue, (first, others) => {
			try {
				parameter.read((name) => (name === parameter.properties[0]?.name ? first : others), { ...ITEM, files: FILES });
			} catch (error) {
				if (!(error instanceof InvalidInputError)) throw error;
				expect(error.message).toMatch(/^"(Some Field|Limit|Return All)"|binary field/i);
				expect(error.message).not.toContain('[object');
				expect(error.description).toMatch(/^[A-Z].*\.$/s);
			}
		}),
		{ numRuns: 1_000 },
	);
});

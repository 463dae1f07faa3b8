import { tryToParseDateTime } from 'n8n-workflow';

import { dateTime } from '../../../nodes/LegalAi/fields/dateTime.ts';
import { read } from '../../support/reading.mts';

const until = dateTime('Some Field', 'When', 'end');
const from = dateTime('Some Field', 'When', 'start');
const edgesIn = (timezone: string, value: unknown) =>
	[from, until].map((field) => read(field, value, { timezone }));

/** Nights in which the clocks of a zone were changed, and an ordinary one. */
const NIGHTS = [
	['UTC', '2026-07-15'],
	['Europe/Berlin', '2026-03-29'],
	['Europe/Berlin', '2026-10-25'],
	['America/St_Johns', '2006-10-29'],
	['Australia/Lord_Howe', '2026-04-05'],
	['America/Santiago', '2026-09-06'],
	['Pacific/Chatham', '2026-12-31'],
] as const;

test('the field says what a date without a time means', () => {
	expect([from, until].map(({ description }) => description)).toEqual([
		'When. A date without a time means the start of that day in the time zone of the workflow.',
		'When. A date without a time means the end of that day in the time zone of the workflow.',
	]);
});

describe('a date and time', () => {
	test.each([
		['2026-05-31T17:00:00Z', '2026-05-31T17:00:00.000Z'],
		['2026-05-31T17:00:00.1234567+02:00', '2026-05-31T15:00:00.123Z'],
		['2026-05-31T17:00-0330', '2026-05-31T20:30:00.000Z'],
		[' 2026-05-31t17:00:00z ', '2026-05-31T17:00:00.000Z'],
		['20260531T170000Z', '2026-05-31T17:00:00.000Z'],
		['2026-01-15T12:00', '2026-01-15T11:00:00.000Z'],
		['2026-07-15 12:00:00', '2026-07-15T10:00:00.000Z'],
		['2026-05-31 17:00:00+02', '2026-05-31T15:00:00.000Z'],
		['2026-05-31T23:00:00 -10:00', '2026-06-01T09:00:00.000Z'],
		['2026-05-31 00:30 +1030', '2026-05-30T14:00:00.000Z'],
		['2026-05-31T23:00:00 z', '2026-05-31T23:00:00.000Z'],
		['2026-05-31T17', '2026-05-31T15:00:00.000Z'],
		[new Date(0), '1970-01-01T00:00:00.000Z'],
		[tryToParseDateTime('2026-07-15T17:00+05:45'), '2026-07-15T11:15:00.000Z'],
	])('%j is %s, on the clock of the workflow if it has no offset', (value, expected) => {
		expect(read(until, value)).toBe(expected);
	});

	test.each([
		...['tomorrow', 'wait 40', '40', 40, 2026, '2026-06', '17:00', '202607151000'],
		...['2026-02-29', '2026-02-30T10:00', '2026-13-01', '2026-151', '2026-W29-3'],
		...['2026-05-31T10:60', '2026-05-31T10:00+25:00', '2026-05-31T10:00 CET', '2026-05-31junk'],
		...['31.05.2026', '07/15/2026', '15 Jul 2026', '2026-05-31 10:00 PM'],
		...['Sun, 31 May 2026 17:00:00 +0200', 'Sun May 31 2026 17:00:00 GMT+0200'],
		...[1_780_246_800_000, '1780246800000', -1, NaN, true],
		...[new Date(NaN), {}, ['2026-05-31', 'x'], { toJSON: 7 }],
	])("can't be %o", (value) => {
		const said = typeof value === 'object' ? 'an object or a list' : String(value);
		expect(() => read(until, value)).toThrow(`"Some Field" is not a date: ${said}`);
	});
});

describe('a whole day', () => {
	test.each([
		['UTC', '2026-07-15T00:00:00.000Z', '2026-07-15T23:59:59.999Z'],
		['Europe/Berlin', '2026-07-14T22:00:00.000Z', '2026-07-15T21:59:59.999Z'],
	])(
		'in %s is a date alone, or midnight without an offset, as the picker of the editor writes it',
		(timezone, ...edges) => {
			for (const day of [
				'2026-07-15',
				'20260715',
				'2026-07-15T00:00:00',
				'2026-07-15 00:00',
				'2026-07-15T00:00:00.000',
			]) {
				expect(edgesIn(timezone, day)).toEqual(edges);
			}
			for (const midnight of ['2026-07-15T00:00:00Z', '2026-07-15T00:00+00:00']) {
				expect(edgesIn(timezone, midnight)).toEqual([
					'2026-07-15T00:00:00.000Z',
					'2026-07-15T00:00:00.000Z',
				]);
			}
		},
	);

	test.each(NIGHTS)('in %s begins and ends with what clocks show on %s', (timezone, day) => {
		const [start, end] = edgesIn(timezone, day).map((moment) => Date.parse(String(moment)));
		// Swedish writes dates as ISO 8601 does.
		const shown = (moment = NaN) =>
			new Date(moment).toLocaleDateString('sv-SE', { timeZone: timezone });
		expect(
			[shown((start ?? NaN) - 1), shown(start), shown(end), shown((end ?? NaN) + 1)].map(
				(each) => each === day,
			),
		).toEqual([false, true, true, false]);
	});
});

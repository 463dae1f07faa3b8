import { dateTime } from '../../../nodes/LegalAi/parameters/dateTime.ts';
import { complaintAbout, FIELD, fieldOf, ITEM, read } from '../../support/reading.mts';
import { textWith } from '../../support/matchers.mts';

const until = dateTime(...FIELD, { description: 'When' }, 'end');
const from = dateTime(...FIELD, { description: 'When' }, 'start');
const edgesIn = (timezone: string, value: unknown) =>
	[from, until].map(({ read: parse }) => parse(() => value, { ...ITEM, timezone }));

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
	expect(fieldOf(from).description).toBe(
		'When. A date without a time means the start of that day in the time zone of the workflow.',
	);
	expect(fieldOf(until)).toMatchObject({
		type: 'dateTime',
		default: '',
		description: textWith('the end of that day'),
	});
});

describe('a date and time', () => {
	test.each([
		['2026-05-31T17:00:00Z', '2026-05-31T17:00:00.000Z'],
		['2026-05-31T17:00:00.1234567+02:00', '2026-05-31T15:00:00.123Z'],
		['2026-05-31T17:00-0330', '2026-05-31T20:30:00.000Z'],
		['2026-05-31 17:00:00 +02', '2026-05-31T15:00:00.000Z'],
		['2026-05-31 17:00:00 UTC', '2026-05-31T17:00:00.000Z'],
		[' 2026-05-31t17:00:00z ', '2026-05-31T17:00:00.000Z'],
		['Sun, 31 May 2026 17:00:00 GMT', '2026-05-31T17:00:00.000Z'],
		['2026-05-31T17:00:00+09:00[Asia/Tokyo]', '2026-05-31T08:00:00.000Z'],
		['20260531T170000Z', '2026-05-31T17:00:00.000Z'],
		['2026-01-15T12:00', '2026-01-15T11:00:00.000Z'],
		['2026-07-15 12:00:00', '2026-07-15T10:00:00.000Z'],
		['2026-05-31T17', '2026-05-31T15:00:00.000Z'],
		['Sun, 31 May 2026 17:00:00 +0200 (CEST)', '2026-05-31T15:00:00.000Z'],
		['Mon,  1  Jun  2026  09:05:00  -0330  (NDT)', '2026-06-01T12:35:00.000Z'],
		['01 Jun 2026 09:05 EDT', '2026-06-01T13:05:00.000Z'],
		['1780246800000', '2026-05-31T17:00:00.000Z'],
		[1_780_246_800_000, '2026-05-31T17:00:00.000Z'],
		[new Date(0), '1970-01-01T00:00:00.000Z'],
		[{ toJSON: () => '2026-07-15T00:00:00.000+05:45' }, '2026-07-14T18:15:00.000Z'],
	])('%j is %s, on the clock of the workflow if it has no offset', (value, expected) => {
		expect(read(until, value)).toBe(expected);
	});

	test.each([
		...[
			'tomorrow',
			'wait 40',
			'40',
			40,
			2026,
			'2026',
			'2026-06',
			'17:00',
			'T17:00',
			'202607151000',
			1_784_109_600,
			1_784_109_600_000.5,
		],
		...[
			'2026-02-29',
			'2026-02-30T10:00',
			'2026-13-01',
			'2026-151',
			'2026-W29-3',
			'2026-05-31T10:60',
			'2026-05-31T10:00+25:00',
		],
		...[
			'31.05.2026',
			'07/15/2026',
			'15 Jul 2026',
			'15 Jul 2026 12:00',
			'2026-05-31 10:00 PM',
			'2026-05-31T10:00 CET',
			'2026-05-31junk',
		],
		...[
			'Mon, 31 May 2026 17:00:00 +0200',
			'30 Feb 2026 17:00:00 +0000',
			'31 Mai 2026 17:00:00 +0000',
			'31 May 2026 17:00:00 +0200 or so',
			'Sun May 31 2026 17:00:00 GMT+0200',
		],
		...[-1_784_109_600_000, NaN, true, new Date(NaN), {}, ['2026-05-31'], { toJSON: 7 }],
	])("can't be %o", (value) => {
		expect(complaintAbout(until, value)).toBe(
			`"Some Field" is not a date: ${typeof value === 'object' ? 'object' : String(value)}`,
		);
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
			for (const midnight of [
				'2026-07-15T00:00:00Z',
				'2026-07-15T00:00+00:00',
				'Wed, 15 Jul 2026 00:00:00 +0000',
			]) {
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

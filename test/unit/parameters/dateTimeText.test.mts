import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { parseDateTime } from '../../../nodes/LegalAi/parameters/dateTimeText.ts';

const ZONES = [
	'UTC',
	'Europe/Berlin',
	'America/New_York',
	'America/St_Johns',
	'Australia/Lord_Howe',
	'Pacific/Apia',
	'Pacific/Chatham',
	'Asia/Kathmandu',
	'Africa/Casablanca',
	'America/Santiago',
];

const iso = (text: string, zone = 'UTC'): string | undefined => {
	const moment = parseDateTime(text, zone, 'start');
	return moment === undefined ? undefined : new Date(moment).toISOString();
};

/** Nights in which the clocks of a zone were changed. */
const CHANGES = [
	['Europe/Berlin', '2026-03-29'],
	['Europe/Berlin', '2026-10-25'],
	['America/New_York', '2026-11-01'],
	['America/St_Johns', '2006-10-29'],
	['Australia/Lord_Howe', '2026-04-05'],
	['Africa/Casablanca', '2025-02-23'],
	['Pacific/Apia', '2011-12-30'],
] as const;

const anyTime = fc.tuple(
	fc.constantFrom(...ZONES),
	fc.integer({ min: Date.UTC(1975, 0, 1) / 1000, max: Date.UTC(2037, 11, 31) / 1000 }),
);
const timeNearAChange = fc
	.tuple(fc.constantFrom(...CHANGES), fc.integer({ min: -86_400, max: 2 * 86_400 }))
	.map(([[zone, night], seconds]) => [zone, Date.parse(night) / 1000 + seconds] as const);

/** What the clocks of a zone show, by a way of its own: Swedish writes dates as ISO 8601 does. */
function clockIn(zone: string, moment: number): string {
	return new Date(moment).toLocaleString('sv-SE', { timeZone: zone });
}

describe('a date and time as ISO 8601 text', () => {
	test.each([
		['2026-05-31T17:00:00Z', '2026-05-31T17:00:00.000Z'],
		['2026-05-31T17:00:00.1234567+02:00', '2026-05-31T15:00:00.123Z'],
		['2026-05-31T17:00-0330', '2026-05-31T20:30:00.000Z'],
		['2026-05-31T17:00+23:59', '2026-05-30T17:01:00.000Z'],
		['2026-05-31 17:00:00 +02', '2026-05-31T15:00:00.000Z'],
		[' 2026-05-31t17:00:00z ', '2026-05-31T17:00:00.000Z'],
		['2024-02-29', '2024-02-29T00:00:00.000Z'],
	])('%s is %s', (text, expected) => {
		expect(iso(text)).toBe(expected);
	});

	test.each([
		['', 'tomorrow', '31.05.2026', '05/31/2026', '1780246800000', 'Invalid DateTime'],
		['2026-02-29', '2026-02-30T10:00', '2026-13-01', '2026-00-10', '2026-05-31T24:00', '2026-05-31T10:60'],
		['2026-05-31T10', '2026-05-31T10:00+25:00', '2026-05-31T10:00+01:75', '2026-05-31T10:00 CET', '2026-05-31junk', 'junk2026-05-31'],
	])('%s, %s, %s, %s, %s, … are none', (...texts) => {
		for (const text of texts) expect(iso(text), text).toBeUndefined();
	});

	test('without an offset it is what the clocks of the zone show', () => {
		expect(iso('2026-01-15T12:00', 'Europe/Berlin')).toBe('2026-01-15T11:00:00.000Z');
		expect(iso('2026-07-15T12:00', 'Europe/Berlin')).toBe('2026-07-15T10:00:00.000Z');
		expect(iso('2026-07-15', 'America/New_York')).toBe('2026-07-15T04:00:00.000Z');
		expect(iso('2026-07-15T12:00', 'Asia/Kathmandu')).toBe('2026-07-15T06:15:00.000Z');
	});

	test('when clocks are set back, the earlier moment is meant', () => {
		expect(iso('2026-10-25T02:30', 'Europe/Berlin')).toBe('2026-10-25T00:30:00.000Z');
		expect(iso('2026-11-01T01:30', 'America/New_York')).toBe('2026-11-01T05:30:00.000Z');
		expect(iso('2026-04-05T01:45', 'Australia/Lord_Howe')).toBe('2026-04-04T14:45:00.000Z');
	});

	test('a time that clocks skip moves on by what they skip', () => {
		expect(iso('2026-03-29T02:30', 'Europe/Berlin')).toBe('2026-03-29T01:30:00.000Z');
		expect(iso('2026-03-08T02:30', 'America/New_York')).toBe('2026-03-08T07:30:00.000Z');
	});

	test('any moment is found by what its clocks show, or the earlier one that they showed the same at', () => {
		fc.assert(
			fc.property(
				fc.oneof(anyTime, timeNearAChange),
				([zone, seconds]) => {
					const moment = seconds * 1000;
					const clock = clockIn(zone, moment);
					const found = parseDateTime(clock, zone, 'start') ?? NaN;
					expect(clockIn(zone, found)).toBe(clock);
					expect(found).toBeLessThanOrEqual(moment);
					expect(moment - found).toBeLessThanOrEqual(2 * 3_600_000);
				},
			),
			{ numRuns: 1000 },
		);
	});

	test('an offset makes the zone irrelevant', () => {
		fc.assert(
			fc.property(fc.constantFrom(...ZONES), fc.integer({ min: 0, max: 4e12 }), (zone, moment) => {
				expect(parseDateTime(new Date(moment).toISOString(), zone, 'end')).toBe(moment);
			}),
			{ numRuns: 200 },
		);
	});
});

describe('a date without a time', () => {
	const edges = (date: string, zone: string): (string | undefined)[] =>
		(['start', 'end'] as const).map((edge) => {
			const moment = parseDateTime(date, zone, edge);
			return moment === undefined ? undefined : new Date(moment).toISOString();
		});

	test.each([
		['2026-07-15', 'UTC', '2026-07-15T00:00:00.000Z', '2026-07-15T23:59:59.999Z'],
		['2026-07-15', 'Europe/Berlin', '2026-07-14T22:00:00.000Z', '2026-07-15T21:59:59.999Z'],
		['2026-10-25', 'Europe/Berlin', '2026-10-24T22:00:00.000Z', '2026-10-25T22:59:59.999Z'],
		['2026-09-06', 'America/Santiago', '2026-09-06T04:00:00.000Z', '2026-09-07T02:59:59.999Z'],
		['2026-12-31', 'Pacific/Chatham', '2026-12-30T10:15:00.000Z', '2026-12-31T10:14:59.999Z'],
		['2026-02-30', 'UTC', undefined, undefined],
	])('%s in %s is from %s to %s', (date, zone, start, end) => {
		expect(edges(date, zone)).toEqual([start, end]);
	});

	test('begins and ends with the day that the clocks of the zone show', () => {
		fc.assert(
			fc.property(fc.oneof(anyTime, timeNearAChange), ([zone, seconds]) => {
				const date = new Date(seconds * 1000).toISOString().slice(0, 10);
				fc.pre(zone !== 'Pacific/Apia' || !date.startsWith('2011-12'));
				const [start = 0, end = 0] = (['start', 'end'] as const).map((edge) => parseDateTime(date, zone, edge));
				expect([start - 1, start, end, end + 1].map((moment) => clockIn(zone, moment).startsWith(date))).toEqual([false, true, true, false]);
			}),
			{ numRuns: 1000 },
		);
	});

	test('means nothing to text that has a time', () => {
		expect(parseDateTime('2026-07-15T00:00', 'UTC', 'end')).toBe(parseDateTime('2026-07-15T00:00', 'UTC', 'start'));
	});
});

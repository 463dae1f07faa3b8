import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { parseEmailDate } from '../../../nodes/LegalAi/parameters/emailDate.ts';

describe('the date of an email', () => {
	test.each([
		['Sun, 31 May 2026 17:00:00 +0200', '2026-05-31T15:00:00.000Z'],
		['Sun, 31 May 2026 17:00:00 +0200 (CEST)', '2026-05-31T15:00:00.000Z'],
		['Mon,  1  Jun  2026  09:05:00  -0330  (NDT)', '2026-06-01T12:35:00.000Z'],
		['Mon,1 Jun 2026 09:05:00 -0330(NDT)', '2026-06-01T12:35:00.000Z'],
		['1 Jun 2026 09:05 -0330', '2026-06-01T12:35:00.000Z'],
		[' mon, 01 jun 2026 09:05:07 gmt ', '2026-06-01T09:05:07.000Z'],
		['Mon, 1 Jun 2026 09:05:07 EDT', '2026-06-01T13:05:07.000Z'],
	])('%s is %s', (text, expected) => {
		expect(new Date(parseEmailDate(text) ?? NaN).toISOString()).toBe(expected);
	});

	test.each([
		'Mon, 31 May 2026 17:00:00 +0200',
		'30 Feb 2026 17:00:00 +0000',
		'31 Mai 2026 17:00:00 +0000',
		'31 May 26 17:00:00 +0000',
		'31 May 2026 24:00:00 +0000',
		'31 May 2026 17:00:00 +2500',
		'31 May 2026 17:00:00 CET',
		'31 May 2026 17:00:00 CEST',
		'on 31 May 2026 17:00:00 +0200',
		'31 May 2026 17:00:00 +0200 or so',
		'31 May 2026 17:00:00',
		'31 May 2026',
		'wait 40',
	])('%s is none', (text) => {
		expect(parseEmailDate(text)).toBeUndefined();
	});

	test('is any that JavaScript writes', () => {
		fc.assert(
			fc.property(fc.integer({ min: 0, max: 4e9 }), (seconds) => {
				expect(parseEmailDate(new Date(seconds * 1000).toUTCString())).toBe(seconds * 1000);
			}),
		);
	});
});

import fc from 'fast-check';
import { expect, test } from 'vitest';

import { parseRetryAfter } from '../../../nodes/LegalAi/api/retryAfter.ts';

const now = Date.parse('2026-01-01T00:00:00Z');

test.each([
	['30', 30_000],
	[' 30 ', 30_000],
	['0', 0],
	['1.5', 1500],
	['1.25', 1250],
	['900', 900_000],
	['901', undefined],
	['1767225660', undefined],
	['9'.repeat(400), undefined],
	['Wed, 21 Oct 2015 07:28:00 GMT', 0],
	['Thu, 01 Jan 2026 00:01:00 GMT', 60_000],
	['Thu, 01 Jan 2026 00:15:00 GMT', 900_000],
	['Thu, 01 Jan 2026 00:15:01 GMT', undefined],
	['Thursday, 01-Jan-26 00:01:00 GMT', 60_000],
	[' Thu, 01 Jan 2026 00:01:00 GMT', 60_000],
	['after Thu, 01 Jan 2026 00:01:00 GMT', undefined],
	['xThu, 01 Jan 2026 00:01:00 GMT', undefined],
	['Thu, 41 Jan 2026', undefined],
	['soon', undefined],
	['wait 40', undefined],
	['Monday', undefined],
	['-5', undefined],
	['0x10', undefined],
	['1e3', undefined],
	['', undefined],
	[undefined, undefined],
	[30, undefined],
	[['30'], undefined],
])('Retry-After %j means %j ms', (header, ms) => {
	expect(parseRetryAfter(header, now)).toBe(ms);
});

test('Retry-After is a plausible time or nothing, whatever it is', () => {
	fc.assert(
		fc.property(fc.oneof(fc.anything(), fc.date({ noInvalidDate: true }).map((date) => date.toUTCString())), (header) => {
			const ms = parseRetryAfter(header, now) ?? 0;
			expect(ms).toBeGreaterThanOrEqual(0);
			expect(ms).toBeLessThanOrEqual(900_000);
		}),
	);
});

import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { serviceLimitsOf } from '../../../nodes/LegalAi/api/serviceLimits.ts';

beforeEach(() => {
	vi.useFakeTimers();
});
afterEach(() => {
	vi.useRealTimers();
});

test('all runs that use the same key share its limits, and no others', () => {
	expect(serviceLimitsOf('a')).toBe(serviceLimitsOf('a'));
	expect(serviceLimitsOf('a')).not.toBe(serviceLimitsOf('b'));
});

test('limits that nobody has needed for a minute are forgotten, and those in use are not', async () => {
	const sessions = serviceLimitsOf('sessions');
	await sessions.sessions.acquire({}, {});
	const requests = serviceLimitsOf('requests');
	await requests.requests.acquire({}, {});
	const unused = serviceLimitsOf('unused');
	serviceLimitsOf('another');
	expect(serviceLimitsOf('sessions')).toBe(sessions);
	expect(serviceLimitsOf('requests')).toBe(requests);
	expect(serviceLimitsOf('unused')).not.toBe(unused);

	vi.advanceTimersByTime(60_000);
	serviceLimitsOf('another');
	expect(serviceLimitsOf('sessions')).not.toBe(sessions);
	expect(serviceLimitsOf('requests')).not.toBe(requests);
});

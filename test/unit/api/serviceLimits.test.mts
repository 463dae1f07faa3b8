import { expect, test } from 'vitest';

import { serviceLimitsOf } from '../../../nodes/LegalAi/api/serviceLimits.ts';

test('all runs that use the same key share its limits, and no others', () => {
	expect(serviceLimitsOf('a')).toBe(serviceLimitsOf('a'));
	expect(serviceLimitsOf('a')).not.toBe(serviceLimitsOf('b'));
});

import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';

import { expectHeld } from './property.mts';
import { arbitraryService, type ServiceDescription } from './services.mts';

test('A property that was interrupted before all services were checked has failed', async () => {
	const property = fc.asyncProperty<[ServiceDescription, null]>(arbitraryService(), fc.constant(null), () => sleep(20));
	const result = await fc.check<[ServiceDescription, null]>(property, { numRuns: 100, interruptAfterTimeLimit: 30, markInterruptAsFailure: true });
	expect(() => {
		expectHeld(result);
	}).toThrow(/^Only \d+ services were checked/);
});

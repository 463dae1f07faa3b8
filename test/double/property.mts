import { inspect } from 'node:util';

import fc from 'fast-check';
import { expect, inject } from 'vitest';

import { logs, runNode, type NodeRun, type NodeRunOptions } from '../support/engine/engine.mts';
import { accelerateClock, releaseClock } from '../support/clock.mts';
import { SIGNATURE, startDouble, type Double } from './double.mts';
import { arbitraryService, type partsOfService } from './services.mts';

declare module 'vitest' {
	interface ProvidedContext {
		/** How many services each property is checked on, and where the choice of them begins. */
		readonly services: { readonly count: number; readonly seed: number };
	}
}

const WAKES_AT_MOST = 60;
const MS_A_SERVICE_AT_MOST = 1000;

/**
 * Checks something on many services, each with what else the test chooses; prints the plainest that it fails on.
 *
 * @param timesFaster how fast the clock runs, so that minutes pass in seconds
 */
export async function everyService<Choice>(
	held: Partial<typeof partsOfService>,
	choice: fc.Arbitrary<Choice>,
	check: (service: Double, choice: Choice) => Promise<void>,
	timesFaster = 200,
): Promise<void> {
	const { count, seed } = inject('services');
	const property = fc.asyncProperty(arbitraryService(held), choice, async (description, chosen) => {
		const service = await startDouble(description);
		try {
			await check(service, chosen);
		} finally {
			await service.close();
		}
	});
	accelerateClock(timesFaster);
	// fast-check's clock runs as fast. A run that is not over by then has failed.
	const limits = {
		interruptAfterTimeLimit: MS_A_SERVICE_AT_MOST * count * timesFaster,
		markInterruptAsFailure: true,
	};
	await fc.assert(property, { numRuns: count, seed, ...limits }).finally(releaseClock);
}

/** Runs the node against a service, and checks what holds for any run: no secret is shown, no key is sent elsewhere. */
export async function runAgainst(
	service: Double,
	options: Omit<NodeRunOptions, 'sandbox'>,
): Promise<NodeRun> {
	const logged = logs.length;
	const run = await runNode({ sandbox: service, ...options });
	expectNoSecrets(service, run.error, run.hints, logs.slice(logged));
	return run;
}

/** Runs the node as {@link runAgainst} does, and wakes it as often as it parks; callbacks come before each time. */
export async function runToItsEnd(
	service: Double,
	options: Omit<NodeRunOptions, 'sandbox'>,
): Promise<NodeRun> {
	let run = await runAgainst(service, options);
	for (let wakes = 0; run.status === 'waiting'; wakes += 1) {
		expect(wakes).toBeLessThan(WAKES_AT_MOST);
		await service.finishQuestions();
		const parked = run;
		// n8n rejects the second of two resumes: then a callback was the first.
		run = await parked.wake().catch(() => parked.resumed());
		expectNoSecrets(service, run.error, run.hints);
	}
	return run;
}

/** Checks that nothing which people read has a key, a secret, or the signature of an address in it. */
function expectNoSecrets({ apiKey, webhookSecret, leaks }: Double, ...shown: unknown[]): void {
	const text = inspect(shown, { depth: Infinity, maxStringLength: Infinity });
	for (const secret of [apiKey, webhookSecret, SIGNATURE, decodeURIComponent(SIGNATURE)]) {
		expect(text).not.toContain(secret);
	}
	expect(leaks).toEqual([]);
}

/** Checks that a run succeeded; says what the person would have read where it did not. */
export function expectSuccess({ status, error }: NodeRun): void {
	if (status !== 'error') return;
	throw new Error(`The node failed: ${error?.message ?? ''} / ${error?.description ?? ''}`, {
		cause: error,
	});
}

/** Whether a run ended with an error in words, which is all right where success would be a lie. */
export function hasFailed({ status, error }: NodeRun): boolean {
	if (status !== 'error') return false;
	expect(['NodeApiError', 'NodeOperationError']).toContain(error?.name);
	expect(error?.message).toMatch(/\S/);
	return true;
}

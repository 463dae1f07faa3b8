import { setTimeout as sleep } from 'node:timers/promises';

/** How long to keep trying, and how often. */
export interface Patience {
	/** When to give up, in milliseconds. */
	timeout?: number;
	/** Milliseconds between two tries. */
	interval?: number;
}

/**
 * Tries until there is a result. n8n has no event to wait for, so its states are polled.
 *
 * @param what is named in the message of a timeout
 * @param look returns the result, or `undefined` while there is none yet
 * @param describe says what was seen last, for that message
 */
export async function until<Result>(
	what: string,
	look: () => Promise<Result | undefined> | Result | undefined,
	{ timeout = 90_000, interval = 100 }: Patience = {},
	describe: () => string = () => '',
): Promise<Result> {
	const deadline = Date.now() + timeout;
	for (;;) {
		const result = await look();
		if (result !== undefined) return result;
		if (Date.now() >= deadline) {
			throw new Error(`Waited ${timeout / 1000} s in vain for ${what}. ${describe()}`.trim());
		}
		await sleep(interval);
	}
}

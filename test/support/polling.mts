import { setTimeout as sleep } from 'node:timers/promises';

/** How long to go on asking, and how often. */
export interface Patience {
	/** After how many milliseconds to give up. */
	readonly timeout?: number;
	/** Milliseconds between two looks. */
	readonly interval?: number;
}

/**
 * Looks again and again until there is a result. n8n has no event to wait for, so its states are polled.
 *
 * @param what is named when time runs out
 * @param look returns the result, or `undefined` while there is none yet
 * @param describe says what was seen last, for the failure's message
 */
export async function until<Result>(
	what: string,
	look: () => Promise<Result | undefined>,
	{ timeout = 30_000, interval = 40 }: Patience = {},
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

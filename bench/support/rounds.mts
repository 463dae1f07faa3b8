import { performance } from 'node:perf_hooks';

/** `BENCH=quick` tries a bench out: one round, small amounts, and nothing is recorded. */
export const isQuick = process.env.BENCH === 'quick';

/** How often each contender is measured. */
export const ROUNDS = isQuick ? 1 : 5;
/** How often where five rounds scatter around the target. */
export const MANY_ROUNDS = isQuick ? 1 : 15;

/** What one run of a contender was measured at. */
export interface Measured {
	readonly value: number;
	/** The share of the time, 0 to 1, in which the process of the bench and its sandbox was at work meanwhile. */
	readonly busy?: number;
}

/** What one contender was measured at, run by run. */
export interface Samples {
	readonly values: number[];
	readonly busy: number[];
}

/**
 * Measures contenders in turn, so that whatever else the machine does strikes all of them alike: each once to warm
 * up, then in every round each, another one first.
 */
export async function alternate<Name extends string>(
	contenders: Readonly<Record<Name, () => Promise<Measured>>>,
	{ rounds = ROUNDS, warmUps = 1 } = {},
): Promise<Record<Name, Samples>> {
	const entries = Object.entries<() => Promise<Measured>>(contenders);
	const samples = new Map(
		entries.map(([name]): [string, Samples] => [name, { values: [], busy: [] }]),
	);
	for (let round = -warmUps; round < rounds; round += 1) {
		const first = Math.max(round, 0) % entries.length;
		for (const [name, run] of [...entries.slice(first), ...entries.slice(0, first)]) {
			const { value, busy } = await run();
			if (round < 0) continue;
			samples.get(name)?.values.push(value);
			if (busy !== undefined) samples.get(name)?.busy.push(busy);
		}
	}
	return Object.fromEntries(samples) as Record<Name, Samples>;
}

/** Runs something, and tells how busy this process was meanwhile. */
export async function watched<Result>(
	run: () => Promise<Result>,
): Promise<{ result: Result; busy: number }> {
	const before = performance.eventLoopUtilization();
	const result = await run();
	return { result, busy: performance.eventLoopUtilization(before).utilization };
}

/** The middle value; between the two middle ones where their number is even. */
export function median(values: readonly number[]): number {
	const sorted = [...values].sort((one, other) => one - other);
	const low = sorted[Math.ceil(sorted.length / 2) - 1];
	const high = sorted[Math.floor(sorted.length / 2)];
	if (low === undefined || high === undefined)
		throw new RangeError('There is no median of nothing');
	return (low + high) / 2;
}

/** `BENCH=quick` tries a bench out: one round, small amounts, and nothing is recorded. */
export const isQuick = process.env.BENCH === 'quick';

/** How often each contender is measured. */
export const ROUNDS = isQuick ? 1 : 5;
/** How often where five rounds scatter around the target. */
export const MANY_ROUNDS = isQuick ? 1 : 15;

/**
 * Measures contenders in turn, so that whatever else the machine does strikes all of them alike: each once to warm
 * up, then in every round each, another one first.
 */
export async function alternate<Name extends string, Sample>(
	contenders: Readonly<Record<Name, () => Promise<Sample>>>,
	{ rounds = ROUNDS, warmUps = 1 } = {},
) {
	const entries = Object.entries<() => Promise<Sample>>(contenders);
	const samples = Object.fromEntries(entries.map(([name]): [string, Sample[]] => [name, []]));
	for (let round = -warmUps; round < rounds; round += 1) {
		const first = Math.max(round, 0) % entries.length;
		for (const [name, run] of [...entries.slice(first), ...entries.slice(0, first)]) {
			const value = await run();
			if (round >= 0) samples[name]?.push(value);
		}
	}
	return samples as Record<Name, Sample[]>;
}

/** The middle value; between the two middle ones where their number is even. */
export function median(values: readonly number[]) {
	const sorted = [...values].sort((one, other) => one - other);
	const low = sorted[Math.ceil(sorted.length / 2) - 1];
	const high = sorted[Math.floor(sorted.length / 2)];
	if (low === undefined || high === undefined)
		throw new RangeError('There is no median of nothing');
	return (low + high) / 2;
}

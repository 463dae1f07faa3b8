import { isQuick } from './rounds.mts';

const ROUNDS = isQuick ? 1 : 10;
/** Shorter times of the smallest size can't be compared, in milliseconds. */
const LEAST_TIME = 5;

/** What was read, and the milliseconds for each of its sizes, of which each is twice the one before. */
export interface Growth {
	what: string;
	times: number[];
}

/** The shortest of several times that a processor took, in milliseconds: what else the machine does makes them longer, never shorter. */
export async function measureShortest(run: () => unknown) {
	const times: number[] = [];
	for (let round = 0; round < ROUNDS; round += 1) {
		const start = process.cpuUsage();
		await run();
		const { user, system } = process.cpuUsage(start);
		times.push((user + system) / 1_000);
	}
	return Math.min(...times);
}

/** How many times as long twice the length takes, the least that a piece shows: 2 if time grows with the length, 4 if with its square. */
export function compareSizes(rows: readonly Growth[]) {
	return rows
		.filter(({ times }) => (times[0] ?? 0) >= LEAST_TIME)
		.map(({ what, times }) => {
			const steps = times.slice(1).map((time, index) => time / (times[index] ?? 1));
			return [what, Math.min(...steps)] as const;
		});
}

export function findWorst(figures: readonly (readonly [what: string, figure: number])[]) {
	return [...figures].sort(([, one], [, other]) => other - one)[0] ?? (['', 0] as const);
}

/** Prints the pieces with the largest figures. */
export function printWorst(
	figures: readonly (readonly [what: string, figure: number])[],
	count: number,
) {
	const sorted = [...figures].sort(([, one], [, other]) => other - one);
	console.table(
		sorted
			.slice(0, count)
			.map(([what, times]) => ({ what: what.slice(0, 60), times: times.toFixed(2) })),
	);
}

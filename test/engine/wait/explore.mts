import type { Subject } from './subjects.mts';
import { walk, type Violation } from './model.mts';

/** What was gone through, and what was found. */
export interface Exploration {
	readonly paths: number;
	readonly states: number;
	readonly violations: Violation[];
}

/**
 * Goes every way through the model that has so many events after its beginning, or ends before. A state that was met
 * before is not gone on from again, unless there is more of the way left now.
 */
export async function explore(subject: Subject, count: number, depth: number): Promise<Exploration> {
	const violations: Violation[] = [];
	const known = new Map<string, number>();
	const ahead: string[][] = [[]];
	let paths = 0;
	for (let path = ahead.pop(); path !== undefined; path = ahead.pop()) {
		const way = path;
		const isNew = (step: number, state: string): boolean => {
			const left = depth - step;
			if (left <= (known.get(state) ?? -1)) return false;
			known.set(state, left);
			return true;
		};
		const violation = await walk(subject, count, (names, step, state) => {
			if (step > depth) return undefined;
			if (step === way.length) {
				if (step > 0 && !isNew(step, state())) return 'known';
				const [next, ...others] = names;
				for (const other of others) ahead.push([...way, other]);
				if (next !== undefined) way.push(next);
			}
			const next = way[step];
			return next === undefined ? undefined : { next };
		});
		paths += 1;
		if (violation !== undefined) violations.push(violation);
	}
	return { paths, states: known.size, violations };
}

import type { Subject } from './subjects.mts';
import { walk, type Walk } from './model.mts';

/**
 * Takes every path through the model with so many events after its beginning, or fewer if it ends before. From a state that was
 * reached before, it continues only if more events are left now.
 *
 * @returns how many paths were taken, and what was found
 */
export async function explore(
	subject: Subject,
	count: number,
	depth: number,
): Promise<{ paths: number; violations: Walk[] }> {
	const violations: Walk[] = [];
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
		const walked = await walk(subject, count, (names, step, state) => {
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
		if (walked.violation !== undefined) violations.push(walked);
	}
	return { paths, violations };
}

import fc from 'fast-check';

import { beginnings, events, type Event } from './events.mts';
import { walk, type Choice } from './model.mts';
import type { Subject } from './subjects.mts';

/** Questions are never asked twice, and answers are never lost, changed or output twice, whatever happens in whatever order. */
export async function holdsInAnyOrder(subject: Subject): Promise<void> {
	const aims = [...beginnings, ...events];
	const reached = new Set<string>();
	let run = 0;
	const steps = fc.array(fc.nat({ max: 99 }), { minLength: 4, maxLength: 13 });
	const property = fc.asyncProperty(
		fc.integer({ min: 1, max: 3 }),
		steps,
		async (count, numbers) => {
			const { path, violation } = await walk(subject, count, towards(aims[run++], numbers));
			if (violation !== undefined) throw new Error(`${violation}, after: ${path.join(', ')}`);
			for (const name of path) reached.add(name);
		},
	);
	await fc.assert(property, { numRuns: aims.length, endOnFailure: true });
	const isCalledBack = subject.checksBeforeParking === 0;
	expect(events.filter(({ name }) => !reached.has(name))).toEqual(
		isCalledBack ? [] : events.filter(({ calls }) => calls),
	);
}

/** Goes the shortest way to one event, or begins so, and then wherever the numbers lead. */
function towards(aim: Pick<Event, 'name' | 'after'> | undefined, numbers: number[]): Choice {
	const wanted = [aim?.name, aim?.after, 'begun'];
	return (names, step) => {
		const wish = wanted.find((name) => name !== undefined && names.includes(name));
		if (wish === aim?.name) wanted.length = 0;
		const next = wish ?? names[(numbers[step] ?? 0) % names.length];
		return step >= numbers.length ? undefined : next;
	};
}

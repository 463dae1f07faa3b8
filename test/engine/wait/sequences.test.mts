import { afterAll, expect, test } from 'vitest';

import { releaseClock } from '../../support/clock.mts';
import { explore } from '../../support/wait/explore.mts';
import {
	askAndWait,
	oneSession,
	savingProgress,
	waitForAnswer,
} from '../../support/wait/subjects.mts';
import { sandbox } from '../../support/wait/world.mts';

const MINUTES = 60_000;

afterAll(async () => {
	releaseClock();
	await sandbox.close();
});

test.each([
	{ subject: askAndWait, count: 1, depth: 2 },
	{ subject: askAndWait, count: 2, depth: 1 },
	{ subject: waitForAnswer, count: 1, depth: 2 },
	{ subject: savingProgress, count: 1, depth: 1 },
	{ subject: oneSession, count: 2, depth: 1 },
])(
	'questions are never asked twice, and answers are never lost, changed or output twice: $subject.name with $count question(s), after every possible sequence of $depth event(s)',
	async ({ subject, count, depth }) => {
		const { paths, violations } = await explore(subject, count, depth);
		expect(violations).toEqual([]);
		expect(paths).toBeGreaterThan(20);
	},
	10 * MINUTES,
);

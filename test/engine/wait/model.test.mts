import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';

import { releaseClock } from '../../support/clock.mts';
import { explore } from './explore.mts';
import { walk } from './model.mts';
import * as subjects from './subjects.mts';
import { sandbox } from './world.mts';

const MINUTES = 60_000;

const { askAndWait, waitForAnswer, savingProgress, oneSession } = subjects;
const { withoutSecret, withWrongSecret, polling, persistent, failing } = subjects;

afterAll(async () => {
	releaseClock();
	await sandbox.close();
});

describe('never asked twice, never output twice, never lost, and nothing but what the service said', () => {
	test.each([
		[askAndWait.name, askAndWait, 1, 2],
		[askAndWait.name, askAndWait, 2, 1],
		[waitForAnswer.name, waitForAnswer, 1, 2],
		[savingProgress.name, savingProgress, 1, 1],
		[oneSession.name, oneSession, 2, 1],
	])('%s: whatever may happen', async (_name, subject, count, depth) => {
		const { paths, violations } = await explore(subject, count, depth);
		expect(violations).toEqual([]);
		expect(paths).toBeGreaterThan(20);
	}, 10 * MINUTES);

	test.each([
		askAndWait,
		waitForAnswer,
		withoutSecret,
		withWrongSecret,
		savingProgress,
		oneSession,
		polling,
		persistent,
		failing,
	])('$name: up to three questions, whatever up to twelve things happen', async (subject) => {
		const steps = fc.array(fc.nat({ max: 99 }), { minLength: 4, maxLength: 13 });
		const property = fc.asyncProperty(fc.integer({ min: 1, max: 3 }), steps, async (count, chosen) => {
			const violation = await walk(subject, count, (names, step) => {
				const next = names[(chosen[step] ?? 0) % names.length];
				return step >= chosen.length || next === undefined ? undefined : { next };
			});
			expect(violation).toBeUndefined();
		});
		await fc.assert(property, { seed: 11, numRuns: 20 });
	}, 10 * MINUTES);
});

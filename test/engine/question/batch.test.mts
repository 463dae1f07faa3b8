import { expect, test } from 'vitest';

import { runNode } from '../../support/engine/engine.mts';
import { sandboxOfFile } from '../../support/lifetimes.mts';
import { asking, questions } from '../wait/waking.mts';
import { ended, inFastTime } from './waits.mts';

const MINUTE = 60_000;

const sandbox = await sandboxOfFile();

test('300 questions against the real limits are each answered once, and none is asked twice', async () => {
	const answerTime = 2 * MINUTE;
	sandbox.settings.answerTime = [answerTime, answerTime];
	const items = questions(300);
	const parameters = { ...asking, options: { waitUsing: 'polling' } };
	const run = await inFastTime(async (n8n) => await ended(await runNode({ sandbox, n8n, items, parameters })), 60);

	expect(run.error).toBeUndefined();
	const texts = run.json.map(({ id }) => sandbox.questions.find((question) => question.id === id)?.text);
	expect(texts).toEqual(items.map(({ json }) => json.words));
	expect(run.json.every(({ status }) => status === 'completed')).toBe(true);
	expect(sandbox.questions).toHaveLength(300);
	expect(sandbox.requests.filter(({ status }) => status === 429)).toEqual([]);
}, 60_000);

import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import { expect, test } from 'vitest';

import { bundledContract } from '../../harness/examples.mts';
import { until } from '../../harness/polling.mts';
import { completeAll } from '../support/n8n/parkedQuestions.mts';
import { Stage } from '../support/products/stage.mts';

const FILES = 20;
const schedule = 'Every 15 Minutes';

const stage = await Stage.ofThisFile();
const { microsoft } = stage.products;

test('n8n is killed as 20 files start: after a restart, a lawyer is asked about each of them once', async () => {
	// What was taken is taken again after a minute, instead of two hours: longer than a restart and an answer take.
	await stage.publish('sharepoint-teams.json', { 'hours: 2': 'minutes: 1' });
	stage.answer('completed', 'Sign.');
	const contract = await bundledContract('mutual-nda.pdf');
	const lastModifiedDateTime = new Date(Date.now() - 86_400_000).toISOString();
	for (let index = 0; index < FILES; index += 1) {
		const fileName = `Contract ${String(index)}.pdf`;
		microsoft.folder.push({
			...contract,
			id: randomUUID(),
			fileName,
			cTag: randomUUID(),
			lastModifiedDateTime,
		});
	}
	await stage.n8n.run(stage.workflow, { trigger: schedule });
	await until('the first question', () => Promise.resolve(stage.sandbox.questions[0]), {
		interval: 10,
	});
	await sleep(randomInt(1000));
	await stage.n8n.restart();
	const before = stage.sandbox.questions.length;

	const asked = (): Set<string | undefined> =>
		new Set(microsoft.chat.map((text) => /^May (Contract \d+)/.exec(text)?.[1]));
	await until(
		'all files in the chat',
		async () => {
			await stage.run(schedule);
			await sleep(3000);
			await completeAll(stage.sandbox);
			return asked().size === FILES ? true : undefined;
		},
		{ timeout: 180_000 },
	);
	const { length } = stage.sandbox.questions;
	console.log(`${before} questions before the kill, ${length} in all, for ${FILES} files`);
	expect([microsoft.chat.length, length < 2 * FILES]).toEqual([FILES, true]);
	expect(stage.taskTitles()).toEqual([]);
});

import { afterEach, test } from 'vitest';

import { answersWhenTold } from '../scenarios/stage.mts';
import { queueStoreOfThisFile } from '../support/n8n/queueStore.mts';
import { n8nOfThisFile, serviceOfThisFile } from '../support/n8n/service.mts';
import { wakingEveryTwoSeconds } from '../support/n8n/wakingSoon.mts';
import { killOnce, printFigures, situations } from './kills.mts';

const store = await queueStoreOfThisFile();
const n8n = await n8nOfThisFile({ ...store.environment, ...wakingEveryTwoSeconds });
let worker = await n8n.startBeside('worker');
const service = await serviceOfThisFile(
	{ answer: answersWhenTold, requestsPerMinute: Infinity, newSessionsPerMinute: Infinity },
	n8n,
);

let kills = 0;

/** The main process and the worker in turn. */
async function kill(): Promise<void> {
	kills += 1;
	if (kills % 2 === 0) {
		await n8n.restart();
		return;
	}
	await worker.stop('SIGKILL');
	worker = await n8n.startBeside('worker');
}

const wakeAll = async (): Promise<void> => {
	await store.query(`UPDATE execution_entity SET "waitTill" = now() WHERE status = 'waiting'`);
};
const stage = { ...service, n8n, kill, wakeAll };

afterEach(() => {
	printFigures('in queue mode');
});

const rounds = Array.from({ length: Number(process.env.KILLS ?? 12) }, (_, round) => ({
	round,
	situation: situations[Math.floor(round / 2) % situations.length] ?? 'sending',
}));

test.each(rounds)(
	'nothing is sent twice and no item is lost if the worker or the main process is killed at a random moment: $situation ($round)',
	async ({ situation, round }) => {
		await killOnce(stage, situation, round);
	},
);

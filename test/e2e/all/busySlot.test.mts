import { setTimeout as sleep } from 'node:timers/promises';

import type { Execution } from '../../../harness/executions.mts';
import { until } from '../../../harness/polling.mts';
import { chain, node, webhook } from '../../../harness/workflows.mts';
import { answersWhenTold } from '../../scenarios/stage.mts';
import {
	after,
	answersOf,
	askAndWait,
	completeAll,
	start,
} from '../../support/n8n/parkedQuestions.mts';
import { n8nOfThisFile, serviceOfThisFile } from '../../support/n8n/service.mts';
import { wakingEveryTwoSeconds } from '../../support/n8n/wakingSoon.mts';

/*
 * n8n has one slot for executions, and it is busy when paused executions are due. n8n then queues a wake of each of them with each
 * look, and their callbacks, too, each with the state that it has just read. Once the slot is free, all of them run.
 */

/** The node checks at the end of Max Wait, at the latest: 30 s after the service has accepted the question. */
const maxWait = 0.5;

/** When the callback to the first question of an execution comes, in ms from the planned check on; `undefined` for never. */
const callbacks: Record<string, number | undefined> = {
	never: undefined,
	soon: 3_000,
	late: 11_000,
};
const paths = Object.keys(callbacks);

const n8n = await n8nOfThisFile({
	N8N_CONCURRENCY_PRODUCTION_LIMIT: '1',
	N8N_LOG_LEVEL: 'debug',
	N8N_LOG_SCOPES: 'waiting-executions',
	...wakingEveryTwoSeconds,
});
const { sandbox, credential } = await serviceOfThisFile({ answer: answersWhenTold }, n8n);

const HELD_MS = 3_600_000;

/** Lets an execution take the slot, with a request that the service answers once its time is over. */
async function occupy() {
	sandbox.faults.add({ kind: 'latency', ms: HELD_MS, match: 'GET /me' });
	const hold = node(
		'Hold',
		'n8n-nodes-base.httpRequest',
		{ url: `${sandbox.baseUrl}/me` },
		{ typeVersion: 4.2, onError: 'continueRegularOutput' },
	);
	await n8n.publish(chain('busy', [webhook('busy'), hold]));
	await n8n.callWebhook('busy');
	await sandbox.waitForRequest(({ route }) => route === 'GET /me');
}

async function askedIn(path: string) {
	const ask = (question: string, options = {}) =>
		askAndWait(credential, { question, options }, { name: question });
	return await start(n8n, path, [ask(`One ${path}`, { maxWait }), ask(`Two ${path}`), after]);
}

function dueAt({ waitTill = '' }: Execution) {
	return new Date(waitTill).getTime();
}

test('if checks have to wait for a free slot, the next node asks only once, whether callbacks come soon, late or never', async () => {
	const last = await n8n.publish(chain('last', [webhook('last'), after]));
	sandbox.callbackFaults.drop = true;
	const parked: [path: string, Execution][] = [];
	for (const path of paths) parked.push([path, await askedIn(path)]);
	await occupy();
	expect(Date.now()).toBeLessThan(Math.min(...parked.map(([, execution]) => dueAt(execution))));
	await completeAll(sandbox);
	sandbox.callbackFaults.drop = false;

	for (const [path, execution] of parked) {
		const ms = callbacks[path];
		if (ms === undefined) continue;
		await sleep(dueAt(execution) + ms - Date.now());
		await sandbox.resendCallback(sandbox.asked(`One ${path}`).id);
	}
	for (const [, { id }] of parked) {
		const wakes = new RegExp(`Resuming execution ${id} `, 'g');
		const isQueuedTwice = () => (n8n.main.log.match(wakes)?.length ?? 0) > 1;
		await until(`n8n to wake execution ${id} twice`, () =>
			Promise.resolve(isQueuedTwice() || undefined),
		);
	}
	sandbox.advance(HELD_MS);
	for (const path of paths)
		await sandbox.waitForQuestion(({ text }) => text === `Two ${path}`, 60_000);
	// What comes last has its turn after all that was queued before.
	await n8n.callWebhook('last');
	await n8n.waitForNextExecution(last.id, [], undefined, { timeout: 90_000 });
	await completeAll(sandbox);

	for (const [path, { id }] of parked) {
		const over = await n8n.waitForExecution(id, undefined, { timeout: 60_000 });
		expect(answersOf(over)).toEqual([`Answer to Two ${path}`]);
		expect(over.runs.After).toHaveLength(1);
	}
	const asked = sandbox.questions.map(({ text }) => text);
	expect(asked.toSorted()).toEqual(
		paths.flatMap((path) => [`One ${path}`, `Two ${path}`]).toSorted(),
	);
}, 240_000);

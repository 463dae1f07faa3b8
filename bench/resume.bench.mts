import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import type { INode } from 'n8n-workflow';
import { afterAll, beforeAll, test } from 'vitest';

import { deliver, completed } from '../test/support/n8n/callbacks.mts';
import { until } from '../test/support/polling.mts';
import { legalAi, node } from '../test/support/n8n/workflows.mts';
import { askAndWait } from './support/handBuilt.mts';
import { PlainProgram } from './support/plainProgram.mts';
import { LEAST, OURS, PLAIN, resultsOf } from './support/results.mts';
import { alternate, type Measured, watched } from './support/rounds.mts';
import { type Account, leastNodes, type Published, Stage, startOf } from './support/stage.mts';

const HAND_BUILT = 'HTTP Request, Wait';
/** Until n8n has nothing left to do for what went before. */
const CALM_MS = 500;

const results = resultsOf('resume', 'From the callback to the next node');

let stage: Stage;
let plain: PlainProgram;
beforeAll(async () => {
	stage = await Stage.open({ N8N_CUSTOM_EXTENSIONS: leastNodes });
	plain = await PlainProgram.start();
});
afterAll(async () => {
	plain.stop();
	await stage.close();
});

/** A sandbox whose questions are answered when the bench says so. */
async function silentAccount(): Promise<Account> {
	const silently = () => ({ status: 'completed', answer: 'You may sign it.', after: Infinity }) as const;
	return await stage.account({ answer: silently });
}

/** What comes after the wait: it tells the bench that it ran. */
function tell({ sandbox }: Account): INode {
	return node('Tell', 'n8n-nodes-base.httpRequest', { method: 'POST', url: `${sandbox.origin}/told`, options: {} }, {
		typeVersion: 4.2,
		onError: 'continueRegularOutput',
	});
}

/** Parks one execution, has its question answered, and tells how long it took from the callback to the next node. */
async function resumed(workflow: Published, { sandbox }: Account): Promise<Measured> {
	await sandbox.reset();
	await workflow.start();
	const { id } = await until('the execution to be parked', async () => {
		const [newest] = await workflow.executions();
		return newest?.status === 'waiting' ? newest : undefined;
	});
	await sleep(CALM_MS);
	const called = Date.now();
	const { busy } = await watched(async () => {
		await sandbox.complete(sandbox.questions[0]?.id ?? '');
		await sandbox.waitForRequest(({ path }) => path === '/told');
	});
	const execution = await stage.n8n.waitForExecution(id);
	return { value: startOf(execution, 'Tell') - called, busy };
}

test('one question', async () => {
	const account = await silentAccount();
	const theirs = await silentAccount();
	const ask = legalAi('Ask', account.credential, { resource: 'question', operation: 'askAndWait', question: 'May we sign?' });
	const ours = await stage.publish('Legal AI', [ask, tell(account)], { responseMode: 'onReceived' });
	const handBuilt = await stage.publish('Hand-built', [...askAndWait(theirs), tell(theirs)], { responseMode: 'onReceived' });
	const third = await silentAccount();
	const waits = node('Wait', 'CUSTOM.leastWait', {}, { webhookId: randomUUID(), credentials: { legalAiApi: third.credential } });
	const least = await stage.publish('Least', [waits, tell(third)], { responseMode: 'onReceived' });
	const secret = 'whsec_resume';
	const url = String((await plain.run('receive', { secret })).result);
	results.figure({
		what: 'a callback arrives, the next node starts',
		unit: 'ms',
		contenders: await alternate({
			[OURS]: async () => await resumed(ours, account),
			[LEAST]: async () => await resumed(least, third),
			[HAND_BUILT]: async () => await resumed(handBuilt, theirs),
			[PLAIN]: async () => {
				const called = performance.now();
				const { busy } = await watched(async () => await deliver(url, secret, completed()));
				return { value: performance.now() - called, busy };
			},
		}, { warmUps: 3, rounds: 15 }),
		targets: [{ against: HAND_BUILT, atMost: 1.2 }, { of: LEAST, against: HAND_BUILT, atMost: 1.2 }],
		note: 'The Wait node and the least community node check no signature, and take whatever is posted for the answer. 15 rounds.',
	});
});

import { afterAll, beforeEach, describe, expect, test } from 'vitest';

import { startSandbox } from '../sandbox/sandbox.mts';
import { Instance, LEGAL_AI, type NodeRun } from '../support/engine/engine.mts';
import { freshNodes } from './freshNodes.mts';
import { PassOn } from '../support/engine/nodeTypes.mts';
import { answer, askAndWait, failing, questions } from './wait/waking.mts';

const sandbox = await startSandbox({ answerTime: [Infinity, Infinity] });
beforeEach(() => sandbox.reset());
afterAll(() => sandbox.close());

const requests = (): string => sandbox.requests.map(({ method }) => method).join(' ');

/** The service has the answer, and its callback was dropped. */
async function complete(status: 'completed' | 'error' = 'completed'): Promise<void> {
	sandbox.callbackFaults.drop = true;
	await sandbox.complete(sandbox.questions[0]?.id ?? '', { status, answer: 'Yes.' });
}

/** Kills an n8n in the middle of a look, with the service's answer on its way; the execution as it was parked. */
async function killInLook(n8n: Instance): Promise<NodeRun> {
	const parked = await askAndWait({ sandbox, n8n });
	sandbox.faults.add({ kind: 'hang', match: ({ method }) => method === 'GET' });
	void parked.wake();
	await sandbox.waitForRequest(({ method }) => method === 'GET');
	n8n.kill();
	return parked;
}

describe('killed', () => {
	test('while an execution is parked: it is called back, or woken, in the next process', async () => {
		const n8n = await Instance.start();
		const [called, woken] = [await askAndWait({ sandbox, n8n }), await askAndWait({ sandbox, n8n })];
		n8n.kill();
		await expect(answer(sandbox, called)).rejects.toThrow();
		n8n.restart();
		expect(await answer(sandbox, called)).toMatchObject({ status: 200 });
		expect((await called.resumed()).json).toMatchObject([{ answer: 'Yes.' }]);
		expect(await woken.wake()).toMatchObject({ status: 'waiting' });
		await n8n.close();
	});

	test('in the middle of a look: what it was woken with is stored, and a retry looks and does not ask', async () => {
		const n8n = await Instance.start();
		const parked = await killInLook(n8n);
		n8n.restart();
		const crashed = await parked.resumed();
		expect(crashed.status).toBe('crashed');
		await complete();
		const over = await crashed.retry();
		expect(over.json).toMatchObject([{ answer: 'Yes.' }]);
		expect(over.execution.itemsOf('After')).toHaveLength(1);
		expect(requests()).toBe('POST GET GET');
		await n8n.close();
	});

	test('before the parked state is stored: the execution has crashed, and a retry begins anew', async () => {
		const n8n = await Instance.start();
		const asking = askAndWait({ sandbox, n8n });
		await sandbox.waitForQuestion(() => true);
		const unlock = n8n.database.lock();
		await n8n.database.whenHeld();
		n8n.kill();
		unlock();
		n8n.restart();
		const crashed = await asking;
		expect(crashed.status).toBe('crashed');
		expect(await crashed.retry()).toMatchObject({ status: 'waiting' });
		expect(requests()).toBe('POST POST');
		await n8n.close();
	});

	test('in the middle of asking: nothing that it would have done next is done', async () => {
		const n8n = await Instance.start();
		sandbox.faults.add({ kind: 'latency', ms: 20, match: ({ method }) => method === 'POST' });
		const asking = askAndWait({ sandbox, n8n, items: questions(3) });
		await sandbox.waitForRequest(({ method }) => method === 'POST');
		n8n.kill();
		n8n.restart();
		expect((await asking).status).toBe('crashed');
		await sandbox.waitForRequest(({ ended }) => ended);
		await askAndWait({ sandbox, n8n, items: [] });
		expect(sandbox.questions).toHaveLength(1);
		await n8n.close();
	});

	test('nodes whose modules are loaded anew take the place of those that were running', async () => {
		const n8n = await Instance.start();
		const parked = await askAndWait({ sandbox, n8n });
		n8n.kill();
		n8n.restart({ [LEGAL_AI]: new PassOn() });
		expect((await parked.wake()).json).toEqual([{ words: 'Question 0' }]);
		const [one, other] = [freshNodes(), freshNodes()];
		expect(one[LEGAL_AI]?.constructor).not.toBe(other[LEGAL_AI]?.constructor);
		await n8n.close();
	});
});

describe('a retry', () => {
	test('is another execution, with the stack of the failed one and what its entries carry', async () => {
		const parked = await askAndWait({ sandbox, parameters: failing });
		await complete('error');
		const failed = await parked.wake();
		expect(failed.error?.message).toContain('could not answer');
		const again = await failed.retry();
		expect(again.status).toBe('waiting');
		expect(again.execution.id).not.toBe(failed.execution.id);
		expect(requests()).toBe('POST GET POST');
		await answer(sandbox, again, 'Yes.', 1);
		expect((await again.resumed()).json).toMatchObject([{ answer: 'Yes.' }]);
	});

	test('of what succeeded is refused', async () => {
		const parked = await askAndWait({ sandbox });
		await answer(sandbox, parked);
		await expect((await parked.resumed()).retry()).rejects.toThrow('succeeded');
	});
});

describe('storing', () => {
	test('that is slow turns a callback away: n8n still takes the execution for running', async () => {
		const n8n = await Instance.start();
		const asking = askAndWait({ sandbox, n8n });
		const { callbackUrl = '' } = await sandbox.waitForQuestion(() => true);
		const unlock = n8n.database.lock();
		await n8n.database.whenHeld();
		await complete();
		sandbox.callbackFaults.drop = false;
		expect(callbackUrl).toContain('/webhook-waiting/');
		expect(await sandbox.resendCallback(sandbox.questions[0]?.id ?? '')).toMatchObject({ status: 409 });
		unlock();
		expect((await (await asking).wake()).json).toMatchObject([{ answer: 'Yes.' }]);
		await n8n.close();
	});

	test('no successful executions: a parked one is stored all the same, and gone when it is over', async () => {
		const parked = await askAndWait({ sandbox, settings: { saveDataSuccessExecution: 'none' } });
		const { resumeUrl } = parked;
		await answer(sandbox, parked);
		expect((await parked.resumed()).json).toMatchObject([{ answer: 'Yes.' }]);
		expect((await fetch(resumeUrl, { method: 'POST' })).status).toBe(404);
	});

	test('after each node keeps what came before where n8n is killed', async () => {
		const n8n = await Instance.start();
		const asking = askAndWait({ sandbox, n8n, settings: { saveExecutionProgress: true } });
		await sandbox.waitForRequest(({ method }) => method === 'POST');
		n8n.kill();
		n8n.restart();
		const crashed = await asking;
		expect(crashed.execution.itemsOf('Before')).toHaveLength(1);
		await n8n.close();
	});
});

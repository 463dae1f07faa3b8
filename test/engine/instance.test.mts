import { afterAll, beforeEach, describe, expect, test } from 'vitest';

import { callbackResponses } from '../../nodes/LegalAi/messages/callbackMessages.ts';
import { startSandbox } from '../sandbox/sandbox.mts';
import { Instance, type NodeRun } from '../support/engine/engine.mts';
import { answer, askAndWait, callBack, questions } from './wait/waking.mts';

const sandbox = await startSandbox({ answerTime: [Infinity, Infinity] });
beforeEach(() => sandbox.reset());
afterAll(() => sandbox.close());

const outcome = (words: string): unknown => ({ status: 'completed', answer: words });

/** How often the service was asked, and looked at. */
const requests = (): string => sandbox.requests.map(({ method }) => method).join(' ');

const endings = (run: NodeRun, n8n: Instance): string[] =>
	n8n.endings.entries.filter(({ id }) => id === run.execution.id).map(({ status }) => status);

describe('a callback to a parked execution', () => {
	test('resumes the node behind the parked one, on its own input, with what the callback said', async () => {
		const parked = await askAndWait({ sandbox, items: questions(2) });
		sandbox.callbackFaults.drop = true;
		await sandbox.complete(sandbox.questions[1]?.id ?? '', { answer: 'One.' });
		const again = await parked.wake();
		expect(again.status).toBe('waiting');
		expect(await answer(sandbox, again, 'Zero.', 0)).toEqual({ status: 200, body: JSON.stringify({ message: callbackResponses.resuming }) });
		expect((await again.resumed()).json).toMatchObject([
			{ answer: 'Zero.' },
			{ answer: 'One.' },
		]);
	});

	test('changes nothing that is stored where it does not resume', async () => {
		const n8n = await Instance.start();
		const parked = await askAndWait({ sandbox, n8n, items: questions(2) });
		const stored = JSON.stringify(n8n.database.get(parked.execution.id));
		expect(await answer(sandbox, parked, 'One.', 1)).toEqual({ status: 200, body: JSON.stringify({ message: callbackResponses.noted }) });
		expect(JSON.stringify(n8n.database.get(parked.execution.id))).toBe(stored);
		await n8n.close();
		expect(requests()).toBe('POST POST');
	});

	test('is turned away for a wrong token before all else, then for running, then for being over', async () => {
		const n8n = await Instance.start();
		const running = askAndWait({ sandbox, n8n });
		const { callbackUrl = '' } = await sandbox.waitForQuestion(() => true);
		const unsigned = callbackUrl.replace(/signature=.*/, 'signature=no');
		const said = async (url: string) => await callBack(url, {}, sandbox.webhookSecret);
		const unlock = n8n.database.lock();
		expect(await said(unsigned)).toMatchObject({ status: 401 });
		expect(await said(callbackUrl)).toEqual({ status: 409, body: expect.stringContaining('running already') as string });
		unlock();
		const parked = await running;
		await answer(sandbox, parked);
		await parked.resumed();
		expect(await said(unsigned)).toMatchObject({ status: 401 });
		expect(await said(callbackUrl)).toEqual({ status: 409, body: expect.stringContaining('finished already') as string });
		expect(await said(callbackUrl.replace(/waiting\/\d+/, 'waiting/none'))).toMatchObject({ status: 404 });
		await n8n.close();
	});

	test('of an execution that failed or was stopped says so, and resumes nothing', async () => {
		const parked = await askAndWait({ sandbox });
		await parked.execution.stop();
		expect(await answer(sandbox, parked)).toEqual({ status: 409, body: expect.stringContaining('with error') as string });
		await expect(parked.wake()).rejects.toThrow('already being resumed');
	});

	test('comes through once of five at the same time', async () => {
		const n8n = await Instance.start();
		const parked = await askAndWait({ sandbox, n8n });
		const unlock = n8n.database.lock();
		const all = Promise.all(Array.from({ length: 5 }, () => answer(sandbox, parked)));
		await n8n.database.whenHeld();
		unlock();
		const told = (await all).map(({ status }) => status).toSorted();
		expect(told[0]).toBe(200);
		expect([200, 409, 500]).toEqual(expect.arrayContaining(told.slice(1)));
		expect((await parked.resumed()).json).toMatchObject([outcome('Yes.')]);
		expect(endings(parked, n8n)).toEqual(['waiting', 'success']);
		await n8n.close();
	});

	test('is claimed before it is answered: while the database is locked it has resumed nothing', async () => {
		const n8n = await Instance.start();
		const parked = await askAndWait({ sandbox, n8n });
		n8n.database.lock();
		const lost = answer(sandbox, parked).catch(() => 'cut');
		await n8n.database.whenHeld();
		n8n.kill();
		expect(await lost).toBe('cut');
		expect(n8n.database.get(parked.execution.id).status).toBe('waiting');
		await n8n.close();
	});
});

describe('waking', () => {
	test('runs the node again as often as it parks again, in one execution', async () => {
		const first = await askAndWait({ sandbox });
		const second = await first.wake();
		const third = await second.wake();
		expect([first, second, third].map(({ status, execution: { turn } }) => [status, turn])).toEqual([
			['waiting', 0],
			['waiting', 1],
			['waiting', 2],
		]);
		expect(third.execution.id).toBe(first.execution.id);
		sandbox.callbackFaults.drop = true;
		await sandbox.complete(sandbox.questions[0]?.id ?? '', { answer: 'Yes.' });
		const over = await third.wake();
		expect(over.json).toMatchObject([{ answer: 'Yes.' }]);
		expect(over.execution.runData['Legal AI']).toHaveLength(1);
		expect(over.items[0]?.pairedItem).toEqual({ item: 0 });
		expect(requests()).toBe('POST GET GET GET');
	});

	test('and a callback at the same time: one wins', async () => {
		const parked = await askAndWait({ sandbox });
		const woken = parked.wake().catch((error: unknown) => error);
		const called = answer(sandbox, parked);
		expect([await woken, (await called).status]).toEqual([expect.anything(), expect.any(Number)]);
		expect((await called).status).not.toBe(200);
	});

	test('comes in vain where the execution is over', async () => {
		const parked = await askAndWait({ sandbox });
		await answer(sandbox, parked);
		await parked.resumed();
		await expect(parked.wake()).rejects.toThrow('did succeed');
	});
});

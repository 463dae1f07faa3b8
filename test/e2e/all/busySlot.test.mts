import { createServer, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

import { afterAll, beforeAll, expect, test } from 'vitest';

import type { Sandbox } from '../../sandbox/sandbox.mts';
import type { Execution } from '../../../harness/executions.mts';
import { listenLocally } from '../../../harness/localServer.mts';
import { startN8n, type N8n } from '../../../harness/n8n.mts';
import type { StoredCredential } from '../../../harness/n8nClient.mts';
import { until } from '../../../harness/polling.mts';
import { chain, node, questions, webhook } from '../../../harness/workflows.mts';
import { after, answersOf, askAndWait, callAndPark, completeAll } from '../parkedQuestions.mts';
import { openService } from '../service.mts';

/*
 * n8n has one slot for executions, and it is busy when paused executions are due. n8n then queues a wake of each of them every
 * minute, and their callbacks, too, each with the state that it has just read. Once the slot is free, all of them run.
 */

/** The node checks at the end of Max Wait, at the latest: 45 s after the service has accepted the question. */
const maxWait = 0.75;

/** What becomes of the callback to the first question, and how many ms after the check was due that is. */
const callbacks = [
	['never comes', undefined],
	['comes 3 s after the check was due', 3_000],
	['comes 11 s after the check was due', 11_000],
] as const;
const paths = callbacks.map(([, ms]) => `late-${ms}`);

let n8n: N8n;
let sandbox: Sandbox;
let credential: StoredCredential;
let over: Record<string, Execution>;

/** The request of an execution that keeps the slot until it is responded to. */
const slot = createServer();

beforeAll(async () => {
	const port = await listenLocally(slot);
	n8n = await startN8n({
		environment: { N8N_CONCURRENCY_PRODUCTION_LIMIT: '1', N8N_LOG_LEVEL: 'debug', N8N_LOG_SCOPES: 'waiting-executions' },
	});
	({ sandbox, credential } = await openService(n8n, {
		answer: ({ text }) => ({ status: 'completed', answer: `Answer to ${text}`, after: text === 'Question 1' ? 4_000 : Infinity }),
	}));
	const hold = node('Hold', 'n8n-nodes-base.httpRequest', { url: `http://127.0.0.1:${port}/` }, { typeVersion: 4.2 });
	await n8n.publish(chain('busy', [webhook('busy'), hold]));
	const next = await n8n.publish(chain('next', [webhook('next'), after]));

	sandbox.callbackFaults.drop = true;
	const ask = (question: string, options = {}) => askAndWait(credential, { question, options }, { name: question });
	const parked: Record<string, Execution> = {};
	for (const path of paths) {
		const nodes = [webhook(path), ask(`One ${path}`, { maxWait }), ask(`Two ${path}`), after];
		parked[path] = await callAndPark(n8n, await n8n.publish(chain(path, nodes)), path);
	}
	const inSession = askAndWait(credential, { options: { maxWait }, additionalFields: { sessionId: await startSession() } });
	const session = await n8n.publish(chain('session', [webhook('session'), questions(2), inSession, after]));
	parked.session = await callAndPark(n8n, session, 'session');

	const held = once(slot, 'request');
	await n8n.callWebhook('busy');
	const [, response] = (await held) as [unknown, ServerResponse];
	expect(Date.now()).toBeLessThan(dueAt(parked[paths[0] ?? '']));
	await completeAll(sandbox);
	sandbox.callbackFaults.drop = false;
	for (const [, ms] of callbacks) {
		if (ms === undefined) continue;
		await sleep(dueAt(parked[`late-${ms}`]) + ms - Date.now());
		await sandbox.resendCallback(sandbox.questions.find(({ text }) => text === `One late-${ms}`)?.id ?? '');
	}
	for (const { id } of Object.values(parked)) {
		const wakes = new RegExp(`Resuming execution ${id} `, 'g');
		const isQueuedTwice = (): true | undefined => (n8n.log.match(wakes)?.length ?? 0) > 1 || undefined;
		await until(`n8n to wake execution ${id} twice`, () => Promise.resolve(isQueuedTwice()), { timeout: 130_000 });
	}

	response.end('{}');
	for (const path of paths) await sandbox.waitForQuestion(({ text }) => text === `Two ${path}`, 60_000);
	// What comes last has its turn after all that was queued before.
	await n8n.callWebhook('next');
	await n8n.waitForNextExecution(next.id, [], undefined, { timeout: 90_000 });
	const second = sandbox.questions.filter(({ text }) => text.startsWith('Two'));
	for (const { id } of second) await sandbox.complete(id);
	over = {};
	for (const [path, { id }] of Object.entries(parked)) over[path] = await n8n.waitForExecution(id, undefined, { timeout: 60_000 });
}, 400_000);
afterAll(async () => {
	await n8n.close();
	await sandbox.close();
	slot.close();
});

function dueAt(execution: Execution | undefined): number {
	return new Date(execution?.waitTill ?? 0).getTime();
}

/** Asks a question at the service, has it answered, and returns its session. */
async function startSession(): Promise<string> {
	const response = await fetch(`${sandbox.baseUrl}/assistants/default/questions`, {
		method: 'POST',
		headers: { authorization: `Bearer ${sandbox.apiKey}`, 'content-type': 'application/json' },
		body: JSON.stringify({ question: 'Earlier' }),
	});
	const { id } = (await response.json()) as { id: string };
	await sandbox.complete(id);
	return sandbox.questions.find((question) => question.id === id)?.sessionId ?? '';
}

/** What came out of an execution. */
function answersTo(path: string): unknown[] {
	return over[path] === undefined ? [] : answersOf(over[path]);
}

/** How often a question was asked. */
function timesAsked(question: string): number {
	return sandbox.questions.filter(({ text }) => text === question).length;
}

test.each(callbacks)('a check has to wait for a free slot, and the callback %s: the next node asks once', (_when, ms) => {
	const path = `late-${ms}`;
	expect([timesAsked(`One ${path}`), timesAsked(`Two ${path}`)]).toEqual([1, 1]);
	expect(answersTo(path)).toEqual([`Answer to Two ${path}`]);
	expect(over[path]?.runs.After).toHaveLength(1);
});

test('a check has to wait for a free slot: the next item of its session is asked once', () => {
	expect([timesAsked('Question 0'), timesAsked('Question 1')]).toEqual([1, 1]);
	expect(answersTo('session')).toEqual(['Answer to Question 0', 'Answer to Question 1']);
});

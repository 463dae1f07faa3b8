import type { INodeParameters } from 'n8n-workflow';
import { afterAll, afterEach, beforeEach } from 'vitest';

import { startSandbox, type Sandbox } from '../../sandbox/sandbox.mts';
import { Instance, runNode, type NodeRun, type NodeRunOptions } from '../../support/engine/engine.mts';
import type { N8nVersion } from '../../support/engine/version.mts';
import { CHECK } from '../question/waits.mts';
import { pass, releaseClock, rest, settle, stopClock } from '../../support/clock.mts';
import { asking, questions } from './waking.mts';

/** What the tests of a wait work with. */
export interface StoppedWorld {
	readonly sandbox: Sandbox;
	/** Each test's own. */
	readonly n8n: Instance;
	/** Asks what each item has in "words", one question unless told otherwise, until all is over or parked. */
	readonly ask: (
		asked?: Partial<NodeRunOptions> & { options?: INodeParameters; fields?: INodeParameters },
	) => Promise<NodeRun>;
	/** The service answers a question; its callback resumes the execution, if one was asked for and none is dropped. */
	readonly complete: (index: number, status?: 'completed' | 'error') => Promise<void>;
	/** The same, and the callback is dropped. */
	readonly completeSilently: StoppedWorld['complete'];
	/** Lets time pass until the execution is to be woken, and wakes it. */
	readonly wakeInTime: (run: NodeRun) => Promise<NodeRun>;
	/** When a question was checked, each time. */
	readonly checks: () => number[];
	/** How many questions were sent. */
	readonly posted: () => number;
}

/** Has the tests of a file run on a clock that stands still, beside a service that answers when a test says so. */
export async function onStoppedClock(version?: N8nVersion): Promise<StoppedWorld> {
	const limits = { newSessionsPerMinute: Infinity, requestsPerMinute: Infinity };
	const sandbox = await startSandbox({ answerTime: [Infinity, Infinity], ...limits });
	let n8n: Instance;
	beforeEach(async () => {
		stopClock();
		await sandbox.reset();
		n8n = await Instance.start(version);
	});
	afterEach(async () => {
		await n8n.close();
		releaseClock();
	});
	afterAll(() => sandbox.close());
	const complete: StoppedWorld['complete'] = async (index, status = 'completed') => {
		await settle(sandbox.complete(sandbox.questions[index]?.id ?? '', { status, answer: `Answer ${index}` }));
		await rest();
	};
	return {
		sandbox,
		get n8n() {
			return n8n;
		},
		ask: async ({ options = {}, fields, ...more } = {}) =>
			await settle(runNode({ sandbox, n8n, items: questions(1), parameters: { ...asking, options, ...fields }, ...more })),
		complete,
		completeSilently: async (index, status) => {
			sandbox.callbackFaults.drop = true;
			await complete(index, status);
			sandbox.callbackFaults.drop = false;
		},
		wakeInTime: async (run) => {
			await pass((run.waitTill?.getTime() ?? 0) - Date.now());
			return await settle(run.wake());
		},
		checks: () => sandbox.requests.filter(({ route }) => route === CHECK).map(({ at }) => at),
		posted: () => sandbox.requests.filter(({ method }) => method === 'POST').length,
	};
}

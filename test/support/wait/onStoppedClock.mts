import type { INodeParameters } from 'n8n-workflow';

import { startSandbox, type Sandbox } from '../../sandbox/sandbox.mts';
import { Instance, runNode, type Execution, type NodeRunOptions } from '../engine/engine.mts';
import { freshNodes } from '../engine/freshNodes.mts';
import { deliver, type Posting } from '../engine/listening.mts';
import { asking, CHECK, questions } from './waits.mts';
import { pass, releaseClock, rest, settle, stopClock } from '../clock.mts';

export { pass, rest, settle } from '../clock.mts';
export * from '../engine/engine.mts';
export * from '../matchers.mts';
export { ASK, asking, CHECK, questions } from './waits.mts';

const SECOND = 1_000;

/** What the tests of a wait work with: a clock that stands still, and a service that answers when a test says so. */
export class StoppedWorld {
	sandbox: Sandbox;
	/** Each test's own. */
	n8n: Instance;

	constructor(sandbox: Sandbox, n8n: Instance) {
		this.sandbox = sandbox;
		this.n8n = n8n;
	}

	/** Asks what each item has in "words", one question unless told otherwise, until all is over or parked. */
	ask = async ({
		options = {},
		fields,
		...more
	}: Partial<NodeRunOptions> & {
		options?: INodeParameters;
		fields?: INodeParameters;
	} = {}): Promise<Execution> => {
		const { sandbox, n8n } = this;
		const parameters = { ...asking, options, ...fields };
		return await settle(runNode({ sandbox, n8n, items: questions(1), parameters, ...more }));
	};

	/** The service answers the question with this text; its callback resumes the execution, if one was asked for and none is dropped. */
	complete = async (text = 'Question 0', status: 'completed' | 'error' = 'completed') => {
		await settle(
			this.sandbox.complete(this.sandbox.asked(text).id, { status, answer: `Answer to ${text}` }),
		);
		await rest();
	};

	/** The same, and the callback is dropped. */
	completeSilently: StoppedWorld['complete'] = async (text, status) => {
		this.sandbox.callbackFaults.drop = true;
		await this.complete(text, status);
		this.sandbox.callbackFaults.drop = false;
	};

	/** Calls the address back that the service was given for this question, whoever does, with anything; gives the status. */
	ring = async (
		text = 'Question 0',
		body: object | string = {},
		posting: Posting = { signature: undefined },
	): Promise<number> => {
		const { callbackUrl = '' } = this.sandbox.asked(text);
		const [status] = await settle(deliver(this.sandbox, callbackUrl, body, posting));
		await rest();
		return status;
	};

	/** Lets time pass until the execution is to be woken, and wakes it. */
	wakeInTime = async (parked: Execution): Promise<Execution> => {
		await pass((parked.waitTill?.getTime() ?? 0) - Date.now());
		return await settle(parked.wake());
	};

	/** Wakes an execution as planned, until it is over. */
	toItsEnd = async (run: Execution) => {
		let last = run;
		while (last.status === 'waiting') last = await this.wakeInTime(last);
		return last;
	};

	/** Kills n8n, and starts it again: nothing that the process knew is known to the next one. */
	restart = async () => {
		this.n8n.kill();
		await rest();
		this.n8n.restart(await freshNodes());
	};

	/** The same, in the middle of a check that wakes an execution. */
	killInCheck = async (parked: Execution): Promise<Execution> => {
		const hanging = this.sandbox.faults.add({ kind: 'hang', match: CHECK });
		void parked.wake();
		await settle(this.sandbox.waitForRequest(({ route, ended }) => route === CHECK && !ended));
		await this.restart();
		hanging.remove();
		return await settle(parked.resumed());
	};

	/** Another execution holds the only slot from 10 s before a check is due; meanwhile n8n wakes this one each minute, three times. */
	whileBusy = async ({ waitTill }: Execution) => {
		const { slots } = this.n8n;
		this.n8n.track();
		slots.limit = 1;
		await pass((waitTill?.getTime() ?? 0) - Date.now() - 10 * SECOND);
		const giveBack = await slots.take();
		await pass(175 * SECOND);
		giveBack();
		await rest();
	};

	/** When a question was checked, each time. */
	checks = () => this.sandbox.requestsTo(CHECK).map(({ at }) => at);

	/** How many questions were sent. */
	posted = () => this.sandbox.requests.filter(({ method }) => method === 'POST').length;
}

/** Has the tests of a file run in such a world. */
export async function onStoppedClock() {
	const limits = { newSessionsPerMinute: Infinity, requestsPerMinute: Infinity };
	const sandbox = await startSandbox({ answerTime: [Infinity, Infinity], ...limits });
	const world = new StoppedWorld(sandbox, await Instance.start());
	beforeEach(async () => {
		stopClock();
		await sandbox.reset();
		await world.n8n.close();
		world.n8n = await Instance.start();
	});
	afterEach(releaseClock);
	afterAll(async () => {
		await world.n8n.close();
		await sandbox.close();
	});
	return world;
}

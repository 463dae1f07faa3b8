import type { INode, INodeParameters } from 'n8n-workflow';

import type { LoggedRequest } from '../../sandbox/requests.mts';
import { startSandbox, type Sandbox } from '../../sandbox/sandbox.mts';
import { pass, releaseClock, rest, settle, stopClock } from '../clock.mts';
import { type Execution, Instance, type NodeRunOptions, runNode } from '../engine/engine.mts';
import { freshNodes } from '../engine/freshNodes.mts';
import { deliver, type Posting } from '../engine/listening.mts';
import { ASK, asking, CHECK, questions } from './waits.mts';

export { pass, rest, settle } from '../clock.mts';
export * from '../engine/engine.mts';
export * from '../matchers.mts';
export { ASK, asking, CHECK, continuing, operations, questions } from './waits.mts';

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

	/** Time stands still from now on, and the service and n8n are as new. */
	renew = async () => {
		stopClock();
		await this.sandbox.reset();
		await this.n8n.close();
		this.n8n = await Instance.start();
	};

	/** Asks what each item has in "words", one question unless told otherwise, until all is over or parked. */
	ask = async ({
		options = {},
		fields,
		...more
	}: Partial<NodeRunOptions> & {
		options?: INodeParameters;
		fields?: INodeParameters;
	} = {}) => {
		const { sandbox, n8n } = this;
		const parameters = { ...asking, options, ...fields };
		return await settle(runNode({ sandbox, n8n, items: questions(1), parameters, ...more }));
	};

	/** A session that somebody else has opened, with a question that is open. */
	openSession = async () => {
		await this.ask({ fields: { operation: 'ask', question: 'Opening' } });
		return this.sandbox.asked('Opening').sessionId ?? '';
	};

	/** Asks "A" and "B" in one session, which takes one question at a time, and "Open" in none: "B" has to wait for its turn. */
	askInTurn = async (node: Partial<INode> = {}) => {
		const session = await this.openSession();
		await this.completeSilently('Opening');
		const items = ['A', 'B', 'Open'].map((words) => ({
			json: { words, session: words === 'Open' ? '' : session },
		}));
		const fields = { additionalFields: { sessionId: '={{ $json.session }}' } };
		return await this.ask({ items, fields, node });
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
	) => {
		const { callbackUrl = '' } = this.sandbox.asked(text);
		const [status] = await settle(deliver(this.sandbox, callbackUrl, body, posting));
		await rest();
		return status;
	};

	/** Lets time pass until the execution is to be woken, and wakes it. */
	wakeInTime = async (parked: Execution) => {
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
	killInCheck = async (parked: Execution) => {
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

	/** Tells checks of this question. */
	isCheckOf = (text: string) => {
		const { id } = this.sandbox.asked(text);
		return ({ route, path }: LoggedRequest) => route === CHECK && path.endsWith(id);
	};

	/** When a question was checked, each time. */
	checks = () => this.sandbox.requestsTo(CHECK).map(({ at }) => at);

	/** How many questions and tasks were sent. */
	posted = () =>
		this.sandbox.requestsTo(ASK).length + this.sandbox.requestsTo('POST /tasks').length;
}

/** The answers that came out, in their order. */
export const answersOf = ({ json }: Execution) => json.map(({ answer }) => answer);

/** The answers to these questions. */
export const answersTo = (...texts: string[]) => texts.map((text) => `Answer to ${text}`);

/** Has the tests of a file run in such a world. */
export async function onStoppedClock() {
	const limits = { newSessionsPerMinute: Infinity, requestsPerMinute: Infinity };
	const sandbox = await startSandbox({ answerTime: [Infinity, Infinity], ...limits });
	const world = new StoppedWorld(sandbox, await Instance.start());
	beforeEach(world.renew);
	afterEach(releaseClock);
	afterAll(async () => {
		await world.n8n.close();
		await sandbox.close();
	});
	return world;
}

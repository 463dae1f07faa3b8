import type { INode, INodeParameters } from 'n8n-workflow';

import type { LoggedRequest } from '../../sandbox/requests.mts';
import type { Sandbox } from '../../sandbox/sandbox.mts';
import type { StoppedClock } from '../clock.mts';
import type { Execution } from '../engine/execution.mts';
import { type NodeRunOptions, runNode } from '../engine/engine.mts';
import { freshNodes } from '../engine/freshNodes.mts';
import type { Instance } from '../engine/instance.mts';
import { deliver, type Posting } from '../engine/publishedTrigger.mts';
import { ASK, asking, CHECK, questions } from './asking.mts';

const SECOND = 1_000;

/** A service that answers when it is told to, and an n8n, on a clock that moves when it is told to. */
export interface Parts {
	service: Sandbox;
	n8n: Instance;
	clock: StoppedClock;
}

/** The acts of tests of a wait: they ask, have the service answer and call back, let time pass, and kill n8n. */
export class Wait implements Parts {
	service;
	n8n;
	clock;

	constructor({ service, n8n, clock }: Parts) {
		this.service = service;
		this.n8n = n8n;
		this.clock = clock;
	}

	/** Asks what each item has in "words", one question unless told otherwise, until all is over or parked. */
	ask = async ({
		options = {},
		fields,
		...more
	}: Partial<NodeRunOptions> & {
		options?: INodeParameters;
		fields?: INodeParameters;
	} = {}) => {
		const { service, n8n, clock } = this;
		const parameters = { ...asking, options, ...fields };
		return await clock.settle(runNode({ service, n8n, items: questions(1), parameters, ...more }));
	};

	/** A session that somebody else has opened, with a question that is open. */
	openSession = async () => {
		await this.ask({ fields: { operation: 'ask', question: 'Opening' } });
		return this.service.asked('Opening').sessionId ?? '';
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
		await this.clock.settle(
			this.service.complete(this.service.asked(text).id, { status, answer: `Answer to ${text}` }),
		);
		await this.clock.rest();
	};

	/** The same, and the callback is dropped. */
	completeSilently: Wait['complete'] = async (text, status) => {
		this.service.callbackFaults.drop = true;
		await this.complete(text, status);
		this.service.callbackFaults.drop = false;
	};

	/** Calls the address back that the service was given for this question, whoever does, with anything; gives the status. */
	ring = async (
		text = 'Question 0',
		body: object | string = {},
		posting: Posting = { signature: undefined },
	) => {
		const { callbackUrl = '' } = this.service.asked(text);
		const [status] = await this.clock.settle(deliver(this.service, callbackUrl, body, posting));
		await this.clock.rest();
		return status;
	};

	/** Lets time pass until the execution is to be woken, and wakes it. */
	wakeInTime = async (parked: Execution) => {
		await this.clock.pass((parked.waitTill?.getTime() ?? 0) - Date.now());
		return await this.clock.settle(parked.wake());
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
		await this.clock.rest();
		this.n8n.restart(await freshNodes());
	};

	/** The same, in the middle of a check that wakes an execution. */
	killInCheck = async (parked: Execution) => {
		const hanging = this.service.faults.add({ kind: 'hang', match: CHECK });
		void parked.wake();
		await this.clock.settle(
			this.service.waitForRequest(({ route, ended }) => route === CHECK && !ended),
		);
		await this.restart();
		hanging.remove();
		return await this.clock.settle(parked.resumed());
	};

	/** Another execution holds the only slot from 10 s before a check is due; meanwhile n8n wakes this one each minute, three times. */
	whileBusy = async ({ waitTill }: Execution) => {
		const { slots } = this.n8n;
		this.n8n.track();
		slots.limit = 1;
		await this.clock.pass((waitTill?.getTime() ?? 0) - Date.now() - 10 * SECOND);
		const giveBack = await slots.take();
		await this.clock.pass(175 * SECOND);
		giveBack();
		await this.clock.rest();
	};

	/** Tells checks of this question. */
	isCheckOf = (text: string) => {
		const { id } = this.service.asked(text);
		return ({ route, path }: LoggedRequest) => route === CHECK && path.endsWith(id);
	};

	/** When a question was checked, each time. */
	checks = () => this.service.requestsTo(CHECK).map(({ at }) => at);

	/** How many questions and tasks were sent. */
	posted = () =>
		this.service.requestsTo(ASK).length + this.service.requestsTo('POST /tasks').length;
}

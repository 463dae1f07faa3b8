import type { INodeExecutionData } from 'n8n-workflow';

import type { Fault, Question } from '../../sandbox/sandbox.mts';
import { freshNodes } from '../engine/freshNodes.mts';
import { callbackPayload, deliver } from '../engine/publishedTrigger.mts';
import { breakProcessedData } from '../engine/processedData.mts';
import { ask } from '../sandboxForTests.mts';
import { findContracts, itemWithContract } from './contracts.mts';
import { AFTER, legalAiNode, runWorkflow, storeBinary, workflowAround } from '../engine/engine.mts';
import type { Execution } from '../engine/execution.mts';
import type { Subject } from './subjects.mts';
import { type Parts, Wait } from './wait.mts';
import { ASK, asking, withSideBranch } from './asking.mts';

/** How long an answer is waited for. */
const MAX_WAIT_MS = 30 * 60_000;

/** The answer that the service gives to a question; nothing else may ever come out. */
export const writeAnswer = ({ id }: Question) => `The answer to ${id}`;

/** The question that opens the session which the items' questions share. */
const OPENING = 'Opening';

/** The name of an item: the words of its question, or of its file. */
export const nameItem = (index: number) => `Question ${index}`;

/**
 * The state that the model (model.mts) checks after each event (events.mts): one execution of the node under test with its retries, the
 * service, and what is allowed so far.
 */
export class World extends Wait {
	subject: Subject;
	/** How many items it has. */
	items: number;
	/** Every ending of the execution and of its retries, in order. */
	endings: Execution[] = [];
	/** Whether n8n was killed while it was asking. */
	isInterrupted = false;
	/** Whether the last run was a retry that could not read what was sent before. */
	isStoreBroken = false;
	/** The names of the events so far. */
	path: string[] = [];
	/** How many questions may be asked at most: one for each item, and one for each that a retry may ask anew. */
	allowed: number;
	#outage: Fault | undefined;
	#heard = new Set<string>();
	#waitsSince = 0;
	#session: string | undefined;

	constructor(parts: Parts, subject: Subject, items: number) {
		super(parts);
		this.subject = subject;
		this.items = items;
		this.allowed = items;
	}

	/** The question of each item, first to last: the one asked last, where a retry has asked anew. */
	get questions() {
		const latest = new Map(this.asked.map((question) => [this.findItem(question), question]));
		return [...latest.keys()].sort().flatMap((name) => latest.get(name) ?? []);
	}

	/** The name of the item that a question is about. */
	findItem(question: Question) {
		const names = Array.from({ length: this.items }, (_, index) => nameItem(index));
		return this.subject.hasSameWords === true
			? findContracts(question, names).join()
			: question.text.replace(/ at \d+$/, '');
	}

	/** All that the service has accepted of the items. */
	get asked() {
		return this.service.questions.filter(({ text }) => text !== OPENING);
	}

	/** Whether some are asked later, in a session or in portions: they may meet a service that is down. */
	get asksLate() {
		const { sharesSession = false, turnedAway = 0 } = this.subject;
		return sharesSession || turnedAway > 0;
	}

	/** Whether the question of each item was asked, by a run that is known of. */
	get isAllAsked() {
		const mayAskAgain = this.asksLate && this.posts < this.allowed;
		return this.questions.length === this.items && !mayAskAgain;
	}

	get open() {
		return this.questions.filter(({ status }) => status === 'in_progress');
	}

	/** The question that is called back next: the first that is answered and was not yet heard of, or the first again. */
	get called() {
		const callable = this.questions.filter(
			({ status, callbackUrl }) => status !== 'in_progress' && callbackUrl !== undefined,
		);
		return callable.find(({ id }) => !this.#heard.has(id)) ?? callable[0];
	}

	/** Whether the process that runs has heard a ring of each question since it was answered. */
	get hasHeardAll() {
		return (
			this.isAllAsked &&
			this.questions.every((question) => this.isReachedBy(question) && this.#heard.has(question.id))
		);
	}

	/** Whether the callback of a question reaches this very execution, and not one that it was retried from. */
	isReachedBy({ callbackUrl }: Question) {
		return callbackUrl?.includes(`/${this.last.id}/`) === true;
	}

	/** Until when (ms since the epoch) the answer to a question is waited for. */
	findDeadline = ({ askedAt }: Question) =>
		(this.subject.isAskedBefore ? this.#waitsSince : askedAt) + MAX_WAIT_MS;

	/** Until when (ms since the epoch) any answer is waited for. */
	get deadline() {
		return Math.max(...this.questions.map(this.findDeadline));
	}

	get posts() {
		return this.asked.length;
	}

	get down() {
		return this.#outage !== undefined;
	}

	/** How the execution stands. */
	get last() {
		const last = this.endings.at(-1);
		if (last === undefined) throw new Error('Nothing has been begun');
		return last;
	}

	/**
	 * Runs the node on one item for each question, up to its first ending.
	 *
	 * @param meanwhile happens as it runs, and sees to it that it ends
	 */
	async begin(meanwhile?: (run: Promise<Execution>) => Promise<unknown>) {
		const { subject, service, n8n } = this;
		const items = await this.clock.settle(this.#input());
		if (subject.turnedAway !== undefined) {
			const headers = { 'retry-after': '60' };
			service.faults.add({ status: 429, headers, match: ASK, skip: 1, times: subject.turnedAway });
		}
		this.#waitsSince = Date.now();
		const parameters = { ...asking, ...subject.parameters };
		const row = workflowAround(legalAiNode({ ...subject, parameters }), subject.settings);
		const workflow = subject.hasSideBranch === true ? withSideBranch(row) : row;
		const run = runWorkflow(workflow, { service, n8n, items, nodeTypes: await freshNodes() });
		await meanwhile?.(run);
		this.endings.push(await this.clock.settle(run));
	}

	async #input(): Promise<INodeExecutionData[]> {
		const { sharesSession, isAskedBefore, hasFiles, hasSameWords } = this.subject;
		const words = Array.from({ length: this.items }, (_, index) => nameItem(index));
		if (sharesSession === true) await this.#openSession();
		if (isAskedBefore !== true) {
			const binary = hasFiles === true ? { data: await storeBinary('%PDF-1.7') } : undefined;
			const items = words.map((text) => ({
				json: { words: text, session: this.#session },
				binary,
			}));
			return hasSameWords === true
				? await Promise.all(items.map(({ json }) => itemWithContract(json.words, json)))
				: items;
		}
		for (const question of words) await ask(this.service, question);
		return this.questions.map(({ id, status }) => ({
			json: { id, status, assistant_id: 'default' },
		}));
	}

	async #openSession() {
		await ask(this.service, OPENING);
		const opening = this.service.asked(OPENING);
		await this.answer(opening);
		this.#session = opening.sessionId;
	}

	/** Goes on with what has resumed the execution, until it is over or parked again. */
	async follow() {
		await this.clock.rest();
		const stored = () => this.n8n.database.get(this.last.id);
		while (stored().status === 'running' || stored().endingCount > this.last.endingCount + 1) {
			this.endings.push(await this.clock.settle(this.last.resumed()));
			await this.clock.rest();
		}
	}

	/**
	 * Retries the execution from the list. What has ended in status error may be asked anew.
	 *
	 * @param meanwhile happens as it runs, and sees to it that it ends
	 */
	async retry(meanwhile?: (run: Promise<Execution>) => Promise<unknown>) {
		this.allowed += this.questions.filter(({ status }) => status === 'error').length;
		if (this.endings.every(({ status }) => status !== 'waiting')) this.#waitsSince = Date.now();
		this.isStoreBroken = false;
		const retried = this.last.retry();
		await meanwhile?.(retried);
		this.endings.push(await this.clock.settle(retried));
	}

	/** The same, while n8n's store can't be read: what could not be looked up is not sent, but by what waits, later. */
	async retryWithoutStore() {
		const { allowed } = this;
		breakProcessedData(true);
		await this.retry();
		breakProcessedData(false);
		this.isStoreBroken = true;
		if (this.last.status !== 'waiting') this.allowed = allowed;
	}

	/** Ends the process; what ran has crashed, and another with nothing in its memory takes over. */
	async startAgain() {
		this.#heard.clear();
		await this.restart();
	}

	/** The service is done with a question. Its callback is dropped: the path says when one comes. */
	async answer(question: Question, status: 'completed' | 'error' = 'completed') {
		this.service.callbackFaults.drop = true;
		await this.service.complete(question.id, { status, answer: writeAnswer(question) });
	}

	/** The callback of a question as the service sends it. */
	async callBack({ id, sessionId, status, answer, callbackUrl = '' }: Question) {
		const payload = callbackPayload(id, { session_id: sessionId ?? null, status, answer });
		const [responded] = await deliver(this.service, callbackUrl, payload);
		if (responded === 200 && status !== 'in_progress') this.#heard.add(id);
		return responded;
	}

	/** Somebody else calls the address of the first question, with a lie. */
	async forge() {
		const posting = { signature: undefined };
		for (const { id, callbackUrl = '' } of this.questions.slice(0, 1))
			await deliver(this.service, callbackUrl, callbackPayload(id, { answer: 'A lie' }), posting);
	}

	/** The service stops, or goes on, answering. */
	setDown(down: boolean) {
		this.#outage?.remove();
		this.#outage = down
			? this.service.faults.add({ kind: 'reset', when: 'unread', times: Infinity })
			: undefined;
		return Promise.resolve();
	}

	/** How often the node behind ran; n8n's recovery may have invented one of its runs. */
	get cameAfter() {
		const runs = this.last.runData[AFTER] ?? [];
		return runs.filter(
			({ data }) => data?.main?.[0]?.[0]?.json.isArtificialRecoveredEventItem !== true,
		).length;
	}
}

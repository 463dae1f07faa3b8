import { randomUUID } from 'crypto';
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { ApiError, hasKind } from '../api/errors';
import { isFinal, readQuestion } from '../api/questions';
import type { ItemRun } from '../execution/itemRun';
import { itemScopeOf, rawValuesOf } from '../execution/itemScope';
import type { NodeRun } from '../execution/nodeRun';
import { isToolOfOldAgent } from '../execution/nodeSettings';
import type { AcceptedItem, WaitState } from '../execution/runState';
import { hints } from '../messages/hints';
import { fillText } from '../messages/template';
import { readParameters, type Parameters } from '../parameters/parameter';
import { answerCache } from './answerCache';
import { checkQuestions, pollQuestions } from './checkQuestion';
import { canContinue, clearRecoveryError, executionTimeoutAt, park } from './executionStack';
import { planWake, waitEndsAt } from './planWake';
import { hasSignedResumeAddress } from './resumeAddress';
import { noteResumption } from './resumptions';
import { dueItems, isAsked, openItems, unaskedItems, type AskedItem, type UnaskedItem, type WaitingItem, type WaitingItems } from './waitingItem';
import type { AnswerChannel, Input, WaitingOperationDefinition } from './waitingOperation';

const MINUTE_MS = 60_000;

/** How long the node checks for answers, or tries to ask, in the process before it parks: what is quick comes at once. */
const IN_PROCESS_MS = MINUTE_MS;

/** A question that was accepted less than this before needs no check before the node parks. */
const EARLIEST_ANSWER_MS = MINUTE_MS;

/** A run that is shorter than this hardly misses a callback. */
const SHORT_RUN_MS = 10_000;

/** One run of a waiting operation: the first, or one for which n8n has woken the node. */
export class Wait<P extends Parameters, Prepared, Options> {
	private readonly run: NodeRun;

	private readonly definition: WaitingOperationDefinition<P, Prepared, Options>;

	private readonly channel: AnswerChannel;

	private readonly canPark: boolean;

	private readonly beganAt = Date.now();

	private items: WaitingItems<Input<P, Prepared, Options>> = [];

	/** Until when quick answers are checked for in the process, in ms since the epoch. */
	private pollsUntil: number | undefined;

	constructor(run: NodeRun, definition: WaitingOperationDefinition<P, Prepared, Options>) {
		this.run = run;
		this.definition = definition;
		// Without a credential nothing can be asked or checked, but a callback may still come.
		const canPark = canBeParked(run.context);
		this.channel = run.credentialError === undefined ? definition.channel(run, canPark) : { kind: 'callback' };
		this.canPark = canPark && this.channel.kind !== 'sync';
	}

	/** The first run: reads all items before anything is sent. Knows what an earlier try has asked. */
	async begin(): Promise<INodeExecutionData[][]> {
		if (this.run.credentialError !== undefined) throw this.run.credentialError;
		this.items = await this.run.prepareItems(async (itemIndex) => await this.readItem(itemIndex));
		this.items = await checkQuestions(this.run, this.items, openItems(this.items));
		return await this.proceed();
	}

	/** A later run. Parameters are read only when they are needed, so a wake that finds nothing new costs little. */
	async wake(wait: WaitState): Promise<INodeExecutionData[][]> {
		const { run } = this;
		clearRecoveryError(run.context);
		noteResumption(wait);
		this.items = run.context.getInputData().map((_, itemIndex) => this.parkedItem(itemIndex, wait));
		if (run.credentialError !== undefined) {
			run.hint(fillText(hints.credentialUnusable, { reason: run.credentialError.message.replace(/\.$/, '') }));
			return await this.parkOrOutput();
		}
		// After a callback, all answers so far are known.
		if (!wait.isCalledBack) this.items = await checkQuestions(run, this.items, openItems(this.items));
		return await this.proceed();
	}

	/** Asks what has its turn, checks for quick answers, and then keeps waiting or outputs. */
	private async proceed(): Promise<INodeExecutionData[][]> {
		do {
			await this.askDue();
			await this.listen();
		} while (dueItems(this.items, Date.now()).size > 0);
		return await this.parkOrOutput();
	}

	private async parkOrOutput(): Promise<INodeExecutionData[][]> {
		const isOver = openItems(this.items).length + unaskedItems(this.items).length === 0;
		const isParked = this.canPark && !isOver && (await this.park());
		return isParked ? [[]] : await this.output();
	}

	/** What to ask for an item, or what was asked for it before. */
	private async readItem(itemIndex: number): Promise<WaitingItem<Input<P, Prepared, Options>>> {
		const { run, definition } = this;
		const accepted = run.state.accepted[itemIndex];
		if (accepted !== undefined) return this.acceptedItem(accepted, this.readOptions(itemIndex));
		const input = await this.readInput(itemIndex);
		return { input, session: definition.session?.(input.values), isPostponed: false };
	}

	private async readInput(itemIndex: number): Promise<Input<P, Prepared, Options>> {
		const { run, definition } = this;
		const options = this.readOptions(itemIndex);
		const values = readParameters(definition.parameters, rawValuesOf(run.context, itemIndex), itemScopeOf(run.context, itemIndex));
		return { values, options, prepared: (await definition.prepare?.(run, values, options)) as Prepared };
	}

	private readOptions(itemIndex: number): Options {
		const { context } = this.run;
		return this.definition.options.read(rawValuesOf(context, itemIndex), itemScopeOf(context, itemIndex));
	}

	private acceptedItem({ record, acceptedAt }: AcceptedItem, options: Options): AskedItem {
		const deadline = acceptedAt + this.definition.limits(options).maxWait * MINUTE_MS;
		return { question: readQuestion(record, String(record.assistant_id)), acceptedAt, deadline, isChecked: false };
	}

	private parkedItem(itemIndex: number, { deadlines, turns }: WaitState): WaitingItems<Input<P, Prepared, Options>>[number] {
		const { accepted: { [itemIndex]: accepted }, failed: { [itemIndex]: failed } } = this.run.state;
		if (failed !== undefined) return { failure: failed.json };
		if (accepted === undefined) return { value: { ...turns[itemIndex], isPostponed: false } };
		const { record, acceptedAt } = accepted;
		const question = readQuestion(record, String(record.assistant_id));
		return { value: { question, acceptedAt, deadline: deadlines[itemIndex] ?? acceptedAt, isChecked: false } };
	}

	private async askDue(): Promise<void> {
		const due = dueItems(this.items, Date.now());
		if (due.size === 0) return;
		this.items = await this.run.executeItems(this.items, async (item, waiting) =>
			isAsked(waiting) || !due.has(waiting) ? waiting : await this.ask(item, waiting),
		);
	}

	private async ask(item: ItemRun, waiting: UnaskedItem<Input<P, Prepared, Options>>): Promise<WaitingItem<Input<P, Prepared, Options>>> {
		const { definition, canPark } = this;
		const { accepted } = this.run.state;
		const input = waiting.input ?? (await this.readInput(item.itemIndex));
		const isFirstTry = waiting.giveUpAt === undefined;
		const giveUpAt = waiting.giveUpAt ?? Date.now() + definition.limits(input.options).giveUpAfter * MINUTE_MS;
		const busyUntil = canPark ? Date.now() + (isFirstTry ? IN_PROCESS_MS : 0) : giveUpAt;
		const budget = { deadline: giveUpAt, busyUntil };
		const question = await definition.begin(item, input, this.channel, budget).catch((error: unknown) => {
			if (hasKind(error, 'sessionBusy') && canPark && Date.now() < giveUpAt) return undefined;
			throw error;
		});
		if (question === undefined) return { ...waiting, giveUpAt, isPostponed: true };
		const known = (accepted[item.itemIndex] ??= { record: question, acceptedAt: Date.now(), isOwn: false });
		return { ...this.acceptedItem(known, input.options), isChecked: !known.isOwn };
	}

	/** Waits a little for quick answers that only checks bring; for all answers, if the node can't park. */
	private async listen(): Promise<void> {
		const { run, beganAt, canPark, channel } = this;
		const now = Date.now();
		const open = openItems(this.items).filter(({ deadline }) => deadline > now);
		if (open.length === 0) return;
		const isEnough = (items: WaitingItems): boolean => dueItems(items, Date.now()).size > 0;
		if (!canPark) {
			run.hint(isToolOfOldAgent(run.context) ? hints.polledAsTool : hints.polledHere);
			this.items = await pollQuestions(run, this.items, { polled: open, until: Infinity, isEnough });
		} else if (channel.kind === 'checks') {
			this.pollsUntil ??= now + IN_PROCESS_MS;
			const fresh = open.filter(({ acceptedAt }) => acceptedAt >= beganAt);
			if (fresh.length > 0) this.items = await pollQuestions(run, this.items, { polled: fresh, until: this.pollsUntil, isEnough });
		} else if (now - beganAt >= SHORT_RUN_MS) {
			// While the node runs, n8n rejects callbacks.
			this.items = await checkQuestions(run, this.items, open.filter(({ acceptedAt }) => acceptedAt <= now - EARLIEST_ANSWER_MS));
		}
	}

	/** Parks until the next check; false if there is nothing left to wait for. */
	private async park(): Promise<boolean> {
		const { run, items, beganAt } = this;
		const wait = planWake(items, {
			id: randomUUID(),
			previous: run.state.wait,
			runBeganAt: beganAt,
			now: Date.now(),
			timeoutAt: executionTimeoutAt(run.context),
			jitter: Math.random(),
		});
		if (wait === undefined) return false;
		if (wait.isPastLastWake && (this.channel.kind !== 'callback' || openItems(items).length === 0)) {
			run.hint(hints.executionTimeoutNear);
			return false;
		}
		for (const [itemIndex, item] of items.entries()) {
			if ('failure' in item) run.state.failed[itemIndex] ??= { json: item.failure, maybeAccepted: false };
		}
		this.showProgress();
		run.highlight();
		await park(run.context, { ...run.state, wait }, wait.nextCheckAt);
		return true;
	}

	/** Says what the node waits for. The editor shows it while the execution is parked; n8n drops it when it resumes. */
	private showProgress(): void {
		const { run, items } = this;
		const timeZone = run.context.getTimezone();
		const ends = new Date(waitEndsAt(items));
		const time = ends.toLocaleString('en-US', { timeZone, month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit', timeZoneName: 'short' });
		const asked = items.filter((item) => 'value' in item).length;
		const unasked = unaskedItems(items).length;
		const open = openItems(items);
		const answered = asked - open.length - unasked;
		const [only] = open;
		if (only !== undefined && asked === 1) run.hint(fillText(hints.waitingForOne, { time, id: only.question.id }));
		else run.hint(fillText(unasked > 0 ? hints.waitingInTurn : hints.waitingForSeveral, { asked, answered, time }));
	}

	private async output(): Promise<INodeExecutionData[][]> {
		const { run, definition } = this;
		const { wait } = run.state;
		const unchecked = openItems(this.items).filter(({ isChecked }) => !isChecked);
		if (this.channel.kind !== 'sync' && run.credentialError === undefined) this.items = await checkQuestions(run, this.items, unchecked);
		if (wait?.hasBadSignatures) run.hint(hints.badSignatures);
		if (wait?.isPastLastWake) run.hint(hints.executionTimeoutNear);

		const output = await run.executeItems(this.items, async (item, waiting) => {
			if (!isAsked(waiting)) throw new ApiError('sessionBusy');
			const { question } = waiting;
			const options = this.readOptions(item.itemIndex);
			return [await definition.finish(item, isFinal(question) ? question : { ...question, timed_out: true }, options)];
		});
		answerCache.delete(run.context.getExecutionId());
		return run.output(output);
	}
}

/**
 * Whether n8n can run this node again after it has parked. Versions that sign the address for resuming let only one of
 * several that resume an execution at once win; with any other, an execution might continue twice.
 */
function canBeParked(context: IExecuteFunctions): boolean {
	return !isToolOfOldAgent(context) && canContinue(context) && hasSignedResumeAddress(context);
}

import { randomUUID } from 'crypto';
import type { INodeExecutionData } from 'n8n-workflow';

import { ApiError, hasKind } from '../api/errors';
import { isFinal } from '../api/questions';
import type { ItemRun } from '../execution/itemRun';
import { readItem } from '../execution/itemScope';
import type { NodeRun } from '../execution/nodeRun';
import { isRunByOtherNode, type AcceptedItem, type WaitState } from '../execution/runState';
import { hints } from '../messages/hints';
import { fillText } from '../messages/template';
import { group, type Parameters } from '../parameters/parameter';
import { answerCache } from './answerCache';
import { checkQuestions, keepChecking } from './checkQuestion';
import { canBeParked, executionTimeoutAt, noteWoken, park } from './executionStack';
import { planWake, waitEndsAt } from './planWake';
import {
	askedItem,
	dueItems,
	isAsked,
	openItems,
	parkedItems,
	unaskedItems,
	type AskedItem,
	type UnaskedItem,
	type WaitingItem,
	type WaitingItems,
} from './waitingItem';
import type { AnswerChannel, Input, WaitingOperationDefinition } from './waitingOperation';

const MINUTE_MS = 60_000;

/** How long the node checks for answers, or tries to ask, in the process before it parks: what is quick comes at once. */
const IN_PROCESS_MS = MINUTE_MS;

/** A question that was accepted less than this before needs no check before the node parks. */
const EARLIEST_ANSWER_MS = MINUTE_MS;

/** A run that is shorter than this rarely misses a callback. */
const SHORT_RUN_MS = 10_000;

/** One run of a waiting operation: the first, or one for which n8n has woken the node. */
export class Wait<P extends Parameters, Prepared, Options> {
	private readonly run: NodeRun;
	private readonly definition: WaitingOperationDefinition<P, Prepared, Options>;
	private readonly channel: AnswerChannel;
	private readonly canPark: boolean;
	private readonly beganAt = Date.now();
	private items: WaitingItems = [];

	/** What to ask, by item index; read once it is needed. */
	private readonly inputs: Array<Input<P, Prepared, Options> | undefined> = [];

	/** Until when quick answers are checked for in the process, in ms since the epoch. */
	private checksUntil: number | undefined;

	constructor(run: NodeRun, definition: WaitingOperationDefinition<P, Prepared, Options>) {
		this.run = run;
		this.definition = definition;
		// Without a credential nothing can be asked or checked, but a callback may still come.
		const canPark = canBeParked(run.context);
		this.channel = run.credentialError === undefined ? definition.channel(run, canPark) : { kind: 'callback' };
		this.canPark = canPark && this.channel.kind !== 'sync';
	}

	/** The whole run. A node that has parked outputs nothing yet. */
	async execute(): Promise<INodeExecutionData[][]> {
		const { wait } = this.run.state;
		if (wait === undefined) await this.load();
		else this.loadParked(wait);

		if (this.run.credentialError === undefined) {
			// After a callback, all answers so far are known.
			if (!wait?.isCalledBack) await this.check(openItems(this.items));
			do {
				await this.askDue();
				await this.listen();
			} while (dueItems(this.items, Date.now()).size > 0);
		}
		return (await this.park()) ? [[]] : await this.output();
	}

	/** In the first run: reads all items before anything is sent. Knows what an earlier try has asked. */
	private async load(): Promise<void> {
		const { run, definition } = this;
		if (run.credentialError !== undefined) throw run.credentialError;
		this.items = await run.prepareItems(async (itemIndex) => {
			const accepted = run.state.accepted[itemIndex];
			if (accepted !== undefined) return this.toAskedItem(accepted, this.readOptions(itemIndex));
			const { values } = await this.inputOf(itemIndex);
			return { session: definition.session?.(values), isPostponed: false };
		});
	}

	/** In a later run: reads parameters only when they are needed, so a wake that finds nothing new costs little. */
	private loadParked(wait: WaitState): void {
		const { run } = this;
		noteWoken(run.context, wait);
		this.items = parkedItems(run.context.getInputData().length, run.state, wait);
		const reason = run.credentialError?.message.replace(/\.$/, '');
		if (reason !== undefined) run.hint(fillText(hints.credentialUnusable, { reason }));
	}

	private async check(items: WaitingItem[]): Promise<void> {
		this.items = await checkQuestions(this.run, this.items, items);
	}

	private async askDue(): Promise<void> {
		const due = dueItems(this.items, Date.now());
		this.items = await this.run.executeItems(this.items, async (item, waiting) =>
			isAsked(waiting) || !due.has(waiting) ? waiting : await this.ask(item, waiting),
		);
	}

	/** If the session is busy, the node tries for a while in the process, and then once each time that it wakes. */
	private async ask(item: ItemRun, waiting: UnaskedItem): Promise<WaitingItem> {
		const { definition, canPark, channel } = this;
		const { accepted } = this.run.state;
		const input = await this.inputOf(item.itemIndex);
		const isFirstTry = waiting.giveUpAt === undefined;
		const giveUpAt = waiting.giveUpAt ?? this.beganAt + definition.limits(input.options).giveUpAfter * MINUTE_MS;
		const busyUntil = canPark ? Math.min(giveUpAt, Date.now() + (isFirstTry ? IN_PROCESS_MS : 0)) : giveUpAt;
		const question = await definition.begin(item, input, channel, { deadline: giveUpAt, busyUntil }).catch((error: unknown) => {
			if (hasKind(error, 'sessionBusy') && canPark && Date.now() < giveUpAt) return undefined;
			throw error;
		});
		if (question === undefined) return { ...waiting, giveUpAt, isPostponed: true };
		const known = (accepted[item.itemIndex] ??= { record: question, acceptedAt: Date.now(), isOwn: false });
		return { ...this.toAskedItem(known, input.options), isChecked: !known.isOwn };
	}

	/** Waits a little for quick answers that only checks bring; for all answers, if the node can't park. */
	private async listen(): Promise<void> {
		const { run, beganAt, canPark, channel } = this;
		const now = Date.now();
		const open = openItems(this.items).filter(({ deadline }) => deadline > now);
		if (open.length === 0) return;
		if (!canPark) {
			run.hint(isRunByOtherNode(run.context) ? hints.checkedAsTool : hints.checkedHere);
			this.items = await keepChecking(run, this.items, open, Infinity);
		} else if (channel.kind === 'checks') {
			this.checksUntil ??= now + IN_PROCESS_MS;
			const fresh = open.filter(({ acceptedAt }) => acceptedAt >= beganAt);
			this.items = await keepChecking(run, this.items, fresh, this.checksUntil);
		} else if (now - beganAt >= SHORT_RUN_MS) {
			// While the node runs, n8n rejects callbacks.
			await this.check(open.filter(({ acceptedAt }) => acceptedAt <= now - EARLIEST_ANSWER_MS));
		}
	}

	/** Parks until the next check; false if there is nothing left to wait for. */
	private async park(): Promise<boolean> {
		const { run, items, beganAt, channel } = this;
		if (!this.canPark) return false;
		const wait = planWake(items, {
			id: randomUUID(),
			previous: run.state.wait,
			runBeganAt: beganAt,
			now: Date.now(),
			timeoutAt: executionTimeoutAt(run.context),
			jitter: Math.random(),
		});
		if (wait === undefined) return false;
		if (wait.isPastLastWake && (channel.kind !== 'callback' || openItems(items).length === 0)) {
			run.hint(hints.executionTimeoutNear);
			return false;
		}
		run.hint(progressHint(items, run.context.getTimezone()));
		run.highlight();
		await park(run.context, { ...run.state, wait }, wait.nextCheckAt);
		return true;
	}

	private async output(): Promise<INodeExecutionData[][]> {
		const { run, definition, channel } = this;
		const { wait } = run.state;
		const unchecked = openItems(this.items).filter(({ isChecked }) => !isChecked);
		if (channel.kind !== 'sync' && run.credentialError === undefined) await this.check(unchecked);
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

	private toAskedItem(accepted: AcceptedItem, options: Options): AskedItem {
		return askedItem(accepted, accepted.acceptedAt + this.definition.limits(options).maxWait * MINUTE_MS);
	}

	private async inputOf(itemIndex: number): Promise<Input<P, Prepared, Options>> {
		const { run, definition } = this;
		const known = this.inputs[itemIndex];
		if (known !== undefined) return known;
		const options = this.readOptions(itemIndex);
		const values = readItem(run.context, itemIndex, group(definition.parameters));
		return (this.inputs[itemIndex] = { values, options, prepared: (await definition.prepare?.(run, values, options)) as Prepared });
	}

	private readOptions(itemIndex: number): Options {
		return readItem(this.run.context, itemIndex, this.definition.options);
	}
}

/** Says what the node waits for. The editor shows it while the execution is parked; n8n drops it when it resumes. */
function progressHint(items: WaitingItems, timeZone: string): string {
	const ends = new Date(waitEndsAt(items));
	const date = { month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit', timeZoneName: 'short' } as const;
	const time = ends.toLocaleString('en-US', { timeZone, ...date });
	const [open, unasked] = [openItems(items), unaskedItems(items)];
	const asked = items.filter((item) => 'value' in item).length;
	const [only] = open;
	if (only !== undefined && asked === 1) return fillText(hints.waitingForOne, { time, id: only.question.id });
	const answered = asked - open.length - unasked.length;
	return fillText(unasked.length > 0 ? hints.waitingInTurn : hints.waitingForSeveral, { asked, answered, time });
}

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
import { checkOnce, checkOften } from './checkQuestion';
import { executionTimeoutAt, noteWoken, park, type ParkingPlace } from './executionStack';
import { mayHaveMissedCallbacks, planWake, waitEndsAt } from './planWake';
import { askedItem, awaitedItems, dueItems, isAsked, openItems, parkedItems, unaskedItems } from './waitingItem';
import type { AskedItem, UnaskedItem, WaitingItem, WaitingItems } from './waitingItem';
import type { AnswerChannel, Input, WaitingOperationDefinition } from './waitingOperation';

const MINUTE_MS = 60_000;

/** How long the node checks for answers, or tries to ask, in the process before it parks: what is quick comes at once. */
const IN_PROCESS_MS = MINUTE_MS;

/** A question that was accepted less than this before needs no check before the node parks. */
const EARLIEST_ANSWER_MS = MINUTE_MS;

/** By what was wrong with the signature of callbacks, if it is not that it does not match. */
const REJECTED_HINTS: Partial<Record<string, string>> = { missing: hints.unsignedCallbacks, stale: hints.staleCallbacks };

/** One run of a waiting operation: the first, or one for which n8n has woken the node. */
export class Wait<P extends Parameters, Prepared, Options> {
	private readonly run: NodeRun;
	private readonly definition: WaitingOperationDefinition<P, Prepared, Options>;
	private readonly channel: AnswerChannel;

	/** Undefined if the node can't park: it then waits in the process. */
	private readonly place: ParkingPlace | undefined;
	private readonly beganAt = Date.now();
	private items: WaitingItems = [];

	/** What to ask, by item index; read once it is needed. */
	private readonly inputs: Array<Input<P, Prepared, Options> | undefined> = [];

	/** Until when quick answers are checked for in the process, in ms since the epoch. */
	private parksAt: number | undefined;

	constructor(
		run: NodeRun,
		definition: WaitingOperationDefinition<P, Prepared, Options>,
		channel: AnswerChannel,
		place: ParkingPlace | undefined,
	) {
		this.run = run;
		this.definition = definition;
		this.channel = channel;
		this.place = place;
	}

	/** The whole run. A node that has parked outputs nothing yet. */
	async execute(): Promise<INodeExecutionData[][]> {
		const { wokenFrom, credentialError } = this.run;
		if (wokenFrom === undefined) await this.readItems();
		else this.restoreItems(wokenFrom);

		if (credentialError === undefined) {
			// After a callback, all answers so far are known.
			if (!wokenFrom?.isCalledBack) this.items = await checkOnce(this.run, this.items, openItems(this.items));
			do {
				await this.askDue();
				await this.checkBeforeParking();
			} while (dueItems(this.items, Date.now()).size > 0);
		}
		return (await this.parkIfWaiting()) ? [[]] : await this.output();
	}

	/** In the first run: reads all items before anything is sent. Knows what an earlier try has asked. */
	private async readItems(): Promise<void> {
		const { run, definition } = this;
		const { accepted } = run.state;
		if (run.credentialError !== undefined) throw run.credentialError;
		this.items = await run.prepareItems(async (itemIndex) => {
			// Someone who retries an execution wants another answer for a question that has ended in an error.
			const isFailed = run.isRetry && accepted[itemIndex]?.record.status === 'error';
			if (isFailed) Reflect.deleteProperty(accepted, itemIndex);
			const known = accepted[itemIndex];
			if (known !== undefined) return this.toAskedItem(known, this.readOptions(itemIndex));
			const { values } = await this.inputOf(itemIndex);
			return { session: definition.session?.(values), isPostponed: false };
		});
	}

	/** In a later run: reads parameters only when they are needed, so a wake that finds nothing new costs little. */
	private restoreItems(wait: WaitState): void {
		const { run } = this;
		noteWoken(run.context, wait);
		this.items = parkedItems(run.state, wait);
		const reason = run.credentialError?.message.replace(/\.$/, '');
		if (reason !== undefined) run.hint(fillText(hints.credentialUnusable, { reason }));
	}

	private async askDue(): Promise<void> {
		const due = dueItems(this.items, Date.now());
		this.items = await this.run.executeItems(this.items, async (item, waiting) =>
			isAsked(waiting) || !due.has(waiting) ? waiting : await this.ask(item, waiting),
		);
	}

	/** If the session is busy, the node tries for a while in the process, and then once each time that it wakes. */
	private async ask(item: ItemRun, waiting: UnaskedItem): Promise<WaitingItem> {
		const { definition, place, channel } = this;
		const { accepted } = this.run.state;
		const input = await this.inputOf(item.itemIndex);
		const isFirstTry = waiting.askUntil === undefined;
		const askUntil = waiting.askUntil ?? this.beganAt + definition.limits(input.options).giveUpAfter * MINUTE_MS;
		const busyUntil = place === undefined ? askUntil : Math.min(askUntil, Date.now() + (isFirstTry ? IN_PROCESS_MS : 0));
		const question = await definition.begin(item, input, channel, { askUntil, busyUntil }).catch((error: unknown) => {
			if (hasKind(error, 'sessionBusy') && place !== undefined && Date.now() < askUntil) return undefined;
			throw error;
		});
		if (question === undefined) return { ...waiting, askUntil, isPostponed: true };
		const known = (accepted[item.itemIndex] ??= { record: question, acceptedAt: Date.now(), isOwn: false });
		return { ...this.toAskedItem(known, input.options), isChecked: !known.isOwn };
	}

	/** Waits a little for quick answers that only checks bring; for all answers, if the node can't park. */
	private async checkBeforeParking(): Promise<void> {
		const { run, beganAt, place, channel } = this;
		const now = Date.now();
		const awaited = awaitedItems(this.items, now);
		if (awaited.length === 0) return;
		if (place === undefined) {
			run.hint(isRunByOtherNode(run.context) ? hints.checkedAsTool : hints.checkedHere);
			this.items = await checkOften(run, this.items, awaited, Infinity);
		} else if (channel.kind === 'polling') {
			this.parksAt ??= now + IN_PROCESS_MS;
			const fresh = awaited.filter(({ accepted }) => accepted.acceptedAt >= beganAt);
			this.items = await checkOften(run, this.items, fresh, this.parksAt);
		} else if (mayHaveMissedCallbacks({ runBeganAt: beganAt, now })) {
			const old = awaited.filter(({ accepted }) => accepted.acceptedAt <= now - EARLIEST_ANSWER_MS);
			this.items = await checkOnce(run, this.items, old);
		}
	}

	/** Parks until the next check; false if there is nothing left to wait for. */
	private async parkIfWaiting(): Promise<boolean> {
		const { run, items, place, channel } = this;
		if (place === undefined) return false;
		const wait = planWake(items, {
			id: randomUUID(),
			previous: run.wokenFrom,
			isCalledBack: channel.kind === 'callback',
			runBeganAt: this.beganAt,
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
		await park(place, run.state, wait);
		return true;
	}

	private async output(): Promise<INodeExecutionData[][]> {
		const { run, definition, channel } = this;
		const { wokenFrom } = run;
		if (channel.kind !== 'sync' && run.credentialError === undefined) {
			const unchecked = openItems(this.items).filter(({ isChecked }) => !isChecked);
			this.items = await checkOnce(run, this.items, unchecked);
		}
		if (wokenFrom?.rejected !== undefined) run.hint(REJECTED_HINTS[wokenFrom.rejected] ?? hints.badSignatures);
		if (wokenFrom?.isPastLastWake) run.hint(hints.executionTimeoutNear);

		const output = await run.executeItems(this.items, async (item, waiting) => {
			if (!isAsked(waiting)) throw new ApiError('sessionBusy');
			const { record } = waiting.accepted;
			const options = this.readOptions(item.itemIndex);
			return [await definition.finish(item, isFinal(record) ? record : { ...record, timed_out: true }, options)];
		});
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
		return (this.inputs[itemIndex] = { values, options, prepared: await definition.prepare(run, values, options) });
	}

	private readOptions(itemIndex: number): Options {
		return readItem(this.run.context, itemIndex, this.definition.options);
	}
}

/** Says what the node waits for. The editor shows it while the execution is parked; n8n drops it when it resumes. */
function progressHint(items: WaitingItems, timeZone: string): string {
	const time = inMinutes(waitEndsAt(items), timeZone);
	const open = openItems(items);
	const unasked = unaskedItems(items);
	const asked = items.filter((item) => 'value' in item).length;
	const [only] = open;
	if (only !== undefined && asked === 1) return fillText(hints.waitingForOne, { time, id: only.accepted.record.id });
	const answered = asked - open.length - unasked.length;
	return fillText(unasked.length > 0 ? hints.waitingInTurn : hints.waitingForSeveral, { asked, answered, time });
}

/** E.g. "in 25 minutes (3:40 PM EST)": the browser that shows it, and n8n's lists, may be on another clock than the workflow. */
function inMinutes(time: number, timeZone: string): string {
	const minutes = Math.round((time - Date.now()) / MINUTE_MS);
	const day = minutes < 12 * 60 ? {} : ({ month: 'short', day: 'numeric' } as const);
	const options = { ...day, hour: 'numeric', minute: '2-digit', timeZoneName: 'short', timeZone } as const;
	const [count, unit] = minutes < 120 ? [minutes, 'minute'] : [Math.round(minutes / 60), 'hour'];
	return `in ${count} ${unit}${count === 1 ? '' : 's'} (${new Date(time).toLocaleString('en-US', options)})`;
}

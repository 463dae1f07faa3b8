import type { INodeExecutionData } from 'n8n-workflow';

import {
	abortableSleep,
	type AcceptedRecord,
	ApiError,
	DEFAULT_RETRY_MS,
	hasKind,
	type SendingTurn,
} from '../api';
import {
	executionTimeoutAt,
	findParkingPlace,
	noteRunning,
	park,
	type ParkingPlace,
} from '../execution/executionStack';
import type { ItemRun } from '../execution/itemRun';
import { acceptedOf, isOpen, type Accepted, type InTurn, type Plan } from '../execution/ledger';
import { isRunByOtherNode, longestRunMs } from '../execution/ledgerStorage';
import type { NodeRun } from '../execution/nodeRun';
import { operationOf, type Operation } from '../execution/operation';
import { fillText, hints } from '../messages';
import { group, type Parameters, readItem, timezoneOf, YEAR } from '../parameters';
import { latestOf } from './latest';
import {
	EARLY_WAKE_MS,
	IN_PROCESS_MS,
	MINUTE_MS,
	next,
	SHORTEST_WAIT_MS,
	type Situation,
} from './next';
import { progressHint } from './progressHint';
import type { AnswerChannel, Input, SendingDefinition } from './sendingDefinition';

/** How long a run waits for turns within the service's limits. What has none by then is sent after the execution was parked. */
const PORTION_MS = 10_000;

/** n8n wakes such a wait after 50 to 60 s, about what it takes until the limits let the most through again. */
const BETWEEN_PORTIONS_MS = 50_000;

/** By what was wrong with the signature of callbacks, if it is not that it does not match. */
const REJECTED_HINTS: Partial<Record<string, string>> = {
	missing: hints.unsignedCallbacks,
	stale: hints.staleCallbacks,
};

/** One run of an operation that sends something once: the first, or one for which n8n has woken the node. */
class SendingRun<P extends Parameters, Prepared, Options, Kept extends AcceptedRecord> {
	private readonly run: NodeRun;
	private readonly definition: SendingDefinition<P, Prepared, Options, Kept>;
	private readonly channel: AnswerChannel;

	/** Undefined if the node can't park: it then waits in the process. */
	private readonly place: ParkingPlace | undefined;

	/** What to send, by item index; read once it is needed. */
	private readonly inputs: Array<Input<P, Prepared, Options> | undefined> = [];
	private readonly options: Options[] = [];

	constructor(run: NodeRun, definition: SendingDefinition<P, Prepared, Options, Kept>) {
		this.run = run;
		this.definition = definition;
		const { wait } = definition;
		// n8n goes on after the first item of a sub-workflow that is run once for each item and has parked.
		const isHeld = wait === undefined && run.context.getMode() === 'integrated';
		const place = isHeld ? undefined : findParkingPlace(run.context);
		// Without a credential nothing can be asked or checked, but a callback may still come.
		if (run.credentialError !== undefined) this.channel = { kind: 'callback' };
		else this.channel = wait?.chooseChannel(run, place !== undefined) ?? { kind: 'polling' };
		this.place = this.channel.kind === 'sync' ? undefined : place;
	}

	/** The whole run. A node that has parked outputs nothing yet. */
	async execute(): Promise<INodeExecutionData[][]> {
		const { run, definition } = this;
		const { ledger } = run;
		noteRunning(run.context, ledger.plan);
		try {
			if (ledger.plan === undefined) await this.readItems();
			else this.wake();
			for (;;) {
				const step = next(ledger, this.situation());
				if (step.act === 'send') await this.send(step.items);
				else if (step.act === 'check') await this.check(step.items, step.at);
				else if (step.act === 'park') return await this.park(step.plan);
				else return await this.output(step.isCutShort);
			}
		} finally {
			if (definition.wait !== undefined) ledger.release(definition.thing.unanswered);
		}
	}

	private situation(): Situation {
		const { id, context, beganAt } = this.run;
		return {
			runId: id,
			answersBy: this.channel.kind,
			canPark: this.place !== undefined,
			isSubExecution: context.getMode() === 'integrated',
			runBeganAt: beganAt,
			now: Date.now(),
			timeoutAt: executionTimeoutAt(context),
			jitter: Math.random(),
		};
	}

	/** In the first run: reads and checks every item before anything is sent for any. */
	private async readItems(): Promise<void> {
		const { run, definition } = this;
		const { ledger } = run;
		await run.prepareItems(async (itemIndex) => {
			const entry = ledger.entryOf(itemIndex);
			if (entry.state === 'uncertain') return;
			if (entry.state === 'accepted') {
				const isSentAgain =
					definition.thing.isSentAgain(entry.record) ||
					definition.wait?.until?.isBegunAgain(this.keptOf(entry), isOpen(entry));
				if (!ledger.isRetry || !isSentAgain) return this.awaitAnswer(itemIndex);
				ledger.reopen(itemIndex);
			}
			const { values, options } = await this.inputOf(itemIndex);
			const askUntil = run.beganAt + (definition.giveUpAfter?.(options) ?? YEAR) * MINUTE_MS;
			ledger.queue(itemIndex, { askUntil, session: definition.session?.(values) });
		});
		await this.doubtSent();
	}

	/** In a retry: finds out what was sent before, of all items before any is sent. */
	private async doubtSent(): Promise<void> {
		const { run, definition } = this;
		const { ledger, sent } = run;
		const { content } = definition;
		const queued = run.items.filter((item) => ledger.entryOf(item).state === 'inTurn');
		if (!sent?.isRetry || content === undefined || queued.length === 0) return;
		const contents = await Promise.all(
			queued.map(async (item) => content(await this.inputOf(item))),
		);
		const lookedUp = sent.lookUp(contents);
		await run.forItems(queued, async ({ itemIndex }) => {
			const reason = (await lookedUp)[queued.indexOf(itemIndex)];
			if (reason !== undefined) ledger.doubt(itemIndex, new ApiError(reason));
		});
	}

	/** In a later run: reads parameters only when they are needed, so a wake that finds nothing new costs little. */
	private wake(): void {
		const { run } = this;
		run.ledger.recallAll();
		const reason = run.credentialError?.message;
		if (reason !== undefined) run.hint(fillText(hints.credentialUnusable, { reason }));
	}

	/** Sends what has its turn. What the limits hold up, and what is for a busy session, is queued again. */
	private async send(items: number[]): Promise<void> {
		const { run } = this;
		await run.forItems(items, async (item) => {
			const entry = run.ledger.entryOf(item.itemIndex);
			if (entry.state !== 'inTurn') return;
			const record = await this.begin(item, entry).catch((error: unknown) => {
				const later = this.turnAfter(error, entry);
				if (later === undefined) throw error;
				run.ledger.queue(item.itemIndex, later);
				return undefined;
			});
			if (record === undefined) return;
			if (run.ledger.entryOf(item.itemIndex).state !== 'accepted') item.found(record);
			this.awaitAnswer(item.itemIndex);
		});
	}

	/** Whether what can't be sent now can be sent after the execution was parked. */
	private canPostpone({ askUntil }: InTurn): boolean {
		return this.place !== undefined && askUntil > Date.now() + EARLY_WAKE_MS;
	}

	/** Until when each thing is waited for as the item is sent. */
	private turnOf(entry: InTurn): SendingTurn {
		const { askUntil, turnAt } = entry;
		const { beganAt } = this.run;
		const isFirstTry = turnAt === 0;
		const portionEndsAt = beganAt + PORTION_MS;
		const canPostpone = this.canPostpone(entry);
		const busyUntil = isFirstTry ? beganAt + IN_PROCESS_MS : Date.now();
		return {
			deadline: this.definition.giveUpAfter === undefined && isFirstTry ? undefined : askUntil,
			turnBy: canPostpone && askUntil > portionEndsAt + EARLY_WAKE_MS ? portionEndsAt : undefined,
			busyUntil: canPostpone ? Math.min(askUntil, busyUntil) : askUntil,
		};
	}

	/** When an item is tried again whose sending has ended with this error; undefined if it has failed. */
	private turnAfter(error: unknown, entry: InTurn): Omit<InTurn, 'state'> | undefined {
		if (!this.canPostpone(entry)) return undefined;
		const { askUntil, session } = entry;
		const now = Date.now();
		if (hasKind(error, 'sessionBusy')) return { askUntil, session, turnAt: now + SHORTEST_WAIT_MS };
		if (!hasKind(error, 'outOfTurn')) return undefined;
		const { status, retryAfterMs = 0 } = error.details;
		const isTold = status === 429 && this.definition.giveUpAfter === undefined;
		return {
			askUntil: isTold ? Math.min(askUntil, now + DEFAULT_RETRY_MS) : askUntil,
			session,
			turnAt: now + Math.max(BETWEEN_PORTIONS_MS, retryAfterMs),
		};
	}

	/** Takes the item's turn before anything is done for it: files are uploaded only for what can be sent now. */
	private async begin(item: ItemRun, entry: InTurn): Promise<AcceptedRecord> {
		const { definition, channel } = this;
		const turn = this.turnOf(entry);
		const hasTurn = definition.content !== undefined;
		const opensSession = definition.thing.opensSession && entry.session === undefined;
		if (hasTurn) await item.client.takeTurn({ opensSession }, turn);
		const input = await this.inputOf(item.itemIndex);
		return await definition.begin(item, input, { ...turn, hasTurn }, channel);
	}

	/** Notes until when the answer of an item is waited for that was accepted. */
	private awaitAnswer(itemIndex: number): void {
		const { run, definition } = this;
		const entry = run.ledger.entryOf(itemIndex);
		if (definition.wait === undefined || entry.state !== 'accepted') return;
		const maxWaitMs = definition.wait.maxWait(this.readOptions(itemIndex)) * MINUTE_MS;
		const longestMs = this.channel.kind === 'person' ? Infinity : longestRunMs(run.context);
		const answerBy = Math.min(entry.acceptedAt + maxWaitMs, run.beganAt + longestMs);
		run.ledger.update(itemIndex, {
			// It is waited for again.
			record: { ...entry.record, timed_out: undefined },
			answerBy: this.isOver(entry.record, itemIndex) ? undefined : answerBy,
		});
	}

	/** Whether an item need not be waited for any longer. */
	private isOver(record: AcceptedRecord, itemIndex: number): boolean {
		const { thing, wait } = this.definition;
		return (
			thing.isOver(record) ||
			wait?.until?.isReached(this.keptOf({ record }), this.readOptions(itemIndex)) === true
		);
	}

	/** Checks items once, at a time in ms since the epoch. Each result is kept immediately. */
	private async check(items: number[], at: number): Promise<void> {
		const { run, definition } = this;
		if (at > Date.now()) {
			if (this.place === undefined)
				run.hint(isRunByOtherNode(run.context) ? hints.checkedAsTool : hints.checkedHere);
			await abortableSleep(at - Date.now(), run.signal);
		}
		await run.forItems(items, async (item) => {
			const { itemIndex } = item;
			const entry = run.ledger.recall(itemIndex);
			if (!isOpen(entry)) return;
			const ageMs = Date.now() - entry.acceptedAt;
			// Without a credential, nobody can be asked.
			const record =
				run.credentialError === undefined
					? await latestOf(item, definition.thing, this.keptOf(entry), ageMs)
					: entry.record;
			run.ledger.update(itemIndex, {
				record,
				checkedIn: run.id,
				answerBy: this.isOver(record, itemIndex) ? undefined : entry.answerBy,
			});
		});
	}

	private async park(plan: Plan): Promise<INodeExecutionData[][]> {
		const { run, place, definition } = this;
		const { thing, wait } = definition;
		const waiting = (until: string, only = -1): string => {
			const entry = acceptedOf(run.ledger.entryOf(only));
			const ofOne =
				entry && wait?.until?.waiting(until, this.keptOf(entry), this.readOptions(only));
			return ofOne ?? thing.waiting(until, entry?.record);
		};
		run.hint(progressHint(run.ledger, timezoneOf(run.context), waiting));
		const output = this.outputWhileParked();
		if (place !== undefined) await park(place, run.ledger, plan, output);
		return [output];
	}

	/**
	 * What n8n hands to a calling workflow, with the files, or responds to a webhook or chat as the execution parks for the first
	 * time; it is taken back as n8n resumes. In the files themselves, not in copies, n8n notes where the caller's are from then on.
	 */
	private outputWhileParked(): INodeExecutionData[] {
		const { ledger, context } = this.run;
		if (
			ledger.plan !== undefined ||
			!['integrated', 'manual', 'webhook', 'chat'].includes(context.getMode())
		)
			return [];
		// What a chat shows of an item.
		const words = context.getChatTrigger() === null ? {} : { output: hints.chatReply };
		return context.getInputData().map(({ binary }, item) => {
			const entry = ledger.entryOf(item);
			const isLeft = entry.state === 'failed' || entry.state === 'uncertain';
			const status = isLeft ? {} : { status: 'in_progress' };
			// With an error, "Retry On Fail" would run the node again.
			return {
				json: { ...words, ...status, ...acceptedOf(entry)?.record, error: undefined },
				binary,
				pairedItem: { item },
			};
		});
	}

	private async output(isCutShort: boolean): Promise<INodeExecutionData[][]> {
		const { run, definition } = this;
		const { ledger } = run;
		const rejected = ledger.plan?.rejected;
		if (rejected !== undefined) run.hint(REJECTED_HINTS[rejected] ?? hints.badSignatures);
		if (isCutShort || ledger.plan?.isPastLastWake) run.hint(hints.executionTimeoutNear);
		const { until } = definition.wait ?? {};
		const unreached =
			until &&
			run.items.filter((item) => {
				const entry = acceptedOf(ledger.entryOf(item));
				return entry && !until.isReached(this.keptOf(entry), this.readOptions(item));
			}).length;
		const output: INodeExecutionData[][] = [];
		await run.forItems(run.items, async (item: ItemRun) => {
			const entry = ledger.entryOf(item.itemIndex);
			if (entry.state === 'uncertain') throw new ApiError(entry.error.kind, entry.error.details);
			if (entry.state === 'inTurn')
				throw (
					run.credentialError ??
					new ApiError(entry.session === undefined ? 'rateLimited' : 'sessionBusy')
				);
			if (entry.state !== 'accepted') return;
			if (until !== undefined && isOpen(entry) && entry.answerBy > Date.now())
				throw until.cutShort(isCutShort);
			const options = this.readOptions(item.itemIndex);
			const isTimedOut = isOpen(entry);
			const record = isTimedOut ? { ...entry.record, timed_out: true } : entry.record;
			ledger.update(item.itemIndex, { record });
			output[item.itemIndex] = [
				await definition.finish(item, this.keptOf({ record }), options, isTimedOut, unreached),
			];
		});
		return run.output(output);
	}

	/** What is known of an item that was accepted. */
	private keptOf({ record }: Pick<Accepted, 'record'>): Kept {
		return this.definition.thing.read(record, record);
	}

	private async inputOf(itemIndex: number): Promise<Input<P, Prepared, Options>> {
		const { run, definition } = this;
		const known = this.inputs[itemIndex];
		if (known !== undefined) return known;
		const options = this.readOptions(itemIndex);
		const values = readItem(run.context, itemIndex, group(definition.parameters));
		const prepared = (await definition.prepare?.(run, values, options)) as Prepared;
		return (this.inputs[itemIndex] = { values, options, prepared });
	}

	private readOptions(itemIndex: number): Options {
		return (this.options[itemIndex] ??= readItem(
			this.run.context,
			itemIndex,
			this.definition.options,
		));
	}
}

/**
 * Makes an operation of its definition: it sends what the service's limits allow, parks as long as there is more to send or to wait
 * for, and outputs all items at once.
 *
 * @example
 * defineSendingOperation({
 * 	...{ option, output },
 * 	parameters: { title },
 * 	options: group({ isSimplified }),
 * 	thing: things.task,
 * 	content: ({ values }) => values,
 * 	begin: async ({ client, sendOnce }, { values }, turn) =>
 * 		await sendOnce(values, async (beforeSending) => await createTask(client, values, { ...turn, beforeSending })),
 * 	finish: async (_item, task, { isSimplified }) => taskItem(task, isSimplified),
 * });
 */
export function defineSendingOperation<
	P extends Parameters,
	Prepared,
	Options,
	Kept extends AcceptedRecord,
>(definition: SendingDefinition<P, Prepared, Options, Kept>): Operation {
	const { parameters, options } = definition;
	return operationOf(
		definition,
		group({ ...parameters, options }),
		async (run) => await new SendingRun(run, definition).execute(),
	);
}

import type { INodeExecutionData, INodePropertyOptions } from 'n8n-workflow';

import { SessionBusyError } from '../api/errors';
import type { Fields } from '../api/fields';
import { isFinal, readQuestion, type AskingBudget, type Question } from '../api/questions';
import { itemScopeOf, rawValuesOf } from '../execution/itemScope';
import { NodeRun, type ItemRun, type Outcome, type Services } from '../execution/nodeRun';
import { isToolOfOldAgent } from '../execution/nodeSettings';
import type { Operation } from '../execution/operation';
import { hints } from '../messages/hints';
import { propertiesOf, readParameters, type Parameter, type Parameters, type ValuesOf } from '../parameters/parameter';
import { answerCache } from './answerCache';
import { canWake, dropError } from './executionStack';
import { look, poll } from './looks';
import { park } from './parking';
import { wakesSafely } from './resumeAddress';
import { askedItem, dueOf, isAsked, openOf, unaskedOf, type UnaskedItem, type WaitingItem } from './waitingItem';

const MINUTE_MS = 60_000;

/** How long the node looks for answers, or tries to ask, in the process before it parks: what is quick comes at once. */
const IN_PROCESS_MS = MINUTE_MS;

/** Whoever was asked less than this before needs no look before the node parks. */
const EARLIEST_ANSWER_MS = MINUTE_MS;

/** A run that is as short as this hardly misses a callback. */
const SHORT_RUN_MS = 10_000;

/** How answers arrive: by callback, by looking for them, or within the request itself. */
export interface AnswerChannel {
	kind: 'callback' | 'looks' | 'sync';
	callbackUrl?: string;
}

/** What it takes to begin. */
interface Input<P extends Parameters, Prepared, Options> {
	values: ValuesOf<P>;
	prepared: Prepared;
	options: Options;
}

/** An operation that comes out once its questions are answered. */
export interface WaitingOperationDefinition<P extends Parameters, Prepared, Options> {
	option: INodePropertyOptions;
	/** See {@link Operation.toolDescription}. */
	toolDescription: string;
	/** What is needed to begin. */
	parameters: P;
	/** What is needed whenever the node runs, after waking up too. */
	options: Parameter<Options>;
	output: Fields;
	/** How long to wait for an answer, and how long asking may take; in minutes. */
	patience: (options: Options) => { maxWait: number; giveUpAfter: number };
	prepare?: (services: Services, values: ValuesOf<P>, options: Options) => Promise<Prepared>;
	/** The session that a question goes on with: it is asked once the one before it is answered. */
	session?: (values: ValuesOf<P>) => string | undefined;
	/** Decided once a run, and not at all if every answer is there. */
	channel: (services: Services) => AnswerChannel;
	/** Asks the question, or finds the one that was asked. */
	begin: (item: ItemRun, input: Input<P, Prepared, Options>, channel: AnswerChannel, budget: AskingBudget) => Promise<Question>;
	/** The output item of a question, answered or not. */
	finish: (item: ItemRun, question: Question, options: Options) => Promise<INodeExecutionData>;
}

/** Makes an operation of its definition: it asks, parks as long as a question is open, and outputs all items at once. */
export function defineWaitingOperation<P extends Parameters, Prepared, Options>(
	definition: WaitingOperationDefinition<P, Prepared, Options>,
): Operation {
	return {
		option: definition.option,
		toolDescription: definition.toolDescription,
		properties: propertiesOf({ ...definition.parameters, options: definition.options }),
		output: definition.output,
		run: async (context) => await new Wait(await NodeRun.start(context), definition).proceed(),
	};
}

/** One run of a waiting operation: the first, or one for which n8n has woken the node. */
class Wait<P extends Parameters, Prepared, Options> {
	private readonly run: NodeRun;

	private readonly definition: WaitingOperationDefinition<P, Prepared, Options>;

	private readonly since = Date.now();

	private decidedChannel: AnswerChannel | undefined;

	/** Until when quick answers are waited for in the process, in ms since the epoch. */
	private listensUntil: number | undefined;

	private outcomes: Array<Outcome<WaitingItem<Input<P, Prepared, Options>, Options>>> = [];

	constructor(run: NodeRun, definition: WaitingOperationDefinition<P, Prepared, Options>) {
		this.run = run;
		this.definition = definition;
	}

	async proceed(): Promise<INodeExecutionData[][]> {
		if (this.run.memory.woken !== undefined) dropError(this.run.context);
		await this.prepare();
		await this.lookAtKnown();
		do {
			await this.askDue();
			await this.listen();
		} while (dueOf(this.outcomes).size > 0);
		this.remember();
		return (await this.parks()) ? [[]] : await this.output();
	}

	private get channel(): AnswerChannel {
		return (this.decidedChannel ??= this.definition.channel(this.run));
	}

	/** Whether n8n lets the node be run again after it has parked: as often as it takes, once only, or not at all. */
	private get waking(): 'safe' | 'once' | 'none' {
		const { context } = this.run;
		if (this.channel.kind === 'sync' || isToolOfOldAgent(context) || !canWake(context)) return 'none';
		if (wakesSafely(context)) return 'safe';
		// If a sub-workflow has paused, n8n 1 gives the workflow that called it its own items back, instead of answers.
		if (context.getMode() === 'integrated') return 'none';
		// Where nothing calls back, nothing resumes the execution at the moment at which it wakes.
		return this.channel.kind === 'looks' ? 'safe' : 'once';
	}

	private get mayPark(): boolean {
		return this.waking === 'safe' || (this.waking === 'once' && unaskedOf(this.outcomes).length === 0);
	}

	/** Reads all items: what to ask, or what was asked before. */
	private async prepare(): Promise<void> {
		const { run, definition } = this;
		const { context, memory } = run;
		const prepared = await run.prepareItems(async (itemIndex): Promise<WaitingItem<Input<P, Prepared, Options>, Options>> => {
			const [raw, scope] = [rawValuesOf(context, itemIndex), itemScopeOf(context, itemIndex)];
			const options = definition.options.read(raw, scope);
			const accepted = memory.acceptedFor(itemIndex);
			if (accepted !== undefined) return askedItem(accepted, options, definition.patience(options).maxWait);
			const values = readParameters(definition.parameters, raw, scope);
			const input = { values, options, prepared: (await definition.prepare?.(run, values, options)) as Prepared };
			return { options, input, session: definition.session?.(values), giveUpAt: memory.woken?.giveUpAt[itemIndex], isPostponed: false };
		});
		const failures = memory.woken?.failures ?? {};
		this.outcomes = prepared.map((outcome, itemIndex) => {
			const failure = failures[itemIndex];
			return failure === undefined ? outcome : { failure };
		});
	}

	/** Looks at what was asked before. If a callback has resumed the execution, what it knows has been heard of already. */
	private async lookAtKnown(): Promise<void> {
		const { context, memory } = this.run;
		const received = answerCache.get(context.getExecutionId());
		const known = openOf(this.outcomes);
		await look(this.run, memory.woken?.isCalledBack ? known.filter(({ question }) => received.has(question.id)) : known);
	}

	private async askDue(): Promise<void> {
		const due = dueOf(this.outcomes);
		this.outcomes = await this.run.executeItems(this.outcomes, async (item, waiting) =>
			isAsked(waiting) || !due.has(waiting) ? waiting : await this.ask(item, waiting),
		);
	}

	private async ask(
		item: ItemRun,
		waiting: UnaskedItem<Input<P, Prepared, Options>, Options>,
	): Promise<WaitingItem<Input<P, Prepared, Options>, Options>> {
		const { run, definition, waking } = this;
		const { maxWait, giveUpAfter } = definition.patience(waiting.options);
		const { giveUpAt = Date.now() + giveUpAfter * MINUTE_MS } = waiting;
		const inProcess = waiting.giveUpAt === undefined ? IN_PROCESS_MS : 0;
		const budget = { deadline: giveUpAt, busyDeadline: waking === 'safe' ? Date.now() + inProcess : giveUpAt };
		const question = await definition.begin(item, waiting.input, this.channel, budget).catch((error: unknown) => {
			if (error instanceof SessionBusyError && waking === 'safe' && Date.now() < giveUpAt) return undefined;
			throw error;
		});
		if (question === undefined) return { ...waiting, giveUpAt, isPostponed: true };
		const accepted = run.memory.update(item.itemIndex, question);
		return { ...askedItem(accepted, waiting.options, maxWait), isLookedAt: !accepted.isSent };
	}

	/** Waits a little for quick answers that only looks bring; for all answers, if there is no other way. */
	private async listen(): Promise<void> {
		const { run, since } = this;
		const open = openOf(this.outcomes).filter(({ deadline }) => deadline > Date.now());
		if (open.length === 0) return;
		const isEnough = (outcomes: Array<Outcome<WaitingItem>>): boolean => dueOf(outcomes).size > 0;
		if (!this.mayPark) {
			run.hint(isToolOfOldAgent(run.context) ? hints.polledAsTool : hints.polledHere);
			this.outcomes = await poll(run, this.outcomes, new Set(open), { until: Infinity, isEnough });
		} else if (this.channel.kind === 'looks') {
			this.listensUntil ??= Date.now() + IN_PROCESS_MS;
			const fresh = open.filter(({ acceptedAt }) => acceptedAt >= since);
			this.outcomes = await poll(run, this.outcomes, new Set(fresh), { until: this.listensUntil, isEnough });
		} else if (Date.now() - since >= SHORT_RUN_MS) {
			// While the node runs, n8n turns callbacks away.
			await look(run, open.filter(({ acceptedAt }) => acceptedAt <= Date.now() - EARLIEST_ANSWER_MS));
		}
	}

	/** Nothing that was heard is forgotten, whatever happens next. */
	private remember(): void {
		for (const [itemIndex, outcome] of this.outcomes.entries()) {
			if ('value' in outcome && isAsked(outcome.value)) this.run.memory.update(itemIndex, outcome.value.question);
		}
	}

	private async parks(): Promise<boolean> {
		const { run, outcomes, since } = this;
		if (openOf(outcomes).length + unaskedOf(outcomes).length === 0 || !this.mayPark) return false;
		return await park(run, outcomes, { since, isCalledBack: this.channel.kind === 'callback', wakesSafely: this.waking === 'safe' });
	}

	private async output(): Promise<INodeExecutionData[][]> {
		const { run, definition } = this;
		const unseen = openOf(this.outcomes).filter(({ isLookedAt }) => !isLookedAt);
		if (unseen.length > 0 && this.channel.kind !== 'sync') await look(run, unseen);
		if (run.memory.woken?.hasBadSignatures) run.hint(hints.badSignatures);
		if (run.memory.woken?.isPastLastWake) run.hint(hints.executionTimeoutNear);

		const output = await run.executeItems(this.outcomes, async (item, waiting) => {
			if (!isAsked(waiting)) throw new SessionBusyError();
			const { question, options } = waiting;
			const latest = isFinal(question) ? question : readQuestion({ ...question, timed_out: true }, question.assistant_id);
			return [await definition.finish(item, latest, options)];
		});
		answerCache.delete(run.context.getExecutionId());
		return run.output(output);
	}
}

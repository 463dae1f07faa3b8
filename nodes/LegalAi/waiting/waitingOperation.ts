import type { INodeExecutionData, INodePropertyOptions } from 'n8n-workflow';

import { CanceledError } from '../api/errors';
import type { Fields } from '../api/fields';
import { mapConcurrently } from '../api/mapConcurrently';
import { isFinal, getQuestion, pollQuestion, readQuestion, type Question } from '../api/questions';
import type { AcceptedRecord } from '../execution/entryMemory';
import { itemScopeOf, rawValuesOf } from '../execution/itemScope';
import { DEFAULT_CONCURRENT_REQUESTS, NodeRun, type ItemRun, type Outcome, type Services } from '../execution/nodeRun';
import { isToolOfOldAgent } from '../execution/nodeSettings';
import type { Operation } from '../execution/operation';
import { hints } from '../messages/hints';
import { fillText } from '../messages/template';
import { propertiesOf, readParameters, type Parameter, type Parameters, type ValuesOf } from '../parameters/parameter';
import { answerCache } from './answerCache';
import { canWake, executionTimeout, parkAndWake } from './executionStack';
import { wakesSafely } from './resumeAddress';
import { nextWake } from './schedule';

const MINUTE_MS = 60_000;

/** How long the node looks for answers in the process before it parks: quick answers come at once. */
const POLL_BEFORE_PARKING_MS = MINUTE_MS;

/** How long a single look may take: the next one, or a callback, finds the answer too. */
export const LOOK_PATIENCE_MS = MINUTE_MS;

/**
 * Whoever was asked less than this before needs no look before the node parks. Of the others, a callback may have come
 * while the rest was still being asked: n8n has turned it away.
 */
const EARLIEST_ANSWER_MS = MINUTE_MS;

/** Polls of one run together stay below 300 a minute, which leaves room within the API's 400. */
const MS_BETWEEN_POLLS = 200;

/** How answers arrive: by callback, by looking for them, or within the request itself. */
export interface AnswerChannel {
	kind: 'callback' | 'looks' | 'sync';
	callbackUrl?: string;
}

/** An operation that comes out once its questions are answered. */
export interface WaitingOperationDefinition<P extends Parameters, Prepared, Options extends { maxWait: number }> {
	option: INodePropertyOptions;
	/** See {@link Operation.toolDescription}. */
	toolDescription: string;
	/** What is needed to begin. */
	parameters: P;
	/** What is needed whenever the node runs, after waking up too; `maxWait` in minutes. */
	options: Parameter<Options>;
	output: Fields;
	prepare?: (services: Services, values: ValuesOf<P>, options: Options) => Promise<Prepared>;
	concurrencyKey?: (values: ValuesOf<P>) => string | undefined;
	/** Decided once a run, and not at all if every answer is there. */
	channel: (services: Services) => AnswerChannel;
	/** Asks the question, or finds the one that was asked. */
	begin: (item: ItemRun, input: { values: ValuesOf<P>; prepared: Prepared; options: Options }, channel: AnswerChannel) => Promise<Question>;
	/** The output item of a question, answered or not. */
	finish: (item: ItemRun, question: Question, options: Options) => Promise<INodeExecutionData>;
}

/** A question that an item waits for. */
interface WaitingItem<Options> {
	question: Question;
	options: Options;
	/** When the service accepted the question, in ms since the epoch. */
	acceptedAt: number;
	/** In ms since the epoch: Max Wait counts from when the service accepted the question. */
	deadline: number;
}

/** Makes an operation of its definition: it begins, parks as long as a question is open, and outputs all items at once. */
export function defineWaitingOperation<P extends Parameters, Prepared, Options extends { maxWait: number }>(
	definition: WaitingOperationDefinition<P, Prepared, Options>,
): Operation {
	return {
		option: definition.option,
		toolDescription: definition.toolDescription,
		properties: propertiesOf({ ...definition.parameters, options: definition.options }),
		output: definition.output,
		run: async (context) => {
			const run = await NodeRun.start(context);
			let decided: AnswerChannel | undefined;
			const channel = (): AnswerChannel => (decided ??= definition.channel(run));
			const isResumed = run.memory.woken !== undefined || !run.memory.isEmpty;
			let outcomes = await begin(run, definition, channel);

			if (openOf(outcomes).length > 0 && channel().kind !== 'sync') {
				const parks = canWake(context) && !isToolOfOldAgent(context);
				const lookedAt = Date.now() - (isResumed ? 0 : EARLIEST_ANSWER_MS);
				await look(run, openOf(outcomes).filter(({ acceptedAt }) => acceptedAt <= lookedAt));
				if (!parks) outcomes = await poll(run, outcomes, Infinity);
				else if (channel().kind === 'looks' && !isResumed) {
					outcomes = await poll(run, outcomes, Date.now() + POLL_BEFORE_PARKING_MS);
				}
				rememberQuestions(run, outcomes);
				if (parks && (await park(run, channel(), outcomes))) return [[]];
				if (!parks) run.hint(isToolOfOldAgent(context) ? hints.polledAsTool : hints.polledHere);
			}
			if (run.memory.woken?.hasBadSignatures) run.hint(hints.badSignatures);
			if (run.memory.woken?.isPastLastWake) run.hint(hints.executionTimeoutNear);

			const output = await run.executeItems(outcomes, async (item, { question, options }) => {
				const latest = isFinal(question) ? question : readQuestion({ ...question, timed_out: true }, question.assistant_id);
				return [await definition.finish(item, latest, options)];
			});
			answerCache.delete(context.getExecutionId());
			return run.output(output);
		},
	};
}

/** Begins all items that were not begun before. */
async function begin<P extends Parameters, Prepared, Options extends { maxWait: number }>(
	run: NodeRun,
	definition: WaitingOperationDefinition<P, Prepared, Options>,
	channel: () => AnswerChannel,
): Promise<Array<Outcome<WaitingItem<Options>>>> {
	const { context, memory } = run;
	const prepared = await run.prepareItems(async (itemIndex) => {
		const [raw, scope] = [rawValuesOf(context, itemIndex), itemScopeOf(context, itemIndex)];
		const options = definition.options.read(raw, scope);
		if (memory.acceptedFor(itemIndex) !== undefined) return { options };
		const values = readParameters(definition.parameters, raw, scope);
		const input = { values, options, prepared: (await definition.prepare?.(run, values, options)) as Prepared };
		return { options, input };
	});
	const failures = memory.woken?.failures ?? {};
	return await run.executeItems(
		prepared.map((outcome, itemIndex) => (failures[itemIndex] === undefined ? outcome : { failure: failures[itemIndex] })),
		async (item, { input, options }) => {
			const known = memory.acceptedFor(item.itemIndex)?.record;
			const question = input === undefined ? revive(known) : await definition.begin(item, input, channel());
			memory.update(item.itemIndex, question);
			const acceptedAt = memory.acceptedFor(item.itemIndex)?.at ?? Date.now();
			return { question, options, acceptedAt, deadline: acceptedAt + options.maxWait * MINUTE_MS };
		},
		{ concurrencyKey: ({ input }) => (input === undefined ? undefined : definition.concurrencyKey?.(input.values)) },
	);
}

function revive(record: AcceptedRecord | undefined): Question {
	return readQuestion(record, String(record?.assistant_id));
}

/** Looks once at each of these. What can't be looked at stays open. */
async function look(run: NodeRun, items: Array<WaitingItem<unknown>>): Promise<void> {
	const received = answerCache.get(run.context.getExecutionId());
	await mapConcurrently(items, DEFAULT_CONCURRENT_REQUESTS, async (item) => {
		const { question } = item;
		const { id, assistant_id } = question;
		const latest = received.get(id) ?? (await getQuestion(run.client, assistant_id, id, Date.now() + LOOK_PATIENCE_MS).catch((error: unknown) => {
			if (error instanceof CanceledError) throw error;
			run.hint(fillText(hints.lookFailed, { id }));
			return question;
		}));
		item.question = readQuestion({ ...ownFieldsOf(question), ...latest }, assistant_id);
	});
}

/**
 * Looks again and again, in the process, until all is answered, or until a time in ms since the epoch. An item whose
 * question the service won't show fails.
 */
async function poll<Options>(
	run: NodeRun,
	outcomes: Array<Outcome<WaitingItem<Options>>>,
	until: number,
): Promise<Array<Outcome<WaitingItem<Options>>>> {
	const minPollMs = openOf(outcomes).length * MS_BETWEEN_POLLS;
	return await run.executeItems(
		outcomes,
		async (_item, waiting) => {
			const { question, deadline } = waiting;
			const latest = await pollQuestion(run.client, question, Math.min(deadline, until), minPollMs);
			return { ...waiting, question: readQuestion({ ...ownFieldsOf(question), ...latest }, question.assistant_id) };
		},
		{ limit: Infinity },
	);
}

/** Parks until the next look, if a question is open and there is time left. */
async function park(
	run: NodeRun,
	channel: AnswerChannel,
	outcomes: Array<Outcome<WaitingItem<unknown>>>,
): Promise<boolean> {
	const { context, memory } = run;
	const open = openOf(outcomes);
	const now = Date.now();
	const deadline = Math.max(0, ...open.map((item) => item.deadline));
	if (deadline <= now) return false;

	const timeout = memory.woken?.lastWake ?? executionTimeout(context);
	const round = memory.woken?.round ?? 0;
	const { at, isLastLook } = nextWake({
		now,
		round,
		open: open.length,
		deadline,
		wakesSafely: wakesSafely(context),
		executionTimeout: timeout,
		jitter: Math.random(),
	});
	const isPastLastWake = isLastLook && timeout !== undefined;
	if (isPastLastWake && channel.kind === 'looks') {
		run.hint(hints.executionTimeoutNear);
		return false;
	}
	showProgress(run, outcomes, deadline);
	const failures = Object.fromEntries(
		outcomes.flatMap((outcome, itemIndex) => ('failure' in outcome ? [[itemIndex, outcome.failure]] : [])),
	);
	const parked = { round: round + 1, failures, hasBadSignatures: memory.woken?.hasBadSignatures ?? false, lastWake: timeout, isPastLastWake };
	await parkAndWake(context, memory.toPark(parked), new Date(at));
	return true;
}

/** Says what the node waits for. The editor shows it while the execution is parked; n8n drops it when it resumes. */
function showProgress({ context, hint }: NodeRun, outcomes: Array<Outcome<WaitingItem<unknown>>>, deadline: number): void {
	const asked = outcomes.filter((outcome) => 'value' in outcome).length;
	const timeZone = context.getTimezone();
	const time = new Date(deadline).toLocaleString('en-US', { timeZone, dateStyle: 'medium', timeStyle: 'short' });
	const answered = asked - openOf(outcomes).length;
	hint(asked === 1 ? fillText(hints.waitingForOne, { time }) : fillText(hints.waitingForSeveral, { asked, answered, time }));
}

/** Nothing that was heard is forgotten, whatever happens next. */
function rememberQuestions(run: NodeRun, outcomes: Array<Outcome<WaitingItem<unknown>>>): void {
	for (const [itemIndex, outcome] of outcomes.entries()) {
		if ('value' in outcome) run.memory.update(itemIndex, outcome.value.question);
	}
}

function openOf(outcomes: Array<Outcome<WaitingItem<unknown>>>): Array<WaitingItem<unknown>> {
	return outcomes.flatMap((outcome) => ('value' in outcome && !isFinal(outcome.value.question) ? [outcome.value] : []));
}

/** What this package has added to a question when it was asked. */
function ownFieldsOf({ attachments_sent, skipped_files }: Question): Partial<Question> {
	return {
		...(attachments_sent === undefined ? {} : { attachments_sent }),
		...(skipped_files === undefined ? {} : { skipped_files }),
	};
}

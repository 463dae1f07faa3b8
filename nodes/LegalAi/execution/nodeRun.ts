import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { LegalAiClient } from '../api/client';
import { ApiError } from '../api/errors';
import { mapConcurrently } from '../api/mapConcurrently';
import type { CountedHint } from '../messages/hints';
import { number } from '../parameters/number';
import { notForTools } from '../parameters/parameter';
import { createClient, DEFAULT_CONCURRENT_REQUESTS } from './connection';
import { highlightQuestions } from './highlightedData';
import { itemRunOf, type ItemRun } from './itemRun';
import { readRunOption } from './itemScope';
import { addAccepted, failedItem, failedItemJson, toNodeError } from './nodeError';
import { beginState, keepState, type RunState, type WaitState } from './runState';

/** What became of an item: a value, or the JSON that it is output with because it failed. */
export type Outcome<Value> = { value: Value } | { failure: IDataObject };

/** How many requests a run has under way at once, at the most. For all items, so it takes no expression. */
export const concurrentRequests = notForTools(
	number(
		{
			displayName: 'Max Concurrent Requests',
			name: 'requestsAtOnce',
			noDataExpression: true,
			default: DEFAULT_CONCURRENT_REQUESTS,
			description: 'Maximum number of requests to send in parallel',
		},
		{ min: 1, max: 50, whole: true },
	),
);

/** One run of the Legal AI node over its items. */
export class NodeRun {
	readonly context: IExecuteFunctions;
	readonly state: RunState;

	/** What the execution was parked for, if n8n has woken the node. */
	readonly wokenFrom: WaitState | undefined;

	/** Whether this execution is a retry of another one, from the list of executions. */
	readonly isRetry: boolean;

	/** What is wrong with the credential; undefined if it can be used. */
	credentialError: Error | undefined;

	/** Ends waits when the execution is stopped, or when an item has ended the run. */
	readonly signal: AbortSignal;
	private connected: LegalAiClient | undefined;
	private readonly stop = new AbortController();
	private readonly mostConcurrent: number;
	private readonly hints = new Set<string>();
	private readonly counts = new Map<CountedHint, number>();
	private readonly doneOnce = new Map<string, Promise<void>>();

	private constructor(context: IExecuteFunctions) {
		this.context = context;
		const canceled = context.getExecutionCancelSignal();
		this.signal = canceled === undefined ? this.stop.signal : AbortSignal.any([this.stop.signal, canceled]);
		this.mostConcurrent = readRunOption(context, concurrentRequests);
		({ state: this.state, isRetry: this.isRetry } = beginState(context));
		this.wokenFrom = this.state.wait;
		keepState(context, this.state);
	}

	/** Begins a run; a credential that can't be used is an error once its client is needed. */
	static async start(context: IExecuteFunctions): Promise<NodeRun> {
		const run = new NodeRun(context);
		const { signal, mostConcurrent } = run;
		try {
			run.connected = await createClient(context, { signal, concurrentRequests: mostConcurrent });
		} catch (error) {
			run.credentialError = error instanceof Error ? error : new Error(String(error));
		}
		return run;
	}

	/**
	 * The API, shared by all items so that they keep to the service's limits together.
	 *
	 * @throws what is wrong with the credential, if it can't be used
	 */
	get client(): LegalAiClient {
		if (this.connected === undefined) throw toNodeError(this.context.getNode(), this.credentialError);
		return this.connected;
	}

	/** Shows a sentence beside the node's output, once a run. */
	hint = (message: string): void => {
		if (!this.hints.has(message)) this.context.addExecutionHints({ message, location: 'outputPane' });
		this.hints.add(message);
	};

	/** Counts an item; the output has a sentence on how many there were. */
	count = (hint: CountedHint): void => {
		this.counts.set(hint, (this.counts.get(hint) ?? 0) + 1);
	};

	/** Does something once a run, however many items need it; if it throws, it throws for all of them. */
	once = async (key: string, act: () => Promise<void>): Promise<void> => {
		const done = this.doneOnce.get(key) ?? act();
		this.doneOnce.set(key, done);
		await done;
	};

	/** Prepares items one after the other: without "Continue on Fail" the first that fails ends the node. */
	async prepareItems<Value>(prepare: (itemIndex: number) => Value | Promise<Value>): Promise<Array<Outcome<Value>>> {
		const outcomes: Array<Outcome<Value>> = [];
		for (let itemIndex = 0; itemIndex < this.context.getInputData().length; itemIndex++) {
			outcomes.push(await this.outcomeOf(itemIndex, async () => await prepare(itemIndex)));
		}
		return outcomes;
	}

	/**
	 * Executes all items that did not fail before, several at a time. Without "Continue on Fail" the first that fails
	 * ends the node: nothing new begins, what is under way is waited for, and the error lists what was accepted. Items with
	 * the same key run one after the other.
	 */
	async executeItems<Value, Result>(
		prepared: Array<Outcome<Value>>,
		execute: (item: ItemRun, value: Value) => Promise<Result>,
		concurrencyKey?: (value: Value) => string | undefined,
	): Promise<Array<Outcome<Result>>> {
		const outcomes: Array<Outcome<Result>> = [];
		// An item without a key is a group of its own, under its index.
		const groups = new Map<string | number, Array<{ itemIndex: number; value: Value }>>();
		for (const [itemIndex, outcome] of prepared.entries()) {
			if ('failure' in outcome) {
				outcomes[itemIndex] = outcome;
				continue;
			}
			const { value } = outcome;
			const key = concurrencyKey?.(value) ?? itemIndex;
			const group = groups.get(key) ?? [];
			group.push({ itemIndex, value });
			groups.set(key, group);
		}
		try {
			await mapConcurrently([...groups.values()], this.mostConcurrent, async (group) => {
				for (const { itemIndex, value } of group) {
					outcomes[itemIndex] = await this.outcomeOf(itemIndex, async () => await execute(itemRunOf(this, itemIndex), value));
				}
			});
		} catch (error) {
			const first: unknown = this.stop.signal.reason ?? error;
			throw addAccepted(toNodeError(this.context.getNode(), first), this.state);
		}
		return outcomes;
	}

	/** Output items in the order of the input, each paired with its input item. */
	output(outcomes: Array<Outcome<INodeExecutionData[]>>): INodeExecutionData[][] {
		for (const [{ one, several }, items] of this.counts) {
			this.hint(items === 1 ? one : several.replace('<count>', String(items)));
		}
		this.highlight();
		keepState(this.context, { ...this.state, wait: undefined }, true);
		return [
			outcomes.flatMap((outcome, itemIndex) => {
				const pairedItem = { item: itemIndex };
				if ('failure' in outcome) return [failedItem(this.context.getNode(), { json: outcome.failure, pairedItem })];
				return outcome.value.map((item) => ({ ...item, pairedItem }));
			}),
		];
	}

	/** Shows in the list of executions which questions this one is about. */
	highlight(): void {
		highlightQuestions(this.context, Object.values(this.state.accepted).map(({ record }) => record));
	}

	private async outcomeOf<Value>(itemIndex: number, attempt: () => Promise<Value>): Promise<Outcome<Value>> {
		try {
			return { value: await attempt() };
		} catch (error) {
			const nodeError = toNodeError(this.context.getNode(), error, itemIndex);
			if (this.context.continueOnFail() && !this.signal.aborted) {
				const question = error instanceof ApiError ? error.details.question : undefined;
				const failure = { ...question, ...failedItemJson(nodeError) };
				this.state.failed[itemIndex] = failure;
				return { failure };
			}
			this.stop.abort(nodeError);
			throw nodeError;
		}
	}
}

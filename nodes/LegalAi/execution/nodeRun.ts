import { createHash } from 'crypto';
import type { IDataObject, IExecuteFunctions, ILoadOptionsFunctions, INodeExecutionData, IWebhookFunctions } from 'n8n-workflow';

import { parseBaseUrl } from '../api/baseUrl';
import { LegalAiClient } from '../api/client';
import { ConcurrencyLimiter } from '../api/concurrencyLimiter';
import { ApiError } from '../api/errors';
import { mapConcurrently } from '../api/mapConcurrently';
import { serviceLimitsOf } from '../api/serviceLimits';
import { authenticatedRequest } from './authenticatedRequest';
import { addAccepted, failedItemJson, toNodeError } from './nodeError';
import type { AcceptedRecord } from './entryMemory';
import { RunMemory } from './runMemory';
import { Trace } from './trace';

/** How many requests of one run are under way at once, unless the user chose otherwise. */
export const DEFAULT_CONCURRENT_REQUESTS = 40;

/** What an operation works with. */
export interface Services {
	context: IExecuteFunctions;
	/** The API, shared by all items so that they heed the service's limits together. */
	client: LegalAiClient;
	/** Shows a sentence beside the node's output, once a run. */
	hint: (message: string) => void;
	/** Counts an item; the output has a sentence on how many there were (`<count>`). */
	count: (single: string, several: string) => void;
	/** Does something once a run, however many items need it; if it throws, it throws for all of them. */
	once: (key: string, act: () => Promise<void>) => Promise<void>;
	trace: Trace;
}

/** One item's turn. */
export interface ItemRun extends Services {
	itemIndex: number;
	item: INodeExecutionData;
	/**
	 * Has the service accept something, once only although n8n may run the node again: what was accepted before is given
	 * again, and so is an error that leaves open whether it was.
	 */
	acceptOnce: <T extends AcceptedRecord>(request: () => Promise<T>, revive: (record: AcceptedRecord) => T) => Promise<T>;
}

/** What became of an item: a value, or the JSON that it is output with because it failed. */
export type Outcome<Value> = { value: Value } | { failure: IDataObject };

/** How items are executed beside each other. */
export interface ExecuteOptions<Value> {
	/** Items with the same key run one after the other. */
	concurrencyKey?: (value: Value) => string | undefined;
	/** How many are under way at once; default: as many as requests. */
	limit?: number;
}

/** One run of the Legal AI node over its items. */
export class NodeRun implements Services {
	readonly context: IExecuteFunctions;

	readonly client: LegalAiClient;

	readonly memory: RunMemory;

	readonly trace = new Trace();

	private readonly concurrentRequests: number;

	/** Ends waits when the execution is stopped, or when an item has ended the run. */
	private readonly stop: AbortController;

	private readonly hints = new Set<string>();

	private readonly counts = new Map<string, { items: number; single: string }>();

	private readonly doneOnce = new Map<string, Promise<void>>();

	private constructor(context: IExecuteFunctions, client: LegalAiClient, stop: AbortController, concurrentRequests: number) {
		this.context = context;
		this.client = client;
		this.stop = stop;
		this.concurrentRequests = concurrentRequests;
		this.memory = new RunMemory(context);
	}

	/** @throws {NodeOperationError} if the credential has no address that a key may be sent to */
	static async start(context: IExecuteFunctions): Promise<NodeRun> {
		const stop = new AbortController();
		const canceled = context.getExecutionCancelSignal();
		const signal = canceled === undefined ? stop.signal : AbortSignal.any([stop.signal, canceled]);
		const concurrentRequests = readConcurrentRequests(context);
		try {
			const client = await createClient(context, { signal, concurrentRequests });
			return new NodeRun(context, client, stop, concurrentRequests);
		} catch (error) {
			throw toNodeError(context.getNode(), error);
		}
	}

	hint = (message: string): void => {
		if (!this.hints.has(message)) this.context.addExecutionHints({ message, location: 'outputPane' });
		this.hints.add(message);
	};

	count = (single: string, several: string): void => {
		const { items = 0 } = this.counts.get(several) ?? {};
		this.counts.set(several, { items: items + 1, single });
	};

	once = async (key: string, act: () => Promise<void>): Promise<void> => {
		const done = this.doneOnce.get(key) ?? act();
		this.doneOnce.set(key, done);
		await done;
	};

	/** Prepares items one after the other: without "Continue on Fail" the first that is not right ends the node. */
	async prepareItems<Value>(prepare: (itemIndex: number) => Value | Promise<Value>): Promise<Array<Outcome<Value>>> {
		const outcomes: Array<Outcome<Value>> = [];
		for (let itemIndex = 0; itemIndex < this.context.getInputData().length; itemIndex++) {
			outcomes.push(await this.outcomeOf(itemIndex, async () => await prepare(itemIndex)));
		}
		return outcomes;
	}

	/**
	 * Executes all items that did not fail before, several at a time. Without "Continue on Fail" the first that fails
	 * ends the node: nothing new begins, what is under way is waited for, and the error lists what was accepted.
	 */
	async executeItems<Value, Result>(
		prepared: Array<Outcome<Value>>,
		execute: (item: ItemRun, value: Value) => Promise<Result>,
		{ concurrencyKey, limit = this.concurrentRequests }: ExecuteOptions<Value> = {},
	): Promise<Array<Outcome<Result>>> {
		const outcomes: Array<Outcome<Result>> = [];
		const groups = new Map<string, Array<{ itemIndex: number; value: Value }>>();
		for (const [itemIndex, outcome] of prepared.entries()) {
			if ('failure' in outcome) outcomes[itemIndex] = outcome;
			else {
				const own = concurrencyKey?.(outcome.value);
				const key = own === undefined ? `item ${itemIndex}` : `key ${own}`;
				const group = groups.get(key) ?? [];
				group.push({ itemIndex, value: outcome.value });
				groups.set(key, group);
			}
		}
		try {
			await mapConcurrently([...groups.values()], limit, async (group) => {
				for (const { itemIndex, value } of group) {
					outcomes[itemIndex] = await this.outcomeOf(itemIndex, async () => await execute(this.itemRun(itemIndex), value));
				}
			});
		} catch (error) {
			const first: unknown = this.stop.signal.reason ?? error;
			throw addAccepted(toNodeError(this.context.getNode(), first), this.memory.sentIds);
		}
		return outcomes;
	}

	/** Output items in the order of the input, each paired with its input item. */
	output(outcomes: Array<Outcome<INodeExecutionData[]>>): INodeExecutionData[][] {
		for (const [several, { items, single }] of this.counts) {
			this.hint(items === 1 ? single : several.replace('<count>', String(items)));
		}
		this.memory.finish();
		this.trace.writeTo(this.context);
		return [
			outcomes.flatMap((outcome, itemIndex) => {
				const items = 'value' in outcome ? outcome.value : [{ json: outcome.failure }];
				return items.map((item) => ({ ...item, pairedItem: { item: itemIndex } }));
			}),
		];
	}

	private itemRun(itemIndex: number): ItemRun {
		const { context, client, hint, count, once, memory, trace } = this;
		return {
			context,
			client,
			hint,
			count,
			once,
			trace,
			itemIndex,
			item: context.getInputData()[itemIndex] ?? { json: {} },
			acceptOnce: async (request, revive) => {
				const before = memory.acceptedFor(itemIndex);
				if (before !== undefined) return revive(before.record);
				const accepted = await request().catch((error: unknown) => {
					if (error instanceof ApiError && error.details.maybeAccepted) memory.markUncertain(itemIndex, error);
					throw error;
				});
				memory.accept(itemIndex, accepted);
				return accepted;
			},
		};
	}

	private async outcomeOf<Value>(itemIndex: number, attempt: () => Promise<Value>): Promise<Outcome<Value>> {
		try {
			return { value: await attempt() };
		} catch (error) {
			const nodeError = toNodeError(this.context.getNode(), error, itemIndex);
			if (this.context.continueOnFail() && !this.client.signal?.aborted) return { failure: failedItemJson(nodeError) };
			this.stop.abort(nodeError);
			throw nodeError;
		}
	}
}

/** @throws {InvalidInputError} if the credential has no address that a key may be sent to */
export async function createClient(
	context: IExecuteFunctions | ILoadOptionsFunctions | IWebhookFunctions,
	{ signal, concurrentRequests }: { signal?: AbortSignal; concurrentRequests: number },
): Promise<LegalAiClient> {
	const { baseUrl, apiKey } = await context.getCredentials('legalAiApi');
	const { href } = parseBaseUrl(baseUrl);
	return new LegalAiClient({
		baseUrl: href,
		limits: serviceLimitsOf(createHash('sha256').update(`${href} ${String(apiKey).trim()}`).digest('base64')),
		concurrency: new ConcurrencyLimiter(concurrentRequests),
		signal,
		transport: {
			authenticated: authenticatedRequest(context),
			anonymous: async (options) => (await context.helpers.httpRequest(options)) as unknown,
		},
	});
}

function readConcurrentRequests(context: IExecuteFunctions): number {
	const chosen = context.getNodeParameter('options.requestsAtOnce', 0, DEFAULT_CONCURRENT_REQUESTS);
	return typeof chosen === 'number' && chosen >= 1 ? Math.floor(chosen) : DEFAULT_CONCURRENT_REQUESTS;
}

import { randomUUID } from 'crypto';
import type { IExecuteFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';

import { type LegalAiClient, mapConcurrently } from '../api';
import { createClient } from '../connection/createClient';
import { addAccepted, failedItem, failedItemJson, toNodeError } from '../errors/nodeError';
import { type CountedHint, fillText, hints, shortList } from '../messages';
import { itemRunOf, type ItemRun, type Services } from './itemRun';
import { acceptedOf, type Ledger } from './ledger';
import { closeLedger, isRunByOtherNode, openLedger } from './ledgerStorage';
import { Sent } from './sent';

/** How many items are under way at once, at the most. */
const CONCURRENT_ITEMS = 40;

/** One run of the Legal AI node over its items. */
export class NodeRun implements Services {
	readonly context: IExecuteFunctions;
	readonly ledger: Ledger;
	readonly sent: Sent | undefined;
	readonly id = randomUUID();
	readonly beganAt = Date.now();

	/** What is wrong with the credential; undefined if it can be used. */
	credentialError: Error | undefined;

	/** Ends waits when the execution is stopped, or when an item has ended the run. */
	readonly signal: AbortSignal;
	private connected: LegalAiClient | undefined;
	private readonly stop = new AbortController();
	private readonly hints = new Set<string>();
	private readonly counts = new Map<CountedHint, { count: number; names: Set<string> }>();
	private readonly doneOnce = new Map<string, Promise<void>>();

	private constructor(context: IExecuteFunctions, properties: INodeProperties[]) {
		this.context = context;
		const canceled = context.getExecutionCancelSignal();
		this.signal =
			canceled === undefined ? this.stop.signal : AbortSignal.any([this.stop.signal, canceled]);
		this.ledger = openLedger(context, properties);
		this.sent = Sent.of(context, this.ledger.kept.parameters);
	}

	/** Begins a run of an operation with these properties; a credential that can't be used is an error once its client is needed. */
	static async start(context: IExecuteFunctions, properties: INodeProperties[]): Promise<NodeRun> {
		const run = new NodeRun(context, properties);
		try {
			run.connected = await createClient(context, { signal: run.signal });
		} catch (error) {
			run.credentialError = error instanceof Error ? error : new Error(String(error));
		}
		return run;
	}

	get client(): LegalAiClient {
		if (this.connected === undefined) throw this.credentialError;
		return this.connected;
	}

	hint = (message: string): void => {
		if (!this.hints.has(message))
			this.context.addExecutionHints({ message, location: 'outputPane' });
		this.hints.add(message);
	};

	count = (hint: CountedHint, names: readonly string[] = []): void => {
		const { count, names: known } = this.counts.get(hint) ?? { count: 0, names: [] };
		this.counts.set(hint, { count: count + 1, names: new Set([...known, ...names]) });
	};

	once = async (key: string, act: () => Promise<void>): Promise<void> => {
		const done = this.doneOnce.get(key) ?? act();
		this.doneOnce.set(key, done);
		await done;
	};

	/** The items that have not failed, by index. */
	get items(): number[] {
		return this.ledger.entries.flatMap(({ state }, itemIndex) =>
			state === 'failed' ? [] : [itemIndex],
		);
	}

	/** Prepares all items one after the other, with a credential. Without "Continue on Fail" the first that fails ends the node. */
	async prepareItems(prepare: (itemIndex: number) => unknown): Promise<void> {
		if (this.credentialError !== undefined) throw this.credentialError;
		for (const itemIndex of this.items)
			await this.attempt(itemIndex, async () => void (await prepare(itemIndex)));
	}

	/**
	 * Does something for items, several at a time. Without "Continue on Fail" the first that fails ends the node: nothing new
	 * begins, and what is under way is waited for. Items in a list of their own have their turns one after the other.
	 */
	async forItems(
		items: ReadonlyArray<number | number[]>,
		act: (item: ItemRun) => Promise<void>,
	): Promise<void> {
		await mapConcurrently(items, CONCURRENT_ITEMS, async (entry) => {
			for (const itemIndex of [entry].flat())
				await this.attempt(itemIndex, async () => await act(itemRunOf(this, itemIndex)));
		});
	}

	/**
	 * Runs the node up to its output. What the service has accepted is never lost: with "Continue on Fail" each item has it beside the
	 * error, otherwise the error lists it.
	 */
	async upToOutput(act: () => Promise<INodeExecutionData[][]>): Promise<INodeExecutionData[][]> {
		try {
			return await act();
		} catch (error) {
			const cause: unknown = this.stop.signal.reason ?? error;
			const nodeError = toNodeError(this.context.getNode(), cause);
			if (!this.context.continueOnFail() || this.signal.aborted)
				throw addAccepted(nodeError, this.ledger.ownAccepted, {
					isUncertain: this.ledger.entries.some(({ state }) => state === 'uncertain'),
					isCalled: this.context.getMode() === 'integrated' || isRunByOtherNode(this.context),
				});
			for (const itemIndex of this.items) this.ledger.fail(itemIndex, failedItemJson(nodeError));
			return this.output([]);
		}
	}

	/** The items by index as they are output, in the order of the input, each paired with its input item. */
	output(items: ReadonlyArray<INodeExecutionData[] | undefined>): INodeExecutionData[][] {
		for (const [text, { count, names }] of this.counts) {
			const quoted = shortList([...names].map((name) => `"${name}"`));
			this.hint(fillText(text, { count, names: quoted }));
		}
		closeLedger(this.context, this.ledger);
		const node = this.context.getNode();
		const output = this.ledger.entries.flatMap((entry, itemIndex) => {
			const pairedItem = { item: itemIndex };
			if (entry.state !== 'failed')
				return (items[itemIndex] ?? []).map((item) => ({ ...item, pairedItem }));
			const json = { ...acceptedOf(entry)?.record, ...entry.error };
			return [failedItem(node, { json, pairedItem })];
		});
		// Of no items, an agent would tell its model an empty text.
		const isTold = node.type.endsWith('Tool') && output.length === 0;
		return [isTold ? [{ json: { result: hints.nothingFound }, pairedItem: { item: 0 } }] : output];
	}

	private async attempt(itemIndex: number, act: () => Promise<void>): Promise<void> {
		try {
			await act();
		} catch (error) {
			const accepted = acceptedOf(this.ledger.entryOf(itemIndex))?.record;
			const nodeError = toNodeError(this.context.getNode(), error, itemIndex, accepted);
			if (!this.context.continueOnFail() || this.signal.aborted) {
				this.stop.abort(nodeError);
				throw nodeError;
			}
			this.ledger.fail(itemIndex, failedItemJson(nodeError));
		}
	}
}

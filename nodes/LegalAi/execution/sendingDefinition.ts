import type { INodeExecutionData } from 'n8n-workflow';

import type { ApiRequest } from '../api/client';
import { ApiError, isMissing } from '../api/errors';
import { type AcceptedRecord, fetchLatest, type Thing } from '../api/thing';
import { userText } from '../errors/nodeError';
import type { Fields, Values } from '../fields/field';
import type { Described } from './operation';
import type { ItemRun, Run } from './run';
import { type Channel, MINUTE_MS } from './schedule';

/** How the service is to send the answer. */
export interface Delivery {
	isSync: boolean;
	/** The address at which it rings; undefined if only checks bring answers. */
	callbackUrl: () => string | undefined;
}

/** An operation that sends something once, or waits for what was sent. */
export interface SendingDefinition<F extends Fields, Prepared, Kept extends AcceptedRecord>
	extends Described<F> {
	thing: Thing<Kept>;
	waitingTooltip: string;
	/** Checks what the fields alone don't show, before anything is sent for any item. */
	prepare?: (run: Run, values: Values<F>) => Promise<Prepared>;
	/** The session that it continues: it is sent once those before it are over. */
	session?: (values: Values<F>) => string | undefined;
	/** How long sending may take, in minutes; by default as long as any request. */
	giveUpAfter?: (values: Values<F>) => number;
	/** What the request is about, as JSON: what tells it from others. If missing, nothing is sent. */
	content?: (values: Values<F>, prepared: Prepared) => unknown;
	/** Sends it, or finds what was sent. `turn` belongs to the request that sends it. */
	begin: (
		item: ItemRun,
		values: Values<F>,
		prepared: Prepared,
		turn: Partial<ApiRequest>,
		delivery: Delivery,
	) => Promise<Kept>;
	/** If missing, nothing is waited for. */
	wait?: WaitDefinition<Values<F>, Kept>;
	/** What is output. `unreached` is the number of items of the run that have not become what was waited for. */
	finish: (
		item: ItemRun,
		record: Kept,
		values: Values<F>,
		isTimedOut: boolean,
		unreached: number,
	) => Promise<INodeExecutionData>;
}

/** What is waited for. */
export interface WaitDefinition<V, Kept> {
	/** In minutes, from when the service accepted it; 0 looks once. */
	maxWait: (values: V) => number;
	/** How answers arrive, and where the service rings; decided once per run, for all items, before anything is sent. */
	channel: (run: Run, canPark: boolean) => { kind: Channel; address?: URL };
	/** What the editor shows of several, or of a single one. */
	waiting: (until: string, only?: { record: Kept; values: V }) => string;
	/** What ends the wait before the thing itself is over. */
	until?: {
		isReached: (record: Kept, values: V) => boolean;
		/** What is wrong if n8n lets it not wait until its time is over. */
		cutShort: (isTimeoutNear: boolean) => Error;
	};
}

/** How long a single look may take: the next one, or a callback, finds the answer too. */
const LOOK_TIMEOUT_MS = 60_000;
/** A service of several machines may need a moment until all of them know what is new. */
const NOT_FOUND_YET_MS = 2 * MINUTE_MS;

/**
 * What is waited for, as it stands now. During a wait only the API's own word that there is no such thing ends an item. Everything
 * else (no connection, a redirect, a page of a proxy, a key that does not work at the moment) means "not yet", with the reason
 * in a hint.
 *
 * @param known what is known so far
 * @param ageMs since it was accepted
 * @throws {ApiError} the API's word
 */
export async function latestOf<Kept extends AcceptedRecord>(
	{ client, hint }: Run,
	thing: Thing<Kept>,
	known: AcceptedRecord,
	ageMs: number,
): Promise<Kept> {
	const deadline = Date.now() + LOOK_TIMEOUT_MS;
	return await fetchLatest(client, thing, known, deadline).catch((error: unknown) => {
		if (!(error instanceof ApiError) || error.kind === 'canceled') throw error;
		if (isMissing(error) && ageMs >= NOT_FOUND_YET_MS) throw error;
		hint(`The node could not check: ${userText(error)[0]}. It will try again.`);
		return thing.read(known, known);
	});
}

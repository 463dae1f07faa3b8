import { type INodeExecutionData, UserError } from 'n8n-workflow';

import type { ApiRequest } from '../api/client';
import { ApiError, isMissing } from '../api/errors';
import { type AcceptedRecord, fetchLatest, type Thing } from '../api/thing';
import { userText } from '../errors/nodeError';
import type { Fields, Values } from '../fields/field';
import type { Described } from './operation';
import type { ItemRun, Run } from './run';
import { type Channel, MINUTE_MS } from './schedule';

/** An operation that sends something once, or waits for what was sent. */
export interface SendingDefinition<F extends Fields, Kept extends AcceptedRecord>
	extends Described<F> {
	thing: Thing<Kept>;
	waitingTooltip: string;
	/** Says what is sent for an item, before anything is sent for any. */
	prepare: (run: Run, values: Values<F>) => Promise<Sending<Kept>>;
	/** If missing, nothing is waited for. */
	wait?: WaitDefinition<Values<F>, Kept>;
	/** What is output. */
	finish: (
		item: ItemRun,
		record: Kept,
		values: Values<F>,
		isTimedOut: boolean,
	) => Promise<INodeExecutionData>;
}

/** What is sent for an item. */
export interface Sending<Kept> {
	/** What the request is about, as JSON: what tells it from others. If missing, nothing is sent: it finds what was. */
	content?: unknown;
	/** The session that it continues: it is sent once those before it are over. */
	session?: string;
	opensSession?: boolean;
	/** How long sending may take, in minutes; by default as long as any request. */
	giveUpAfter?: number;
	/**
	 * @param turn belongs to the request that sends it
	 * @param callbackUrl the address at which the service rings; undefined if only checks bring answers
	 */
	send: (item: ItemRun, turn: Partial<ApiRequest>, callbackUrl?: string) => Promise<Kept>;
}

/** What is waited for. */
interface WaitDefinition<V, Kept> {
	/** In minutes, from when the service accepted it; 0 looks once. */
	maxWait: (values: V) => number;
	/**
	 * How answers arrive, and where the service rings; decided once per run, for all items, before anything is sent.
	 *
	 * @param n8nCanPark whether n8n can run the node again; with `sync`, it is not parked even so
	 */
	channel: (run: Run, n8nCanPark: boolean) => { channel: Channel; address?: URL };
	/** What the editor shows of several, or of a single one. */
	waiting: (until: string, values: V, only?: Kept) => string;
	/** What ends the wait before the thing itself is over. */
	isReached?: (record: Kept, values: V) => boolean;
	/** The error, if n8n ends the wait before `maxWait` is over. */
	cutShort?: (canPark: boolean) => Error;
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
 * @param isLast whether it is output after this look
 * @throws {ApiError} the API's word
 */
export async function latestOf<Kept extends AcceptedRecord>(
	run: Run,
	thing: Thing<Kept>,
	known: AcceptedRecord,
	ageMs: number,
	isLast = false,
) {
	const look = async () =>
		await fetchLatest(run.client, thing, known, Date.now() + LOOK_TIMEOUT_MS);
	return await look().catch((error: unknown) => {
		const isCredential = error === run.credentialError;
		const isLasting =
			error instanceof ApiError
				? error.kind === 'canceled' || (isMissing(error) && ageMs >= NOT_FOUND_YET_MS)
				: !isCredential;
		if (isLasting) throw error;
		const next = isLast ? '' : ' It will try again.';
		// A credential that was deleted is an error of n8n's own, without advice.
		const why =
			isCredential && !(error instanceof UserError && error.description)
				? "its credential can't be used"
				: userText(error)[0];
		run.hint(`The node could not check: ${why}.${next}`);
		return thing.read(known, known);
	});
}

import type { IDataObject } from 'n8n-workflow';

import type { MessageTemplate } from '../messages';
import type { LegalAiClient, Turn } from './client';

/** A question or a task as the service has it, with its ID. */
export type AcceptedRecord = IDataObject & { id: string };

/** Everything in which one kind of what is sent once, waited for and read differs from another: the only place that says it. */
export interface Thing<Kept extends AcceptedRecord = AcceptedRecord> {
	/** What is said if the service does not find it. */
	readonly notFound: MessageTemplate;
	/** Where it is posted, below the base address; with its ID behind that, it is fetched. */
	readonly path: (known: IDataObject) => string[];
	/**
	 * What is known of it, once there is something newer: a response, a callback, or the record itself as it was kept.
	 *
	 * @throws {ApiError} of kind `invalidResponse`
	 */
	readonly read: (latest: unknown, known: IDataObject) => Kept;
	/** Whether nothing more comes of it. */
	readonly isOver: (record: AcceptedRecord) => boolean;
	/** Whether someone who retries an execution wants it sent again. */
	readonly isSentAgain: (record: AcceptedRecord) => boolean;
	/** As it was before its answer came: what the process keeps of it once n8n has the answer. */
	readonly unanswered: (record: AcceptedRecord) => Kept;
	/** Whether the limit of new sessions is on it, unless it continues one. */
	readonly opensSession: boolean;
	/** What the editor shows while several are waited for, or a single one. `until` is when the wait ends at the latest. */
	readonly waiting: (until: string, only?: AcceptedRecord) => string;
}

/** When something is sent. */
export interface SendingTurn extends Turn {
	/** How long to wait for a session that is busy with another question, in ms since the epoch. */
	busyUntil: number;
}

/**
 * Fetches a thing as it stands now.
 *
 * @param known its ID, what its path needs, and what is to stay known of it
 * @param deadline when to give up, in ms since the epoch
 */
export async function fetchLatest<Kept extends AcceptedRecord>(
	client: LegalAiClient,
	{ notFound, path, read }: Thing<Kept>,
	known: IDataObject & { id: string },
	deadline?: number,
): Promise<Kept> {
	return await client.request(
		{ method: 'GET', words: { notFound }, path: [...path(known), known.id], deadline },
		(latest) => read(latest, known),
	);
}

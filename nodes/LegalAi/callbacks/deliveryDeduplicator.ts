import { createHash } from 'crypto';
import type { IDataObject } from 'n8n-workflow';

import type { Callback } from './callback';

/**
 * A signed callback can be sent again by anybody for two minutes (its time may be a minute off either way), and by
 * the service itself for longer. A question ends once, so a second callback is never news, however late; an hour
 * covers what a sender that tries again would plausibly do.
 */
const REMEMBERED_MS = 60 * 60_000;

/** Close to what an organization at its limit (400 requests a minute) can have answered within that hour. */
const MAX_REMEMBERED = 20_000;

/** Which trigger of which workflow received a callback: each has to see it once, whatever others saw. */
export interface Receiver {
	workflowId: string;
	nodeId: string;
}

interface Delivery {
	/** Whether n8n has taken it: resolves once its sender was answered, or is gone. */
	isAccepted: Promise<boolean>;
	/** In ms since the epoch. */
	forgottenAt: number;
}

/**
 * The callbacks that triggers have received lately, so that one that is delivered again starts nothing. It lives in the
 * process, bounded in time and number.
 */
export class DeliveryDeduplicator {
	/** By key; the oldest come first. */
	private readonly deliveries = new Map<string, Delivery>();

	private readonly max: number;

	constructor(max = MAX_REMEMBERED) {
		this.max = max;
	}

	/**
	 * Whether the callback is new to its receiver; from then on it is not, unless it turns out that n8n did not take it. A
	 * callback that comes while that is open waits, so that one of several gets through.
	 */
	async add(receiver: Receiver, callback: Callback, isAccepted: Promise<boolean>, nowMs: number): Promise<boolean> {
		const key = keyOf(receiver, callback);
		this.forgetOld(nowMs);
		for (;;) {
			const earlier = this.deliveries.get(key);
			if (earlier === undefined) break;
			if (await earlier.isAccepted) return false;
			if (this.deliveries.get(key) === earlier) this.deliveries.delete(key);
		}
		for (const oldest of this.deliveries.keys()) {
			if (this.deliveries.size < this.max) break;
			this.deliveries.delete(oldest);
		}
		this.deliveries.set(key, { isAccepted, forgottenAt: nowMs + REMEMBERED_MS });
		return true;
	}

	/** Whether a receiver in this process has received the callback lately. */
	has(receiver: Receiver, callback: IDataObject): boolean {
		return this.deliveries.has(keyOf(receiver, callback));
	}

	private forgetOld(nowMs: number): void {
		for (const [key, { forgottenAt }] of this.deliveries) {
			if (forgottenAt > nowMs) break;
			this.deliveries.delete(key);
		}
	}
}

/** A hash, so that no entry is larger than another. */
function keyOf({ workflowId, nodeId }: Receiver, { id, status }: IDataObject): string {
	return createHash('sha256').update(JSON.stringify([workflowId, nodeId, id, status])).digest('base64');
}

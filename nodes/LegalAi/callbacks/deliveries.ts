import { createHash } from 'crypto';

import type { CallbackPayload } from './payload';

/**
 * A signed callback can be sent again by anybody for two minutes (its time may be a minute off either way), and by
 * the service itself for longer. A question ends once, so a second callback is never news, however late; an hour
 * covers what a sender that tries again would plausibly do.
 */
const REMEMBERED_MS = 60 * 60_000;

/** Close to what an organisation at its limit (400 requests a minute) can have answered within that hour. */
const MOST_REMEMBERED = 20_000;

/** Which trigger of which workflow took a callback: each has to see it once, whatever others saw. */
export interface Receiver {
	workflowId: string;
	nodeId: string;
}

/**
 * The callbacks that triggers have taken lately, so that one that is delivered again starts nothing. It lives
 * in the process, bounded in time and number: webhooks of n8n have no store that lasts and is shared. What it can't
 * know (another process, a restart) is left to a Remove Duplicates node in the workflow.
 */
export class Deliveries {
	/** When each is forgotten, by key; the oldest come first. */
	private readonly taken = new Map<string, number>();

	private readonly most: number;

	constructor(most = MOST_REMEMBERED) {
		this.most = most;
	}

	/** Whether the callback is news to its receiver; from then on it is not. */
	take(receiver: Receiver, payload: CallbackPayload, nowMs: number): boolean {
		for (const [key, forgottenAt] of this.taken) {
			if (forgottenAt > nowMs) break;
			this.taken.delete(key);
		}
		const key = keyOf(receiver, payload);
		if (this.taken.has(key)) return false;
		for (const oldest of this.taken.keys()) {
			if (this.taken.size < this.most) break;
			this.taken.delete(oldest);
		}
		this.taken.set(key, nowMs + REMEMBERED_MS);
		return true;
	}

	/** Takes it back: the callback did not get through, so that it is news when it comes again. */
	forget(receiver: Receiver, payload: CallbackPayload): void {
		this.taken.delete(keyOf(receiver, payload));
	}
}

/** A hash, so that no entry is larger than another. */
function keyOf({ workflowId, nodeId }: Receiver, { id, status }: CallbackPayload): string {
	return createHash('sha256').update(JSON.stringify([workflowId, nodeId, id, status])).digest('base64');
}

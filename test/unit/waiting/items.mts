import type { AskedItem, UnaskedItem, WaitingItem, WaitingItems } from '../../../nodes/LegalAi/waiting/waitingItem.ts';

export const NOW = 1_760_000_000_000;
export const MINUTE = 60_000;

/** An item whose question was asked in a session just now, with half an hour to wait. */
export function asked(
	session: string,
	{ status = 'in_progress', ...times }: Partial<AskedItem> & { status?: string } = {},
): AskedItem {
	const texts = { answer: null, reason: null, session_url: null, assistant_id: 'default' };
	const question = { id: `question in ${session}`, status, session_id: session, ...texts };
	return { question, acceptedAt: NOW, deadline: NOW + 30 * MINUTE, isChecked: false, ...times };
}

/** An item that is still to be asked, in a session or in one of its own. */
export function unasked(session?: string, giveUpAt?: number): UnaskedItem {
	return { session, giveUpAt, isPostponed: false };
}

/** The items of a run, behind one that has failed. */
export function itemsOf(...items: WaitingItem[]): WaitingItems {
	return [{ failure: { error: 'No.' } }, ...items.map((value) => ({ value }))];
}

import { tryToParseDateTime } from 'n8n-workflow';
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { timezoneOf } from '../fields/dateTime';
import type { Ledger } from './ledger';
import { isQueued, waitEndsAt } from './schedule';

/**
 * Says what the node waits for. The editor shows it while the execution is parked, and what it says has to stay true until n8n resumes it.
 *
 * @param waiting what is said of several items, or of a single one, by its index
 */
export function progressHint(
	ledger: Ledger,
	context: IExecuteFunctions,
	waiting: (until: string, only?: number) => string,
): string {
	const { entries } = ledger;
	const queued = entries.filter(isQueued);
	if (queued.some(({ session }) => session === undefined))
		return "Sending the items in portions, as the service's limits allow. What was sent is not sent again.";
	if (queued.length > 0)
		return 'Waiting for answers. Questions in the same session are asked one after the other.';
	const [only, ...others] = [...entries.keys()].filter((index) => {
		const { record, failure } = entries[index] ?? {};
		return record !== undefined && failure === undefined;
	});
	const until = timeOf(waitEndsAt(ledger, Date.now()), timezoneOf(context));
	return waiting(until, others.length === 0 ? only : undefined);
}

/** E.g. "Mar 31, 3:40 PM EST": the browser that shows it, and n8n's lists, may be on another clock than the workflow. */
function timeOf(ms: number, timeZone: string): string {
	return tryToParseDateTime(new Date(ms).toISOString()).setZone(timeZone).toLocaleString(
		{
			month: 'short',
			day: 'numeric',
			hour: 'numeric',
			minute: '2-digit',
			timeZoneName: 'short',
		},
		{ locale: 'en-US' },
	);
}

/**
 * What n8n hands to a calling workflow, with the files, or responds to a webhook or chat as the execution parks for the first
 * time; it is taken back as n8n resumes. In the files themselves, not in copies, n8n notes where the caller's are from then on.
 */
export function parkedItems(
	{ entries, wake }: Ledger,
	context: IExecuteFunctions,
): INodeExecutionData[] {
	const isShown = ['integrated', 'manual', 'webhook', 'chat'].includes(context.getMode());
	if (wake !== undefined || !isShown) return [];
	// What a chat shows of an item.
	const words =
		context.getChatTrigger() === null
			? {}
			: { output: 'Legal AI is working on this. It usually takes 2 to 5 minutes.' };
	return context.getInputData().map(({ binary }, item) => {
		const { state, record, failure } = entries[item] ?? {};
		const status = state === 'sent' || failure ? {} : { status: 'in_progress' };
		// With an error, "Retry On Fail" would run the node again.
		const json = { ...words, ...status, ...record, error: undefined };
		return { json, binary, pairedItem: { item } };
	});
}

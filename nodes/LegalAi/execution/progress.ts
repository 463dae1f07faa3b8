import { tryToParseDateTime } from 'n8n-workflow';
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { timezoneOf } from '../fields/dateTime';
import type { Ledger } from './ledger';

/** E.g. "Mar 31, 3:40 PM EST": the browser that shows it, and n8n's lists, may be on another clock than the workflow. */
export function timeOf(ms: number, context: IExecuteFunctions): string {
	return tryToParseDateTime(new Date(ms).toISOString()).setZone(timezoneOf(context)).toLocaleString(
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

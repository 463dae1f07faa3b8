import { isRecord } from '../api';

const RESUME_ENDPOINT = '/webhook-waiting/';

/** Where triggers listen, below n8n's webhook endpoint: each by the ID of its workflow. */
export const TRIGGER_PATH = 'legal-ai';

/**
 * The production address of a workflow's Legal AI Trigger; undefined if n8n's endpoints were renamed. It is next to the address for
 * resuming executions, the only one that n8n gives to a node.
 */
export function triggerUrl({ href }: URL, workflowId: string): string | undefined {
	const end = href.lastIndexOf(RESUME_ENDPOINT);
	return end === -1
		? undefined
		: `${href.slice(0, end)}/webhook/${TRIGGER_PATH}/${encodeURIComponent(workflowId)}`;
}

/** Callbacks do not say which assistant was asked, so the address does. */
const ASSISTANT_PARAMETER = 'assistant_id';

/** The address of a trigger for the answers of one assistant. */
export function triggerUrlFor(url: string, assistantId: string): string {
	const address = new URL(url);
	address.searchParams.set(ASSISTANT_PARAMETER, assistantId);
	return address.href;
}

/** The assistant that the address names which a callback came to; undefined if it names none. */
export function assistantOf(query: unknown): string | undefined {
	const assistant = isRecord(query) ? query[ASSISTANT_PARAMETER] : undefined;
	return typeof assistant === 'string' && assistant !== '' ? assistant : undefined;
}

import type { IWebhookFunctions } from 'n8n-workflow';

import { webhookSecretsOf } from './signature';

/** Reads under way, by receiver. */
const reads = new Map<string, Promise<string[]>>();

/** The part of n8n that is needed. */
type ReceiverContext = Pick<IWebhookFunctions, 'getCredentials' | 'getNode' | 'getWorkflow' | 'getExecutionId'>;

/**
 * What a receiver checks signatures with. Reading a credential is the most expensive part of a callback, so callbacks that
 * come while it is being read share that read; none is kept, so that a removed secret is no longer accepted.
 *
 * @returns undefined if n8n can't read the credential, e.g. because it was deleted
 */
export async function readWebhookSecrets(context: ReceiverContext): Promise<string[] | undefined> {
	const { id: nodeId, credentials } = context.getNode();
	const key = JSON.stringify([context.getWorkflow().id, nodeId, context.getExecutionId(), credentials]);
	const read =
		reads.get(key) ??
		context
			.getCredentials('legalAiApi')
			.then(webhookSecretsOf)
			.finally(() => reads.delete(key));
	reads.set(key, read);
	return await read.catch(() => undefined);
}

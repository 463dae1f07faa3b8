import type { ILoadOptionsFunctions } from 'n8n-workflow';

import { LegalAiClient } from '../api/client';
import { toNodeError } from '../api/errors';
import type { List } from '../api/paging';

const PATIENCE_MS = 15_000;

/**
 * Asks the service for what the editor shows in a list. Nobody waits long there: requests are repeated for
 * 15 seconds at most.
 *
 * @throws {NodeApiError | NodeOperationError} with the sentence that the editor shows in place of the list
 */
export async function lookUp<T>(
	context: ILoadOptionsFunctions,
	ask: (client: LegalAiClient, patience: Pick<List, 'deadline'>) => Promise<T>,
): Promise<T> {
	try {
		return await ask(await LegalAiClient.create(context), { deadline: Date.now() + PATIENCE_MS });
	} catch (error) {
		throw toNodeError(context.getNode(), error);
	}
}

import type { ILoadOptionsFunctions, INodeListSearchItems } from 'n8n-workflow';

import type { LegalAiClient } from '../api/client';
import type { List } from '../api/pagination';
import { toNodeError } from '../execution/nodeError';
import { createClient } from '../execution/connection';

const PATIENCE_MS = 15_000;

/**
 * Asks the service for what the editor shows in a list. Nobody waits long there: requests are repeated for
 * 15 seconds at most.
 *
 * @throws {NodeApiError | NodeOperationError} with the sentence that the editor shows in place of the list
 */
export async function searchService<T>(
	context: ILoadOptionsFunctions,
	search: (client: LegalAiClient, budget: Pick<List, 'deadline'>) => Promise<T>,
): Promise<T> {
	try {
		const client = await createClient(context);
		return await search(client, { deadline: Date.now() + PATIENCE_MS });
	} catch (error) {
		throw toNodeError(context.getNode(), error);
	}
}

/** Whether an entry of a list has the words typed, in its name or its value. */
export function matching(filter = ''): (entry: INodeListSearchItems) => boolean {
	const words = filter.trim().toLowerCase();
	return ({ name, value }) => [name, String(value)].some((text) => text.toLowerCase().includes(words));
}

/** In the order in which people look for names. */
export function byName(a: INodeListSearchItems, b: INodeListSearchItems): number {
	return a.name.localeCompare(b.name, 'en', { numeric: true });
}

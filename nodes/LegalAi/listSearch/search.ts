import type {
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
} from 'n8n-workflow';

import { textOrNull, type JsonRecord, type LegalAiClient } from '../api';
import { createClient } from '../connection/createClient';
import { toNodeError } from '../errors/nodeError';

const TIMEOUT_MS = 15_000;

/** Fills the list of a resource locator: `methods.listSearch` of a node type. */
export type ListSearch = (
	this: ILoadOptionsFunctions,
	filter?: string,
	token?: string,
) => Promise<INodeListSearchResult>;

/** Loads something for a list. */
export type Load<T> = (client: LegalAiClient) => Promise<T>;

/**
 * Asks the service for what the editor shows in a list. Nobody waits long there: requests are repeated for
 * 15 seconds at most.
 *
 * @throws {NodeApiError | NodeOperationError} with the sentence that the editor shows in place of the list
 */
export async function askService<T>(context: ILoadOptionsFunctions, load: Load<T>): Promise<T> {
	try {
		return await load(await createClient(context, { deadline: Date.now() + TIMEOUT_MS }));
	} catch (error) {
		throw toNodeError(context.getNode(), error);
	}
}

/** A list that the API can't search: it is loaded whole, and filtered by name or ID. */
export function wholeList(load: Load<INodeListSearchItems[]>): ListSearch {
	return async function search(filter = '') {
		const words = filter.trim().toLowerCase();
		const isMatch = ({ name, value }: INodeListSearchItems): boolean =>
			[name, String(value)].some((text) => text.toLowerCase().includes(words));
		return { results: (await askService(this, load)).filter(isMatch) };
	};
}

/** The entries of a list, without records that have no ID to pick them by. */
export function entriesOf(records: JsonRecord[]): INodeListSearchItems[] {
	return records.flatMap((record) => {
		const value = idOf(record);
		return value === undefined ? [] : [{ name: labelOf(record), value }];
	});
}

/** In the order in which people look for names. */
export function byName(a: INodeListSearchItems, b: INodeListSearchItems): number {
	return a.name.localeCompare(b.name, 'en', { numeric: true });
}

/** What a record is called; undefined if it does not say. */
export function nameOf({ name, title }: JsonRecord): string | undefined {
	return (textOrNull(name) ?? textOrNull(title))?.trim() || undefined;
}

/** A record's ID as text; undefined if it has none to pick it by. */
export function idOf({ id }: JsonRecord): string | undefined {
	return (typeof id === 'string' && id !== '') || typeof id === 'number' ? String(id) : undefined;
}

/** What a record is called in a list: its name, else its ID; of a task with its key, e.g. `LEGAL-12 Review supplier NDA`. */
export function labelOf(record: JsonRecord): string {
	const key = idOf({ id: record.display_id });
	const name = nameOf(record) ?? idOf(record) ?? '';
	return key === undefined ? name : `${key} ${name}`;
}

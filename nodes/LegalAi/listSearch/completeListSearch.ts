import type { ILoadOptionsFunctions, INodeListSearchItems, INodeListSearchResult } from 'n8n-workflow';

import { collect, paginate, type List } from '../api/pagination';
import { idOf, labelOf } from './label';
import { byName, matching, searchService } from './search';

const GENERAL_ASSISTANT: INodeListSearchItems = { name: 'General Assistant', value: 'default' };

/** Assistants by name or id, the general one first. */
export async function searchAssistants(this: ILoadOptionsFunctions, filter?: string): Promise<INodeListSearchResult> {
	const listed = await entries(this, 'assistants');
	const general = listed.find(({ value }) => value === GENERAL_ASSISTANT.value) ?? GENERAL_ASSISTANT;
	const others = listed.filter(({ value }) => value !== GENERAL_ASSISTANT.value);
	return { results: [general, ...others].filter(matching(filter)) };
}

/** Assistants that a task can be given to: the general one has no ID of its own. */
export async function searchAgents(this: ILoadOptionsFunctions, filter?: string): Promise<INodeListSearchResult> {
	const listed = await entries(this, 'assistants');
	return { results: listed.filter(({ value }) => value !== GENERAL_ASSISTANT.value).filter(matching(filter)) };
}

/** Playbooks by name or id. */
export async function searchPlaybooks(this: ILoadOptionsFunctions, filter?: string): Promise<INodeListSearchResult> {
	return { results: (await entries(this, 'playbooks')).filter(matching(filter)) };
}

/** Templates by name or id. */
export async function searchTemplates(this: ILoadOptionsFunctions, filter?: string): Promise<INodeListSearchResult> {
	return { results: (await entries(this, 'templates')).filter(matching(filter)) };
}

/** The API can't search these lists, so all of it is fetched, and sorted by name. */
async function entries(context: ILoadOptionsFunctions, name: List['name']): Promise<INodeListSearchItems[]> {
	const records = await searchService(context, async (client, budget) => {
		return await collect(paginate(client, { name, ...budget }), Infinity, (record) => record);
	});
	return records
		.flatMap((record) => {
			const value = idOf(record);
			return value === undefined ? [] : [{ name: labelOf(record), value }];
		})
		.sort(byName);
}

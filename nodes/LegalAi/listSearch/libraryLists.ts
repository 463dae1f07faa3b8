import type { INodeListSearchItems } from 'n8n-workflow';

import { collect, paginate, type List } from '../api/pagination';
import { idOf, labelOf } from './label';
import { byName, wholeList, type Load } from './search';

const GENERAL_ASSISTANT: INodeListSearchItems = { name: 'General Assistant', value: 'default' };

/** The assistants, the general one first. */
export const searchAssistants = wholeList(async (...service) => {
	const listed = await entriesOf('assistants')(...service);
	const general = listed.find(({ value }) => value === GENERAL_ASSISTANT.value) ?? GENERAL_ASSISTANT;
	return [general, ...withoutGeneral(listed)];
});

/** Assistants that a task can be given to: the general one has no ID of its own. */
export const searchAgents = wholeList(async (...service) => withoutGeneral(await entriesOf('assistants')(...service)));

export const searchPlaybooks = wholeList(entriesOf('playbooks'));

export const searchTemplates = wholeList(entriesOf('templates'));

function entriesOf(name: List['name']): Load<INodeListSearchItems[]> {
	return async (client, budget) => {
		const records = await collect(paginate(client, { name, ...budget }), Infinity, (record) => record);
		return records
			.flatMap((record) => {
				const value = idOf(record);
				return value === undefined ? [] : [{ name: labelOf(record), value }];
			})
			.sort(byName);
	};
}

function withoutGeneral(assistants: INodeListSearchItems[]): INodeListSearchItems[] {
	return assistants.filter(({ value }) => value !== GENERAL_ASSISTANT.value);
}

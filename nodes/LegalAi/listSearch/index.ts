import type { INodeListSearchItems, INodeType } from 'n8n-workflow';

import { collect, nextPage, paginate, paginateTasks, type List, type TaskList } from '../api';
import { askService, byName, entriesOf, wholeList, type ListSearch, type Load } from './search';
import { loadPeople, referencesOnTasks, valuesOnTasks } from './seenOnTasks';

const TASKS_A_PAGE = 50;

const GENERAL_ASSISTANT: INodeListSearchItems = { name: 'General Assistant', value: 'default' };

/** The statuses that the specification names: people wait for them before any task has them. */
const NAMED_STATUSES = ['in_progress', 'completed'];

/** The lists that the editor shows behind fields with several values. */
export const loadOptions: NonNullable<NonNullable<INodeType['methods']>['loadOptions']> = {
	async getStatuses() {
		const seen = await askService(this, valuesOnTasks('status'));
		const unseen = NAMED_STATUSES.filter((status) => seen.every(({ value }) => value !== status));
		return [...seen, ...unseen.map((status) => ({ name: status, value: status }))];
	},
};

/** The lists that the editor shows behind the node's resource locators. */
export const listSearch: NonNullable<NonNullable<INodeType['methods']>['listSearch']> = {
	// A task can't be given to the general assistant, which has no ID of its own.
	searchAgents: wholeList(async (client) =>
		(await allOf('assistants')(client)).filter((each) => !isGeneral(each)),
	),
	searchAssignedTeams: wholeList(referencesOnTasks('assigned_team_id')),
	searchAssistants: wholeList(async (client) => {
		const listed = await allOf('assistants')(client);
		return [
			listed.find(isGeneral) ?? GENERAL_ASSISTANT,
			...listed.filter((each) => !isGeneral(each)),
		];
	}),
	searchDrafts: taskSearch(['draft']),
	searchMatters: wholeList(referencesOnTasks('matter_id')),
	searchPeople: wholeList(loadPeople),
	searchPlaybooks: wholeList(allOf('playbooks')),
	searchPriorities: wholeList(valuesOnTasks('priority')),
	searchStatuses: wholeList(valuesOnTasks('status')),
	searchTasks: taskSearch([]),
	searchTaskTeams: wholeList(referencesOnTasks('team_id')),
	searchTemplates: wholeList(allOf('templates')),
};

function allOf(name: List['name']): Load<INodeListSearchItems[]> {
	return async (client) => {
		const records = await collect(paginate(client, { name }), Infinity, (record) => record);
		return entriesOf(records).sort(byName);
	};
}

function isGeneral({ value }: INodeListSearchItems): boolean {
	return value === GENERAL_ASSISTANT.value;
}

/** Tasks that the service finds for the words typed, a page at a time. */
function taskSearch(flags: TaskList['flags']): ListSearch {
	return async function search(filter, paginationToken) {
		const list: TaskList = {
			flags,
			query: { query: filter?.trim() || undefined },
			pageSize: TASKS_A_PAGE,
		};
		const page = await askService(
			this,
			async (client) => await nextPage(paginateTasks(client, list, paginationToken)),
		);
		return { results: entriesOf(page.records), paginationToken: page.next };
	};
}

import { expect, test } from 'vitest';

import { listSearch, loadOptions } from '../../../nodes/LegalAi/listSearch/index.ts';
import { resources } from '../../../nodes/LegalAi/resources/index.ts';

const { create, get, getAll, update, archive, acceptDraft } = resources.task.operations;

/** The lists that an operation's fields offer, by the names of the fields; those in collections too. */
function listsOf({ properties }: typeof create): Record<string, string | undefined> {
	const fields = properties.flatMap((property) => [property, ...(property.options ?? []).filter((option) => 'type' in option)]);
	return Object.fromEntries(
		fields.flatMap(({ name, modes, typeOptions }) => {
			const list = modes?.find((mode) => mode.type === 'list');
			const method = list?.typeOptions?.searchListMethod ?? typeOptions?.loadOptionsMethod;
			return method === undefined ? [] : [[name, method]];
		}),
	);
}

const SETTABLE = {
	assignedAgent: 'searchAgents',
	assignedTeamId: 'searchAssignedTeams',
	assignedTo: 'searchPeople',
	matterId: 'searchMatters',
	priority: 'searchPriorities',
	status: 'searchStatuses',
};

test.each([
	['create', create, { ...SETTABLE, parentTaskId: 'searchTasks' }],
	['update', update, { ...SETTABLE, taskId: 'searchTasks' }],
	['get', get, { taskId: 'searchTasks' }],
	['archive', archive, { taskId: 'searchTasks' }],
	['acceptDraft', acceptDraft, { taskId: 'searchDrafts' }],
	[
		'getAll',
		getAll,
		{ assignedTo: 'searchPeople', involving: 'searchPeople', priority: 'searchPriorities', status: 'getStatuses', teamId: 'searchTaskTeams' },
	],
])('%s: whatever has an ID or a value of its own is chosen from a list', (_name, operation, expected) => {
	const lists = listsOf(operation);
	expect(lists).toEqual(expected);
	expect(Object.values(lists).filter((name = '') => !(name in listSearch) && !(name in loadOptions))).toEqual([]);
});

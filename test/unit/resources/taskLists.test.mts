import { listSearch, loadOptions } from '../../../nodes/LegalAi/listSearch/index.ts';
import { resources } from '../../../nodes/LegalAi/resources/index.ts';

const { create, get, getAll, update, archive, acceptDraft } = resources.task.operations;

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
		{
			assignedTo: 'searchPeople',
			involving: 'searchPeople',
			priority: 'searchPriorities',
			status: 'getStatuses',
			teamId: 'searchTaskTeams',
		},
	],
])(
	'task: %s: whatever has an ID or a value of its own is chosen from a list',
	(_name, { properties }, expected) => {
		const fields = properties.flatMap((property) => [
			property,
			...(property.options ?? []).filter((option) => 'type' in option),
		]);
		const lists = fields.flatMap(({ name, modes = [], typeOptions }) => {
			const methods = [
				...modes.map((mode) => mode.typeOptions?.searchListMethod),
				typeOptions?.loadOptionsMethod,
			];
			return methods.filter((method) => method !== undefined).map((method) => [name, method]);
		});
		expect(Object.fromEntries(lists)).toEqual(expected);
		expect(Object.keys({ ...listSearch, ...loadOptions })).toEqual(
			expect.arrayContaining(Object.values(expected)),
		);
	},
);

import type { INodeProperties, INodePropertyMode } from 'n8n-workflow';

const UUID = '[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}';

const text = (mode: Omit<INodePropertyMode, 'type'>): INodePropertyMode => ({ ...mode, type: 'string' });
const byId = (placeholder: string) => text({ displayName: 'By ID', name: 'id', placeholder });
const byName = (placeholder: string) => text({ displayName: 'By Name', name: 'name', placeholder });
const byValue = (placeholder: string) => text({ displayName: 'By Value', name: 'value', placeholder });
const fromList = (searchListMethod: string): INodePropertyMode => ({
	...text({ displayName: 'From List', name: 'list', typeOptions: { searchListMethod, searchable: true } }),
	type: 'list',
});

/** Which assistant; the general one unless told otherwise. */
export const assistantLocator: INodeProperties = {
	displayName: 'Assistant',
	name: 'assistantId',
	type: 'resourceLocator',
	default: { mode: 'list', value: 'default', cachedResultName: 'General Assistant' },
	required: true,
	description: 'The assistant that answers. The general one has the ID "default".',
	modes: [fromList('searchAssistants'), byId('e.g. default')],
};

/** Which playbook, by its id or by its name. */
export const playbookLocator: INodeProperties = {
	displayName: 'Playbook',
	name: 'playbook',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	description: 'The review rubric of your organisation to go by',
	modes: [
		fromList('searchPlaybooks'),
		byId('e.g. 3b9e6a70-52c4-4d1f-a8b3-6f7e8d9c0b1a'),
		byName('e.g. Mutual NDA'),
	],
};

/** Which drafting template, by its id or by its name. */
export const templateLocator: INodeProperties = {
	displayName: 'Template',
	name: 'template',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	description: 'The drafting template of your organisation to start from',
	modes: [
		fromList('searchTemplates'),
		byId('e.g. 6e219da3-85f7-4042-9be6-9ca1b02f3e4d'),
		byName('e.g. Consultancy Agreement'),
	],
};

/** Which task; the list searches at the service. */
export const taskLocator: INodeProperties = {
	displayName: 'Task',
	name: 'taskId',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	required: true,
	description: 'The task to work on. Archived tasks and drafts are not in the list: enter their ID.',
	modes: [
		fromList('searchTasks'),
		{
			...byId('e.g. 0f6b3c52-9d1e-4c27-8a54-7be1d2f3a4c5'),
			validation: [
				{
					type: 'regex',
					properties: {
						regex: `\\s*${UUID}\\s*`,
						errorMessage: "Enter the task's ID, e.g. 0f6b3c52-9d1e-4c27-8a54-7be1d2f3a4c5, not the short key that the web application shows",
					},
				},
			],
		},
	],
};

/** A task's status: one that your tasks have, or any other in plain text. */
export const statusLocator: INodeProperties = {
	displayName: 'Status',
	name: 'status',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	description: 'Where the work stands. The list shows what your tasks have.',
	modes: [fromList('searchStatuses'), byValue('e.g. in_progress')],
};

/** A task's priority: one that your tasks have, or any other in plain text. */
export const priorityLocator: INodeProperties = {
	displayName: 'Priority',
	name: 'priority',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	description: 'How urgent the work is. The list shows what your tasks have.',
	modes: [fromList('searchPriorities'), byValue('e.g. high')],
};

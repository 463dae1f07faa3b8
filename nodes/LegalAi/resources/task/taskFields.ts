import { priorityLocator, statusLocator, taskLocator } from '../../lookups/locators';
import type { Field } from './fields';
import { dateTime, flag, objects, text, word, words } from './values';

const additionalContext: Field = {
	apiName: 'additional_context',
	read: text,
	property: {
		displayName: 'Additional Context',
		name: 'additionalContext',
		type: 'string',
		typeOptions: { rows: 3 },
		default: '',
		description: 'What else helps to get the work done',
	},
};

const archived: Field = {
	apiName: 'archived',
	read: flag,
	property: {
		displayName: 'Archived',
		name: 'archived',
		type: 'boolean',
		default: true,
		description: 'Whether to put the task into the archive, or, if off, to take it out',
	},
};

const assignedAgent: Field = {
	apiName: 'assigned_agent',
	read: word,
	property: {
		displayName: 'Assigned Agent',
		name: 'assignedAgent',
		type: 'string',
		default: '',
		placeholder: 'e.g. 8a43bfc5-a719-4264-9d08-bec3d2415a6f',
		description: 'ID of the agent that is to carry the task out',
	},
};

const assignedTeamId: Field = {
	apiName: 'assigned_team_id',
	read: word,
	property: {
		displayName: 'Assigned Team ID',
		name: 'assignedTeamId',
		type: 'string',
		default: '',
		placeholder: 'e.g. 9b54c0d6-b82a-4375-ae19-cfd4e3526b70',
		description: 'The team that may edit the task',
	},
};

const assignedTo: Field = {
	apiName: 'assigned_to',
	read: word,
	property: {
		displayName: 'Assigned To',
		name: 'assignedTo',
		type: 'string',
		default: '',
		placeholder: 'e.g. 1f0c9a52-6b1d-4f0e-9b58-2a7d4c3e5f60',
		description: 'ID of the person who is responsible',
	},
};

const completeBy: Field = {
	apiName: 'complete_by',
	read: dateTime,
	property: {
		displayName: 'Complete By',
		name: 'completeBy',
		type: 'dateTime',
		default: '',
		description: 'Due date. Without an offset it is meant in the time zone of this workflow.',
	},
};

const description: Field = {
	apiName: 'description',
	read: text,
	property: {
		displayName: 'Description',
		name: 'description',
		type: 'string',
		typeOptions: { rows: 3 },
		default: '',
		description: 'The main instruction: what is to be done',
	},
};

const draftOfNew: Field = {
	apiName: 'draft',
	read: flag,
	property: {
		displayName: 'Draft',
		name: 'draft',
		type: 'boolean',
		default: true,
		description: 'Whether somebody has to accept the task before it counts',
	},
};

const draftOfExisting: Field = {
	apiName: 'draft',
	read: flag,
	property: {
		displayName: 'Draft',
		name: 'draft',
		type: 'boolean',
		default: false,
		description: 'Whether the task has to be accepted before it counts. Switched off, it accepts a draft.',
	},
};

const linkedItems: Field = {
	apiName: 'linked_items',
	read: objects,
	property: {
		displayName: 'Linked Items',
		name: 'linkedItems',
		type: 'json',
		default: '',
		placeholder: 'e.g. [{ "type": "report", "url": "…" }]',
		description: 'Chats, reviews, reports or other tasks that belong to it, as a JSON array of objects',
	},
};

const matterId: Field = {
	apiName: 'matter_id',
	read: word,
	property: {
		displayName: 'Matter ID',
		name: 'matterId',
		type: 'string',
		default: '',
		placeholder: 'e.g. 4c0f7b81-63d5-4e20-b9c4-7a8f9e0d1c2b',
		description: 'The matter that the task is filed under',
	},
};

const parentTaskId: Field = {
	apiName: 'parent_task_id',
	read: word,
	property: {
		...taskLocator,
		displayName: 'Parent Task',
		name: 'parentTaskId',
		required: false,
		description: 'The task that this one becomes a subtask of',
	},
};

const priority: Field = { apiName: 'priority', read: word, property: priorityLocator };

const status: Field = { apiName: 'status', read: word, property: statusLocator };

const tags: Field = {
	apiName: 'tags',
	read: words,
	property: {
		displayName: 'Tags',
		name: 'tags',
		type: 'string',
		default: '',
		placeholder: 'e.g. nda, supplier',
		description: 'Labels of your own, with commas in between, or a list from an expression',
	},
};

const title: Field = {
	apiName: 'title',
	read: text,
	property: {
		displayName: 'Title',
		name: 'title',
		type: 'string',
		default: '',
		placeholder: 'e.g. Review supplier NDA',
		description: 'A short summary',
	},
};

/** What a new task may have beside its title. */
export const newTaskFields: Field[] = [
	assignedAgent,
	assignedTeamId,
	assignedTo,
	completeBy,
	description,
	draftOfNew,
	linkedItems,
	matterId,
	parentTaskId,
	priority,
	status,
	tags,
];

/** What can be changed of a task. */
export const changeableFields: Field[] = [
	additionalContext,
	archived,
	assignedAgent,
	assignedTeamId,
	assignedTo,
	completeBy,
	description,
	draftOfExisting,
	linkedItems,
	matterId,
	priority,
	status,
	tags,
	title,
];

/** What an explicit null empties; the API ignores a null for any other field. */
export const clearableFields: Field[] = [
	additionalContext,
	assignedAgent,
	assignedTeamId,
	assignedTo,
	completeBy,
	description,
	matterId,
];

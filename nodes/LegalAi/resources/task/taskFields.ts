import { toggle } from '../../parameters/choice';
import { dateTime } from '../../parameters/dateTime';
import { jsonArray, list } from '../../parameters/list';
import { byUuid, byValue, fromList, pickedTextOrNumber, pickedValue, requiredPick } from '../../parameters/locator';
import type { FieldDescription, Parameter } from '../../parameters/parameter';
import { text } from '../../parameters/text';
import { parameterMessages } from '../../messages/parameterMessages';

const byTaskId = byUuid('task', '0f6b3c52-9d1e-4c27-8a54-7be1d2f3a4c5', 'the short key that the web app shows');

/** Which task an operation is about; the list searches at the service. */
export const taskId = requiredPick(
	{
		displayName: 'Task',
		name: 'taskId',
		description: 'The task to work with. To use an archived task or a draft, enter its ID.',
		modes: [fromList('searchTasks'), byTaskId],
	},
	parameterMessages.taskEmpty,
);

/** Which draft an operation is about; the list has the drafts of the service. */
export const draftId = requiredPick(
	{
		displayName: 'Task',
		name: 'taskId',
		description: 'The draft to accept',
		modes: [fromList('searchDrafts'), byTaskId],
	},
	parameterMessages.taskEmpty,
);

/** A person, picked from those seen on tasks. */
export function person(field: FieldDescription & { description: string }): Parameter<string | undefined> {
	return pickedValue({
		...field,
		description: `${field.description}. The list shows you and the people on your tasks. To find the ID of someone else, get a task that is assigned to them.`,
		modes: [
			fromList('searchPeople'),
			byUuid('person', '1f0c9a52-6b1d-4f0e-9b58-2a7d4c3e5f60', 'a name or an email address'),
		],
	});
}

const teamModes = [
	fromList('searchTeams'),
	byUuid('team', '9b54c0d6-b82a-4375-ae19-cfd4e3526b70', 'its name'),
];

const title = text({
	displayName: 'Title',
	name: 'title',
	placeholder: 'e.g. Review supplier NDA',
	description: 'A short summary',
});

const status = pickedTextOrNumber({
	displayName: 'Status',
	name: 'status',
	description: 'The state of the work. The list shows the statuses of your tasks.',
	modes: [fromList('searchStatuses'), byValue('e.g. in_progress')],
});

const priorityField = {
	displayName: 'Priority',
	name: 'priority',
	description: 'How urgent the work is. The list shows the priorities of your tasks.',
	modes: [fromList('searchPriorities'), byValue('e.g. high')],
};

/** Fields of both new and existing tasks, by the API's names. */
const settableFields = {
	assigned_agent: pickedValue({
		displayName: 'Assigned Assistant',
		name: 'assignedAgent',
		description: 'The assistant that works on the task. The list shows the assistants that you can use.',
		modes: [
			fromList('searchAgents'),
			byUuid('assistant', '8a43bfc5-a719-4264-9d08-bec3d2415a6f', 'its name'),
		],
	}),
	assigned_team_id: pickedValue({
		displayName: 'Assigned Team',
		name: 'assignedTeamId',
		description:
			'The team that can edit the task. The list shows the teams of your tasks. To find the ID of another team, get one of its tasks with "Simplify" turned off.',
		modes: teamModes,
	}),
	assigned_to: person({ displayName: 'Assigned To', name: 'assignedTo', description: 'The person who is responsible' }),
	complete_by: dateTime({ displayName: 'Due Date', name: 'completeBy', description: 'When the task has to be done' }, 'end'),
	description: text({
		displayName: 'Description',
		name: 'description',
		typeOptions: { rows: 3 },
		description: 'The main instruction: what to do',
	}),
	linked_items: jsonArray({
		displayName: 'Linked Items',
		name: 'linkedItems',
		placeholder: 'e.g. [{ "type": "report", "id": "…" }]',
		description: 'Chats, reviews, reports or other tasks that belong to the task, as a JSON array',
	}),
	matter_id: pickedValue({
		displayName: 'Matter',
		name: 'matterId',
		description:
			'The matter to file the task under. The list shows the matters of your tasks. To find the ID of another matter, get one of its tasks with "Simplify" turned off.',
		modes: [
			fromList('searchMatters'),
			byUuid('matter', '4c0f7b81-63d5-4e20-b9c4-7a8f9e0d1c2b', 'its name'),
		],
	}),
	priority: pickedTextOrNumber(priorityField),
	status,
	tags: list({
		displayName: 'Tags',
		name: 'tags',
		placeholder: 'e.g. nda, supplier',
		description: 'Your own labels, separated by commas, or a list from an expression',
	}),
};

/** What a new task can have besides its title, by the API's names. */
export const newTaskFields = {
	...settableFields,
	draft: toggle({
		displayName: 'Draft',
		name: 'draft',
		default: true,
		description: 'Whether someone has to accept the task before it becomes active',
	}),
	parent_task_id: pickedValue({
		displayName: 'Parent Task',
		name: 'parentTaskId',
		description: 'The task that this one becomes a subtask of',
		modes: [fromList('searchTasks'), byTaskId],
	}),
};

/** What can be changed of a task, by the API's names. */
export const changeableFields = {
	...settableFields,
	additional_context: text({
		displayName: 'Additional Context',
		name: 'additionalContext',
		typeOptions: { rows: 3 },
		description: 'Background that helps to get the work done',
	}),
	archived: toggle({
		displayName: 'Archived',
		name: 'archived',
		default: true,
		description: 'Whether to archive the task. Turn off to restore it.',
	}),
	draft: toggle({
		displayName: 'Draft',
		name: 'draft',
		default: false,
		description: 'Whether the task has to be accepted before it becomes active. Turn off to accept a draft.',
	}),
	title,
};

/** Fields that can be emptied. */
export const clearableFields = [
	{ name: 'Additional Context', value: 'additional_context' },
	{ name: 'Assigned Assistant', value: 'assigned_agent' },
	{ name: 'Assigned Team', value: 'assigned_team_id' },
	{ name: 'Assigned To', value: 'assigned_to' },
	{ name: 'Description', value: 'description' },
	{ name: 'Due Date', value: 'complete_by' },
	{ name: 'Linked Items', value: 'linked_items' },
	{ name: 'Matter', value: 'matter_id' },
	{ name: 'Tags', value: 'tags' },
] as const;

type ClearableField = (typeof clearableFields)[number]['value'];

/** What empties a field: null, which the API ignores for lists, or an empty list. */
export function emptyValueOf(field: ClearableField): null | [] {
	return field === 'linked_items' || field === 'tags' ? [] : null;
}

/** A single priority, as a filter. */
export const priorityFilter = pickedValue({
	...priorityField,
	description: 'Only tasks with this priority. The list shows the priorities of your tasks.',
});

/** A team, as a filter. */
export const teamFilter = pickedValue({
	displayName: 'Team',
	name: 'teamId',
	description:
		'Only tasks of this team. The list shows the teams of your tasks. To find the ID of another team, get one of its tasks with "Simplify" turned off.',
	modes: teamModes,
});

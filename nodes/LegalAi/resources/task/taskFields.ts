import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import {
	listField,
	recordField,
	TASK_FLAGS,
	textField,
	type NewTask,
	type SettableFields,
	type TaskChange,
} from '../../api';
import { parameterDetails } from '../../messages';
import {
	by,
	byUuid,
	dateTime,
	fromList,
	ifSet,
	jsonArray,
	list,
	pickedTextOrNumber,
	pickedValue,
	required,
	text,
	toggle,
	type Parameter,
	type ParametersOf,
} from '../../parameters';

const byTaskId = byUuid(
	'task',
	'0f6b3c52-9d1e-4c27-8a54-7be1d2f3a4c5',
	'the short key that the web app shows',
);

/** Which task an operation is about; the list searches at the service. */
export const taskId = task(
	'searchTasks',
	'The task to work with. To use an archived task or a draft, enter its ID.',
);

/** Which task to wait for: by default the item's own. One from the list would be the same in each execution. */
export const taskOfItem = task('searchTasks', 'The task to wait for, by its ID', {
	mode: 'id',
	value: '={{ $json.id }}',
});

/** Which draft an operation is about; the list has the drafts of the service. */
export const draftId = task('searchDrafts', 'The draft to accept');

function task(
	list: string,
	description: string,
	preset = { mode: 'list', value: '' },
): Parameter<string> {
	const modes = [fromList(list), byTaskId];
	return required(
		pickedValue('taskId', 'Task', { default: preset, description, modes }),
		parameterDetails.enterTask,
	);
}

/** A person, picked from those seen on tasks. */
export function person(
	name: string,
	displayName: string,
	description: string,
): Parameter<string | undefined> {
	return pickedValue(name, displayName, {
		description: `${description}. The list shows you and the people on your tasks. To find the ID of someone else, get a task that is assigned to them.`,
		modes: [
			fromList('searchPeople'),
			byUuid('person', '1f0c9a52-6b1d-4f0e-9b58-2a7d4c3e5f60', 'a name or an email address'),
		],
	});
}

/** A team, picked from those seen on tasks: the one that a task belongs to, or one that was given access to it. */
export function team(
	list: string,
	name: string,
	displayName: string,
	description: string,
): Parameter<string | undefined> {
	return pickedValue(name, displayName, {
		description: seenOnTasks('team', description),
		modes: [fromList(list), byUuid('team', '9b54c0d6-b82a-4375-ae19-cfd4e3526b70', 'its name')],
	});
}

function seenOnTasks(thing: string, description: string): string {
	return `${description}. The list shows the ${thing}s of your tasks. To find the ID of another ${thing}, get one of its tasks with "Simplify" turned off.`;
}

/** A flag of a task, undefined if it was not added. */
export function flag(
	displayName: 'Archived' | 'Draft',
	preset: boolean,
	description: string,
): Parameter<boolean | undefined> {
	return ifSet(toggle(displayName.toLowerCase(), displayName, { default: preset, description }));
}

/** The title of a task. */
export const title = text('title', 'Title', {
	placeholder: 'e.g. Review supplier NDA',
	description: 'A short summary',
});

/** A priority, kept as the service has it. */
export function priority(description: string): Parameter<string | number | undefined> {
	return pickedTextOrNumber('priority', 'Priority', {
		description: `${description}. The list shows the priorities of your tasks.`,
		modes: [fromList('searchPriorities'), by('Value', 'e.g. high')],
	});
}

/** Fields of both new and existing tasks. */
const settableFields = {
	assigned_agent: pickedValue('assignedAgent', 'Assigned Assistant', {
		description:
			'The assistant that works on the task. The list shows the assistants that you can use.',
		modes: [
			fromList('searchAgents'),
			byUuid('assistant', '8a43bfc5-a719-4264-9d08-bec3d2415a6f', 'its name'),
		],
	}),
	assigned_team_id: team(
		'searchAssignedTeams',
		'assignedTeamId',
		'Assigned Team',
		'The team that can edit the task',
	),
	assigned_to: person('assignedTo', 'Assigned To', 'The person who is responsible'),
	complete_by: dateTime('completeBy', 'Due Date', { description: 'When the task is due' }, 'end'),
	description: text('description', 'Description', {
		typeOptions: { rows: 3 },
		description: 'The main instruction: what to do',
	}),
	linked_items: jsonArray('linkedItems', 'Linked Items', {
		description:
			'Chats, reviews, reports or other tasks that belong to the task, as a JSON array. To see what your service takes there, get a task that has some.',
	}),
	matter_id: pickedValue('matterId', 'Matter', {
		description: seenOnTasks('matter', 'The matter to file the task under'),
		modes: [
			fromList('searchMatters'),
			byUuid('matter', '4c0f7b81-63d5-4e20-b9c4-7a8f9e0d1c2b', 'its name'),
		],
	}),
	priority: priority('How urgent the work is'),
	status: pickedTextOrNumber('status', 'Status', {
		description: 'The state of the work. The list shows the statuses of your tasks.',
		modes: [fromList('searchStatuses'), by('Value', 'e.g. in_progress')],
	}),
	tags: list('tags', 'Tags', {
		placeholder: 'e.g. nda, supplier',
		description: 'Your own labels, separated by commas, or a list from an expression',
	}),
} satisfies ParametersOf<Omit<SettableFields, 'draft'>>;

/** What a new task can have besides its title. */
export const newTaskFields = {
	...settableFields,
	draft: flag('Draft', true, 'Whether someone has to accept the task before it becomes active'),
	parent_task_id: pickedValue('parentTaskId', 'Parent Task', {
		description: 'The task that this one becomes a subtask of',
		modes: [fromList('searchTasks'), byTaskId],
	}),
} satisfies ParametersOf<Omit<NewTask, 'title'>>;

/** What can be changed of a task. */
export const changeableFields = {
	...settableFields,
	additional_context: text('additionalContext', 'Additional Context', {
		typeOptions: { rows: 3 },
		description: 'Background that helps to get the work done',
	}),
	archived: flag('Archived', true, 'Whether to archive the task. Turn off to restore it.'),
	draft: flag(
		'Draft',
		false,
		'Whether the task has to be accepted before it becomes active. Turn off to accept a draft.',
	),
	title,
} satisfies ParametersOf<TaskChange>;

/** The fields of a simplified task, in this order; a flag that is true stands after the status. */
export const simplifiedFields = {
	display_id: textField,
	title: textField,
	status: textField,
	id: textField,
	description: textField,
	priority: textField,
	complete_by: textField,
	assignees: listField(recordField({ id: textField, name: textField })),
	tags: listField(textField),
	linked_items: listField(),
};

const MAX_FIELDS = Object.keys(simplifiedFields).length;

const FLAGS: string[] = [...TASK_FLAGS, 'timed_out'];

/** Whether to output a task's most useful fields alone. */
export const simplify = toggle('simplify', 'Simplify', {
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
});

/** A task's output item. */
export function taskItem(task: IDataObject, isSimplified: boolean): INodeExecutionData {
	return { json: isSimplified ? simplified(task) : task };
}

/** At most ten of a task's fields: the most useful ones that it has, then others in its own order. */
export function simplified(task: IDataObject): IDataObject {
	const isShown = (name: string): boolean => {
		if (FLAGS.includes(name)) return task[name] === true;
		// The ID alone does not tell a reader who it is.
		if (name === 'assigned_to') return !Object.hasOwn(task, 'assignees');
		return Object.hasOwn(task, name);
	};
	const useful = Object.keys(simplifiedFields).flatMap((name) =>
		name === 'status' ? [name, ...FLAGS] : [name],
	);
	const names = new Set([...useful, ...Object.keys(task)].filter(isShown));
	return Object.fromEntries([...names].slice(0, MAX_FIELDS).map((name) => [name, task[name]]));
}

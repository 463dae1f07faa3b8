import type { IDataObject } from 'n8n-workflow';

import { createTask } from '../../api/task';
import { oncePerItem } from '../../oncePerItem';
import type { Operation } from '../../operation';
import { readText, refusal } from '../../parameters';
import { collectionOf, readCollection } from './fields';
import { readPresentation, simplifyField } from './simplify';
import { newTaskFields } from './taskFields';

const once = oncePerItem<IDataObject>();

/** POST /tasks: sent once, never repeated where it may have been accepted. */
export const create: Operation = {
	option: {
		name: 'Create',
		value: 'create',
		action: 'Create task',
		description: "Add a task to your organisation's default team",
	},
	fields: [
		{
			displayName: 'Title',
			name: 'title',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. Review supplier NDA',
			description: 'A short summary',
		},
		simplifyField,
		collectionOf(
			{ displayName: 'Additional Fields', name: 'additionalFields', placeholder: 'Add Field' },
			newTaskFields,
		),
	],
	plan: (run, itemIndex) => {
		const title = readText(run, 'title', itemIndex);
		if (title === '') {
			throw refusal(
				run,
				itemIndex,
				"'Title' is empty",
				"Enter a short summary of the task. If it comes from an earlier node, check that the field has a value.",
			);
		}
		const body = { title, ...readCollection(run, itemIndex, 'additionalFields', newTaskFields) };
		const present = readPresentation(run, itemIndex);
		return {
			perform: async () => [present(await once(run, itemIndex, async () => await createTask(run.client, body)))],
		};
	},
};

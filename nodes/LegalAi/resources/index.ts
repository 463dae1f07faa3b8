import { textField } from '../api';
import type { Operation, Resource } from '../execution/operation';
import { download } from './file/download.operation';
import { upload } from './file/upload.operation';
import { listOperation } from './listOperation';
import { ask } from './question/ask.operation';
import { askAndWait } from './question/askAndWait.operation';
import { get as getQuestion } from './question/get.operation';
import { waitForAnswer } from './question/waitForAnswer.operation';
import { acceptDraft, archive, update } from './task/changes.operation';
import { create } from './task/create.operation';
import { get as getTask } from './task/get.operation';
import { getAll as getAllTasks } from './task/getAll.operation';
import { waitForStatus } from './task/waitForStatus.operation';
import { get as getUser } from './user/get.operation';

/** Everything the Legal AI node can do, by resource; the most used first, and preselected in the editor. */
export const resources = {
	question: { label: 'Question', operations: { askAndWait, ask, get: getQuestion, waitForAnswer } },
	task: {
		label: 'Task',
		operations: {
			create,
			get: getTask,
			getAll: getAllTasks,
			update,
			archive,
			acceptDraft,
			waitForStatus,
		},
	},
	file: { label: 'File', operations: { upload, download } },
	playbook: {
		label: 'Playbook',
		operations: {
			getAll: listOperation(
				'playbooks',
				'List the review playbooks of your organization that you can read',
			),
		},
	},
	template: {
		label: 'Template',
		operations: {
			getAll: listOperation(
				'templates',
				'List the drafting templates of your organization that you can read',
			),
		},
	},
	assistant: {
		label: 'Assistant',
		operations: {
			getAll: listOperation('assistants', 'List the assistants that your API key can use', {
				id: textField,
			}),
		},
	},
	user: { label: 'User', operations: { get: getUser } },
} satisfies Record<string, Resource>;

/** An operation by the names that workflows have for it; undefined if there is none. */
export function findOperation(resource: string, operation: string): Operation | undefined {
	const byName: Record<string, Resource> = resources;
	return byName[resource]?.operations[operation];
}

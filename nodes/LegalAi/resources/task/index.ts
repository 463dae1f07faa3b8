import type { Resource } from '../../execution/operation';
import { acceptDraft } from './acceptDraft.operation';
import { archive } from './archive.operation';
import { create } from './create.operation';
import { get } from './get.operation';
import { getAll } from './getAll.operation';
import { update } from './update.operation';

/** Legal work items. */
export const task = {
	option: { name: 'Task', value: 'task' },
	operations: { create, get, getAll, update, archive, acceptDraft },
} satisfies Resource;

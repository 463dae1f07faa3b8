import type { Operation, Resource } from '../execution/operation';
import { assistant } from './assistant';
import { file } from './file';
import { playbook } from './playbook';
import { question } from './question';
import { task } from './task';
import { template } from './template';
import { user } from './user';

/** Everything the Legal AI node can do, by resource, the most used first. */
export const resources = { question, task, file, playbook, template, assistant, user } satisfies Record<string, Resource>;

/** An operation by the names that workflows have for it; undefined if there is none. */
export function findOperation(resource: string, operation: string): Operation | undefined {
	const byName: Record<string, Resource> = resources;
	return byName[resource]?.operations[operation];
}

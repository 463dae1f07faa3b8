import type { Resource } from '../operation';
import { assistant } from './assistant';
import { file } from './file';
import { playbook } from './playbook';
import { question } from './question';
import { task } from './task';
import { template } from './template';
import { user } from './user';

/** Everything the Legal AI node can do, by resource. */
export const resources: Record<string, Resource> = { assistant, file, playbook, question, task, template, user };

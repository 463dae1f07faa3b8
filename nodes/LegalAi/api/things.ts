import { question } from './questions';
import { task } from './tasks';
import type { Thing } from './thing';

/** By the resource of the node that sends them. */
export const things = { question, task } satisfies Record<string, Thing>;

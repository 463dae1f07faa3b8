import type { Resource } from '../../execution/operation';
import { getAll } from './getAll.operation';

/** The assistants that your API key can use. */
export const assistant = {
	option: { name: 'Assistant', value: 'assistant' },
	operations: { getAll },
} satisfies Resource;

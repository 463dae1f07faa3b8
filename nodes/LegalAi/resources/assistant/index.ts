import type { Resource } from '../../operation';
import { getAll } from './getAll.operation';

/** The assistants that your API key can ask. */
export const assistant = {
	option: { name: 'Assistant', value: 'assistant' },
	operations: { getAll },
} satisfies Resource;

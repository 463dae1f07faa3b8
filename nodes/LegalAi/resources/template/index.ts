import type { Resource } from '../../operation';
import { getAll } from './getAll.operation';

/** The drafting templates of your organisation that you can read. */
export const template = {
	option: { name: 'Template', value: 'template' },
	operations: { getAll },
} satisfies Resource;

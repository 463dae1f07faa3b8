import type { Resource } from '../../execution/operation';
import { getAll } from './getAll.operation';

/** The drafting templates of your organization that you can read. */
export const template = {
	option: { name: 'Template', value: 'template' },
	operations: { getAll },
} satisfies Resource;

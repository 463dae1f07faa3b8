import type { Resource } from '../../execution/operation';
import { get } from './get.operation';

/** The user behind the API key. */
export const user = {
	option: { name: 'User', value: 'user' },
	operations: { get },
} satisfies Resource;

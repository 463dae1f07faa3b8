import type { Resource } from '../../execution/operation';
import { getAll } from './getAll.operation';

/** The review playbooks of your organization that you can read. */
export const playbook = {
	option: { name: 'Playbook', value: 'playbook' },
	operations: { getAll },
} satisfies Resource;

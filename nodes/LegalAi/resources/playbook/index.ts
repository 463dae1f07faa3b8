import type { Resource } from '../../operation';
import { getAll } from './getAll.operation';

/** The review playbooks of your organisation that you can read. */
export const playbook = {
	option: { name: 'Playbook', value: 'playbook' },
	operations: { getAll },
} satisfies Resource;

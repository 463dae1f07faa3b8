import { textField } from '../../api/fields';
import { listOperation } from '../listOperation';

/** GET /playbooks. */
export const getAll = listOperation('playbooks', { id: textField, name: textField }, {
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many playbooks',
	description: 'List the review playbooks of your organization that you can read',
});

import { textField } from '../../api/fields';
import { listOperation } from '../listOperation';

/** GET /templates. */
export const getAll = listOperation('templates', { id: textField, name: textField }, {
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many templates',
	description: 'List the drafting templates of your organization that you can read',
});

import { textField } from '../../api/fields';
import { listOperation } from '../listOperation';

/** GET /assistants. */
export const getAll = listOperation('assistants', { id: textField }, {
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many assistants',
	description: 'List the assistants that your API key can use',
});

import { listOperation } from '../listOperation';

/** GET /templates. */
export const getAll = listOperation('templates', {
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many templates',
	description: 'List the drafting templates of your organization that you can read',
});

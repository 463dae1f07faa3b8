import { listingOf } from '../library';

/** GET /templates. */
export const getAll = listingOf('templates', {
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many templates',
	description: 'List the drafting templates of your organisation that you can read',
});

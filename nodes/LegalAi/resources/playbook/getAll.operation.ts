import { listingOf } from '../library';

/** GET /playbooks. */
export const getAll = listingOf('playbooks', {
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many playbooks',
	description: 'List the review playbooks of your organisation that you can read',
});

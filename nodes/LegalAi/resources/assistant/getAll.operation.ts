import { listingOf } from '../library';

/** GET /assistants. */
export const getAll = listingOf('assistants', {
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many assistants',
	description: 'List the assistants that your API key can ask',
});

import { readObject } from '../../api/json';
import type { Operation } from '../../operation';

/** GET /me: whose key it is. */
export const get: Operation = {
	option: {
		name: 'Get',
		value: 'get',
		action: 'Get user',
		description: 'Show whose API key this is, and of which organisation',
	},
	fields: [],
	plan: ({ client }) => ({
		perform: async () => [
			{ json: readObject(await client.request({ method: 'GET', subject: 'other', path: ['me'] })) },
		],
	}),
};

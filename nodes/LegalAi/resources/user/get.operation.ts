import { readObject, textField } from '../../api';
import { defineOperation } from '../../execution/operation';

/** GET /me: whose key it is. */
export const get = defineOperation({
	option: {
		name: 'Get',
		action: 'Get user',
		description: 'Get the user and the organization that the API key belongs to',
	},
	parameters: {},
	output: {
		user_id: textField,
		user_name: textField,
		user_email: textField,
		customer_id: textField,
		customer_name: textField,
	},
	execute: async ({ client }) => [
		{ json: await client.request({ method: 'GET', path: ['me'] }, readObject) },
	],
});

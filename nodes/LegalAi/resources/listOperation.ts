import { collect, type Fields, type List, paginate, readObject, textField } from '../api';
import { defineOperation, type Operation } from '../execution/operation';
import { resultLimit } from '../parameters';

/** The operation that lists assistants, playbooks or templates: GET /assistants and so on. */
export function listOperation(
	name: List['name'],
	description: string,
	output: Fields = { id: textField, name: textField },
): Operation {
	return defineOperation({
		option: { name: 'Get Many', action: `Get many ${name}`, description },
		parameters: { limit: resultLimit() },
		output,
		execute: async ({ client }, { limit }) =>
			await collect(paginate(client, { name }), limit, (record) => ({ json: readObject(record) })),
	});
}

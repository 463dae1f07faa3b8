import type { INodePropertyOptions } from 'n8n-workflow';

import { readObject } from '../api/json';
import { collect, paginate, type List } from '../api/pagination';
import { defineOperation, type Operation } from '../execution/operation';
import { resultLimit } from '../parameters/number';

/** The operation that lists assistants, playbooks or templates. */
export function listOperation(name: List['name'], option: INodePropertyOptions): Operation {
	return defineOperation({
		option,
		parameters: { limit: resultLimit() },
		execute: async ({ client }, { limit }) =>
			await collect(paginate(client, { name }), limit, (record) => ({ json: readObject(record) })),
	});
}

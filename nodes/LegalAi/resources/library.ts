import type { INodePropertyOptions } from 'n8n-workflow';

import { readObject } from '../api/json';
import { take, walk, type List } from '../api/paging';
import type { Operation } from '../operation';
import { limitFields, readLimit } from './limit';

/** The operation that lists assistants, playbooks or templates, whose lists the API gives whole. */
export function listingOf(name: List['name'], option: INodePropertyOptions): Operation {
	return {
		option,
		fields: limitFields,
		plan: (run, itemIndex) => {
			const limit = readLimit(run, itemIndex);
			return {
				perform: async () => await take(walk(run.client, { name }), limit, (record) => ({ json: readObject(record) })),
			};
		},
	};
}

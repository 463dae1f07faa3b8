import type { IDataObject } from 'n8n-workflow';

import { readFields } from '../../../nodes/LegalAi/fields/read.ts';
import {
	questionFromItem,
	questionReference,
} from '../../../nodes/LegalAi/resources/question/fields.ts';

/** Which question is meant by the ID `q` and the assistant `chosen`, with such an item as the input. */
function referredTo(json: IDataObject) {
	const fields: Record<string, unknown> = {
		questionId: 'q',
		assistantId: { __rl: true, mode: 'id', value: 'chosen' },
	};
	return questionFromItem(readFields(questionReference, (name) => fields[name], { json }));
}

test.each<[string, IDataObject]>([
	['as it was asked', { status: 'completed', answer: 'Yes.' }],
	['whose answer was parsed', { status: 'completed', answer: { approved: true } }],
	['of which nothing else is left', {}],
])('an item that is the question itself, %s, provides its assistant', (_how, more) => {
	const json = { id: 'q', assistant_id: 'own', ...more };
	expect(referredTo(json)).toEqual(json);
});

test.each<[string, IDataObject]>([
	['is empty', {}],
	['is another question', { id: 'q2', assistant_id: 'own', status: 'completed' }],
	['names no assistant', { id: 'q', status: 'completed' }],
	['has an invalid assistant', { id: 'q', assistant_id: { id: 'own' }, status: 'completed' }],
])("if an item %s, only the node's fields count", (_case, json) => {
	expect(referredTo(json)).toEqual({ id: 'q', assistant_id: 'chosen' });
});

import type { IDataObject } from 'n8n-workflow';
import { expect, test } from 'vitest';

import type { ValueOf } from '../../../nodes/LegalAi/parameters/parameter.ts';
import { questionReference } from '../../../nodes/LegalAi/resources/question/questionReference.ts';
import { ITEM } from '../../support/reading.mts';

/** Which question is meant by the ID `q` and the assistant `chosen`, with such an item as the input. */
function referredTo(json: IDataObject): ValueOf<typeof questionReference> {
	const fields: Record<string, unknown> = {
		questionId: 'q',
		assistantId: { __rl: true, mode: 'id', value: 'chosen' },
	};
	return questionReference.read((name) => fields[name], { ...ITEM, json });
}

test('an item that is the question itself provides its assistant and what is known about it', () => {
	expect(
		referredTo({ id: 'q', assistant_id: 'own', status: 'completed', answer: 'Yes.' }),
	).toMatchObject({
		...{ questionId: 'q', assistantId: 'own' },
		known: { id: 'q', status: 'completed', answer: 'Yes.' },
	});
});

test.each<[string, IDataObject]>([
	['is empty', {}],
	['is another question', { id: 'q2', assistant_id: 'own', status: 'completed' }],
	['names no assistant', { id: 'q', status: 'completed' }],
	['has an invalid assistant', { id: 'q', assistant_id: { id: 'own' }, status: 'completed' }],
	['has an ID but no status', { id: 'q', assistant_id: 'own' }],
	['has an invalid status', { id: 'q', assistant_id: 'own', status: 200 }],
])("if an item %s, only the node's fields count", (_case, json) => {
	expect(referredTo(json)).toEqual({ questionId: 'q', assistantId: 'chosen', known: undefined });
});

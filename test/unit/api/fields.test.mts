import { expect, test } from 'vitest';

import { booleanField, integerField, listField, recordField, textField } from '../../../nodes/LegalAi/api/fields.ts';

test('the fields of a record are described as JSON Schema does it', () => {
	const file = { name: textField, size: integerField, shared: booleanField, tags: listField(textField) };
	expect(recordField(file)).toEqual({
		type: 'object',
		properties: {
			name: { type: 'string' },
			size: { type: 'integer' },
			shared: { type: 'boolean' },
			tags: { type: 'array', items: { type: 'string' } },
		},
	});
});

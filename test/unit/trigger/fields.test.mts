import { NodeHelpers } from 'n8n-workflow';

import { properties } from '../../../nodes/LegalAi/trigger/fields.ts';

test('the editor warns that signatures are not checked, only if that is chosen', () => {
	const noticesWith = (options: object) =>
		properties.filter(
			(property) =>
				property.type === 'notice' &&
				NodeHelpers.displayParameter({ options: { ...options } }, property, null, null),
		);
	const warning = expect.objectContaining({ name: 'unverifiedNotice' }) as unknown;
	expect(noticesWith({})).toHaveLength(2);
	expect(noticesWith({ verifySignature: true })).not.toContainEqual(warning);
	expect(noticesWith({ verifySignature: false })).toContainEqual(warning);
});

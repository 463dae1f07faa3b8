import type { IHookFunctions } from 'n8n-workflow';
import { expect, test } from 'vitest';

import { LegalAiTrigger } from '../../../nodes/LegalAi/LegalAiTrigger.node.ts';

const hooks = new LegalAiTrigger().webhookMethods.default;

/** What n8n shows the trigger of its workflow as it is published. */
function publishing({ verifySignature, webhookSecret }: { verifySignature: boolean; webhookSecret: string }): IHookFunctions {
	return {
		getNode: () => ({ id: 'n', name: 'Answers', type: '', typeVersion: 1, position: [0, 0], parameters: {} }),
		getNodeParameter: () => verifySignature,
		getCredentials: async () => await Promise.resolve({ webhookSecret }),
	} as unknown as IHookFunctions;
}

test.each([
	['a webhook secret', { verifySignature: true, webhookSecret: 'whsec' }],
	['no secret, if signatures are not checked', { verifySignature: false, webhookSecret: '' }],
])('a trigger with %s is published and unpublished', async (_case, trigger) => {
	const context = publishing(trigger);
	expect(await hooks.checkExists.call(context)).toBe(false);
	expect(await hooks.create.call(context)).toBe(true);
	expect(await hooks.delete.call(context)).toBe(true);
});

test('a trigger without a webhook secret is not published', async () => {
	await expect(hooks.create.call(publishing({ verifySignature: true, webhookSecret: ' ' }))).rejects.toThrow('has no "Webhook Secret"');
});

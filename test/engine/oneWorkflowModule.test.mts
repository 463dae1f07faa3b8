import { createRequire } from 'node:module';

import { NodeApiError } from 'n8n-workflow';
import { expect, test } from 'vitest';

const requireFromHere = createRequire(import.meta.url);
const requireFromCore = createRequire(requireFromHere.resolve('n8n-core'));

test('sources under test share their n8n-workflow with n8n-core', () => {
	const fromCore: unknown = requireFromCore('n8n-workflow');
	expect(fromCore).toHaveProperty('NodeApiError');
	expect((fromCore as { NodeApiError: unknown }).NodeApiError).toBe(NodeApiError);
});

import { describe, expect, test } from 'vitest';

import { runNode } from '../support/engine/engine.mts';
import { sandboxOfFile } from '../support/lifetimes.mts';

const sandbox = await sandboxOfFile();

const parameters = { resource: 'user', operation: 'get' };

describe('user: get', () => {
	test('gives the user behind the key, paired with its item', async () => {
		const run = await runNode({ sandbox, parameters });

		expect(run.error).toBeUndefined();
		expect(run.status).toBe('success');
		expect(run.items).toEqual([{ json: sandbox.organization.user, pairedItem: { item: 0 } }]);
		expect(sandbox.requests).toMatchObject([{ route: 'GET /me', status: 200 }]);
	});
});

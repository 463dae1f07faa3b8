import { afterAll, beforeEach, describe, expect, test } from 'vitest';

import { startSandbox } from '../sandbox/sandbox.mts';
import { runNode } from '../support/engine/engine.mts';

const sandbox = await startSandbox();
beforeEach(() => sandbox.reset());
afterAll(() => sandbox.close());

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

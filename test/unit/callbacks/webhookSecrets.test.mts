import { beforeEach, expect, test } from 'vitest';

import { readWebhookSecrets } from '../../../nodes/LegalAi/callbacks/webhookSecrets.ts';

type Context = Parameters<typeof readWebhookSecrets>[0];

/** How often the credential was read, and what it holds; undefined if it was deleted. */
let reads: number;
let webhookSecret: string | undefined;
beforeEach(() => {
	reads = 0;
	webhookSecret = 'whsec';
});

function receiver(nodeId = 'n', executionId = ''): Context {
	return {
		getNode: () => ({ id: nodeId, name: 'Legal AI Trigger', type: '', typeVersion: 1, position: [0, 0], parameters: {} }),
		getWorkflow: () => ({ id: 'w', name: 'Answers', active: true }),
		getExecutionId: () => executionId,
		getCredentials: async <T extends object>() => {
			reads += 1;
			const found = webhookSecret;
			await new Promise(setImmediate);
			if (found === undefined) throw new Error('Credential with ID "7" does not exist');
			return { webhookSecret: found } as T;
		},
	};
}

test('callbacks that come while the credential is being read share that read', async () => {
	const all = await Promise.all(Array.from({ length: 5 }, async () => await readWebhookSecrets(receiver())));
	expect(all).toEqual(all.map(() => ['whsec']));
	expect(reads).toBe(1);
});

test('the next callback reads it anew: a secret that was taken away is no longer accepted', async () => {
	expect(await readWebhookSecrets(receiver())).toEqual(['whsec']);
	webhookSecret = '';
	expect(await readWebhookSecrets(receiver())).toEqual([]);
});

test('receivers share nothing', async () => {
	await Promise.all([receiver(), receiver('other'), receiver('n', '12')].map(readWebhookSecrets));
	expect(reads).toBe(3);
});

test('a credential that was deleted has none, until it is there again', async () => {
	webhookSecret = undefined;
	expect(await Promise.all([readWebhookSecrets(receiver()), readWebhookSecrets(receiver())])).toEqual([undefined, undefined]);
	webhookSecret = 'whsec';
	expect(await readWebhookSecrets(receiver())).toEqual(['whsec']);
});

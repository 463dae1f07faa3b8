import fc from 'fast-check';
import type { INodeParameters } from 'n8n-workflow';
import { expect, test } from 'vitest';

import { everyService, expectNoSecrets, expectSuccess, hasFailed, runAgainst } from './property.mts';


const UNKNOWN = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
const taskId = { __rl: true, mode: 'id', value: UNKNOWN };

/** Every operation that names something, and names what the service does not have. */
const UNFOUND: readonly INodeParameters[] = [
	{ resource: 'question', operation: 'get', questionId: UNKNOWN },
	{ resource: 'question', operation: 'waitForAnswer', questionId: UNKNOWN, options: { maxWait: 0 } },
	{ resource: 'question', operation: 'ask', question: 'Sign?', additionalFields: { sessionId: UNKNOWN } },
	{ resource: 'file', operation: 'download', downloadFrom: 'question', questionId: UNKNOWN },
	{ resource: 'task', operation: 'get', taskId },
	{ resource: 'task', operation: 'update', taskId, updateFields: { title: 'Sign' } },
	{ resource: 'task', operation: 'archive', taskId },
	{ resource: 'task', operation: 'acceptDraft', taskId },
];

/** Every operation that says who it is. */
const UNAUTHORIZED: readonly INodeParameters[] = [
	...UNFOUND,
	{ resource: 'question', operation: 'askAndWait', options: { waitUsing: 'polling' }, question: 'Sign?' },
	{ resource: 'question', operation: 'askAndWait', options: { waitUsing: 'sync' }, question: 'Sign?' },
	{ resource: 'question', operation: 'askAndWait', options: { waitUsing: 'callback' }, question: 'Sign?' },
	{ resource: 'task', operation: 'getAll' },
	{ resource: 'task', operation: 'create', title: 'Sign' },
	{ resource: 'user', operation: 'get' },
	...['assistant', 'playbook', 'template'].map((resource) => ({ resource, operation: 'getAll' })),
];

test('what the service does not know is an error in each operation, however the service says so', async () => {
	await everyService({}, fc.constantFrom(...UNFOUND), async (service, parameters) => {
		const run = await runAgainst(service, { parameters });
		expect(hasFailed(run)).toBe(true);
		expect(service.truth.questions).toEqual([]);
	});
});

test('a key that the service does not know is an error in each operation, and is shown nowhere', async () => {
	await everyService({}, fc.constantFrom(...UNAUTHORIZED), async (service, parameters) => {
		const apiKey = 'sk-svc-api1-4b1d9c70-not-a-key-of-this-service';
		const run = await runAgainst(service, { parameters, credential: { apiKey } });
		expect(hasFailed(run)).toBe(true);
		expectNoSecrets({ ...service, apiKey }, run.error);
		expect(service.truth.questions).toEqual([]);
	});
});

test('the user behind the key comes out as the service has it', async () => {
	await everyService({}, fc.constant({ resource: 'user', operation: 'get' }), async (service, parameters) => {
		const run = await runAgainst(service, { parameters });
		expectSuccess(run);
		expect(run.json).toMatchObject([{ user_email: 'ada.park@example.com', customer_name: 'Example & Söhne GmbH' }]);
	});
});

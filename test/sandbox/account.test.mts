import { describe, expect, test } from 'vitest';
import { call, sandboxForTests, someText, textWith } from './support.mts';

const sandbox = await sandboxForTests();

describe('authentication', () => {
	test.each([
		['Missing Authorization header', {}],
		['Invalid API key format', { authorization: 'Basic dXNlcjpwYXNz' }],
		['Invalid API key format', { authorization: 'Bearer not-a-key' }],
		['Invalid API key format', { authorization: 'Bearer sk-svc-api1-' }],
		['Invalid API key', { authorization: 'Bearer sk-svc-api1-00000000-0000-4000-8000-000000000000' }],
	])('%s: %j', async (message, headers: Record<string, string>) => {
		const reply = await call(sandbox, 'GET', '/playbooks', undefined, headers);
		expect(reply.status).toBe(401);
		expect(reply.body).toEqual({ error_code: 'unauthorized', svc_api_error_code: 'unauthorized', message });
	});

	test('checks the key before it reads the body', async () => {
		expect(await call(sandbox, 'POST', '/tasks', '{', {})).toMatchObject({ status: 401 });
	});
});

describe('GET /me', () => {
	test('answers the user behind the key', async () => {
		const reply = await call(sandbox, 'GET', '/me');
		expect(reply.status).toBe(200);
		expect(reply.headers['content-type']).toContain('application/json');
		expect(reply.body).toEqual({
			user_id: someText,
			customer_id: someText,
			user_name: someText,
			user_email: textWith('@'),
			customer_name: someText,
		});
	});
});

test('answers 404 with the general error body for a path there is none of', async () => {
	const reply = await call(sandbox, 'GET', '/comments');
	expect(reply.status).toBe(404);
	expect(reply.body).toMatchObject({ error_code: 'resource_not_found', svc_api_error_code: 'resource_not_found' });
});

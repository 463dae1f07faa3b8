import { textWith } from '../support/matchers.mts';
import { test } from '../support/n8n/fixtures.mts';
import { toCredential } from '../support/n8n/service.mts';

test('the credential test asks the service who the key belongs to', async ({
	n8n,
	service,
	credential,
}) => {
	expect(await n8n.testCredential(credential, toCredential(service))).toMatchObject({
		status: 'OK',
	});
	expect(service.requestsTo('GET /me')).toHaveLength(1);

	const wrongKey = { ...toCredential(service), apiKey: 'sk-svc-api1-wrong' };
	expect(await n8n.testCredential(credential, wrongKey)).toMatchObject({ status: 'Error' });
});

test('the credential test follows no redirect with the key, not even to the service itself', async ({
	n8n,
	service,
	credential,
}) => {
	service.faults.add({ kind: 'redirect', status: 302, location: `${service.baseUrl}/me` });
	expect(await n8n.testCredential(credential, toCredential(service))).toMatchObject({
		status: 'Error',
	});
	expect(service.requests).toHaveLength(1);
});

test('the credential test says what to do', async ({ n8n, service, credential }) => {
	const wrongKey = { ...toCredential(service), apiKey: 'sk-svc-api1-wrong' };
	expect(await n8n.testCredential(credential, wrongKey)).toEqual({
		status: 'Error',
		message: textWith('The API key was not accepted. Enter the complete key again'),
	});

	for (const [fault, message] of [
		[{ status: 403, body: '<h1>A page</h1>' }, 'does not have permission'],
		[
			{ status: 404, body: '<h1>A page</h1>' },
			'There is no Legal AI service at this address. Check "Base URL"',
		],
		[{ status: 429, body: '<h1>A page</h1>' }, 'Test again in a minute'],
		[{ status: 502, body: '<h1>A page</h1>' }, 'Test again in a few minutes'],
		[
			{ status: 200, body: '<h1>Sign in</h1>' },
			'The response did not come from the Legal AI service. Check "Base URL".',
		],
		[
			{ kind: 'redirect', status: 302, location: `${service.baseUrl}/me` },
			'"Base URL" redirects to another address, and the API key is not sent there',
		],
	] as const) {
		service.faults.add(fault);
		expect(await n8n.testCredential(credential, toCredential(service))).toEqual({
			status: 'Error',
			message: textWith(message),
		});
	}
});

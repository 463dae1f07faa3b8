import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterAll, beforeEach, describe, expect, test } from 'vitest';

import { LegalAiApi } from '../../credentials/LegalAiApi.credentials.ts';
import { startSandbox } from '../sandbox/sandbox.mts';
import { binaryItem, runNode } from '../support/engine/engine.mts';

const sandbox = await startSandbox();
beforeEach(() => sandbox.reset());
afterAll(() => sandbox.close());

const parameters = { resource: 'user', operation: 'get' };

describe('credential: the Base URL', () => {
	test.each(['/', '//', '  '])('may end in "%s"', async (ending) => {
		const run = await runNode({ sandbox, parameters, credential: { baseUrl: sandbox.baseUrl + ending } });

		expect(run.status).toBe('success');
		expect(sandbox.requests).toMatchObject([{ path: '/api/v1/me', status: 200 }]);
	});

	test.each([
		['http://legal-ai.example.com/api/v1', 'http://', 'https://'],
		['http://127.0.0.1.example.com/api/v1', 'http://', 'https://'],
		['ftp://legal-ai.example.com/api/v1', 'not a web address', 'https://'],
		['legal-ai.example.com/api/v1', 'not a web address', 'https://'],
		['', 'no "Base URL"', 'ending in /api/v1'],
		['https://legal-ai.example.com', 'must end in /api/v1', '/api/v1'],
		['https://ada:secret@legal-ai.example.com/api/v1', 'user name or a password', 'Remove them'],
		['https://legal-ai.example.com/api/v1?key=1', 'not a plain address', '"?"'],
	])('is refused before anything is sent: %s', async (baseUrl, words, advice) => {
		const run = await runNode({ sandbox, parameters, credential: { baseUrl }, node: { onError: 'stopWorkflow' } });

		expect(run.error?.name).toBe('NodeOperationError');
		expect(run.error?.message).toContain(words);
		expect(run.error?.description).toContain(advice);
		expect(sandbox.requests).toEqual([]);
	});
});

describe('credential: the API key', () => {
	test('goes along with white space around it taken off', async () => {
		const run = await runNode({ sandbox, parameters, credential: { apiKey: ` ${sandbox.apiKey}\n` } });
		expect(run.status).toBe('success');
	});

	test('is put on no request to another origin', async () => {
		const { authenticate } = new LegalAiApi();
		const credentials = { baseUrl: sandbox.baseUrl, apiKey: sandbox.apiKey };
		const elsewhere = ['https://evil.example.com/api/v1/me', sandbox.baseUrl.replace('http:', 'https:'), 'http://localhost:1/api/v1'];
		if (typeof authenticate !== 'function') throw new Error('The credential has no authenticate function');
		for (const url of elsewhere) await expect(authenticate(credentials, { url })).rejects.toThrow('for http://127.0.0.1');

		const allowed = await authenticate(credentials, { url: `${sandbox.baseUrl}/me` });
		expect(allowed.headers).toEqual({ Authorization: `Bearer ${sandbox.apiKey}` });
		expect(allowed.disableFollowRedirect).toBe(true);
	});

	test.each([301, 302, 303, 307, 308])('does not follow a redirect (%i) to another origin', async (status) => {
		const reached: unknown[] = [];
		const other = createServer((request, response) => {
			reached.push(request.headers);
			response.end('{"user_id":"stolen"}');
		});
		await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
		const { port } = other.address() as AddressInfo;
		sandbox.faults.add({ kind: 'redirect', status, location: `http://127.0.0.1:${port}/api/v1/me` });

		const run = await runNode({ sandbox, parameters });
		other.close();

		expect(run.error?.message).toContain(`redirected the request, so the API key was not sent (${status})`);
		expect(reached).toEqual([]);
	});

	test('is not sent to the file store, neither for an upload nor for a download', async () => {
		const upload = { resource: 'file', operation: 'upload' };
		const run = await runNode({ sandbox, parameters: upload, items: [await binaryItem('%PDF-1.7')] });

		expect(run.status).toBe('success');
		const [api, store] = sandbox.requests;
		expect(api).toMatchObject({ route: 'POST /files/upload-url', headers: { authorization: `Bearer ${sandbox.apiKey}` } });
		expect(store?.route).toBe('PUT /storage/uploads/:job_id');
		expect(store?.headers).not.toHaveProperty('authorization');
	});
});

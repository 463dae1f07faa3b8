import { createServer } from 'node:http';

import { afterAll, beforeEach, describe, expect, test } from 'vitest';

import { LegalAiApi } from '../../credentials/LegalAiApi.credentials.ts';
import { credentialMessages, credentialTexts } from '../../nodes/LegalAi/messages/credentialMessages.ts';
import { serviceMessages } from '../../nodes/LegalAi/messages/serviceMessages.ts';
import type { MessageTemplate } from '../../nodes/LegalAi/messages/template.ts';
import { startSandbox } from '../sandbox/sandbox.mts';
import { listenLocally } from '../support/localServer.mts';
import { startSelfSigned } from '../support/selfSigned.mts';
import { binaryItem, runNode, testCredential, type CredentialValues } from '../support/engine/engine.mts';

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
	const { authenticate } = new LegalAiApi();
	if (typeof authenticate !== 'function') throw new Error('The credential has no authenticate function');

	test('goes along with white space around it taken off', async () => {
		const run = await runNode({ sandbox, parameters, credential: { apiKey: ` ${sandbox.apiKey}\n` } });
		expect(run.status).toBe('success');
	});

	test('is put on no request to another origin', async () => {
		const credentials = { baseUrl: sandbox.baseUrl, apiKey: sandbox.apiKey };
		const elsewhere = ['https://evil.example.com/api/v1/me', sandbox.baseUrl.replace('http:', 'https:'), 'http://localhost:1/api/v1'];
		for (const url of elsewhere) await expect(authenticate(credentials, { url })).rejects.toThrow('sent only to http://127.0.0.1');

		const allowed = await authenticate(credentials, { url: `${sandbox.baseUrl}/me` });
		expect(allowed.headers).toEqual({ Authorization: `Bearer ${sandbox.apiKey}` });
		expect(allowed.disableFollowRedirect).toBe(true);
	});

	test.each([
		['', 'Enter the address'],
		['ftp://legal-ai.example.com/api/v1', 'https://'],
	])('is put on no request while the Base URL is %j, and the text says what to do', async (baseUrl, said) => {
		const refused = authenticate({ baseUrl, apiKey: sandbox.apiKey }, { url: `${sandbox.baseUrl}/me` });
		await expect(refused).rejects.toThrow('"Base URL"');
		await expect(refused).rejects.toThrow(said);
	});

	test.each([301, 302, 303, 307, 308])('does not follow a redirect (%i) to another origin', async (status) => {
		const reached: unknown[] = [];
		const other = createServer((request, response) => {
			reached.push(request.headers);
			response.end('{"user_id":"stolen"}');
		});
		const port = await listenLocally(other);
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

describe('credential: the test', () => {
	const verdictOn = async (credential: Partial<CredentialValues> = {}): Promise<unknown> => await testCredential({ sandbox, credential });
	const says = (words: string): unknown => ({ status: 'Error', message: expect.stringContaining(words) as string });
	const expectVerdict = (verdict: unknown, { message, description }: MessageTemplate): void => {
		for (const words of [message, `. ${description}`]) expect(verdict).toEqual(says(words));
	};

	test('asks whose key it is', async () => {
		expect(await verdictOn({ baseUrl: ` ${sandbox.baseUrl}/ ` })).toEqual({ status: 'OK', message: credentialTexts.accepted });
		expect(sandbox.requests).toMatchObject([{ route: 'GET /me', status: 200 }]);
	});

	test.each<[problem: string, changes: () => Partial<CredentialValues>, text: MessageTemplate]>([
		['a host that does not exist', () => ({ baseUrl: 'https://legal-ai.invalid/api/v1' }), serviceMessages.unknownHost],
		['a port that nobody listens at', () => ({ baseUrl: 'http://127.0.0.1:1/api/v1' }), serviceMessages.connectionRefused],
		['a service without https', () => ({ baseUrl: sandbox.baseUrl.replace('http:', 'https:') }), serviceMessages.noTls],
		['an address that would send the key unencrypted', () => ({ baseUrl: 'http://legal-ai.example.com/api/v1' }), credentialMessages.baseUrlUnencrypted],
		['another address of the service', () => ({ baseUrl: sandbox.baseUrl.replace('/api/v1', '/other/api/v1') }), serviceMessages.addressNotFound],
		['a key that is not known', () => ({ apiKey: 'sk-svc-api1-wrong' }), serviceMessages.invalidKey],
	])('says what is wrong and what to do: %s', async (_problem, changes, text) => {
		expectVerdict(await verdictOn(changes()), text);
	});

	test('says that nobody knows the certificate, to which no key was sent', async () => {
		const { origin, server, requests } = await startSelfSigned();
		expectVerdict(await verdictOn({ baseUrl: `${origin}/api/v1` }), serviceMessages.certificateNotTrusted);
		server.close();
		expect(requests()).toBe(0);
	});

	test.each([
		[403, serviceMessages.forbidden],
		[429, serviceMessages.rateLimited],
		[500, serviceMessages.serverError],
	])('says what a status of %i means', async (status, text) => {
		sandbox.faults.add({ kind: 'status', status });
		expectVerdict(await verdictOn(), text);
	});

	test('takes the key along to no other address', async () => {
		sandbox.faults.add({ kind: 'redirect', status: 302, location: `${sandbox.baseUrl}/assistants` });
		expect(await verdictOn()).toEqual(says('redirected the request'));
		expect(sandbox.requests).toHaveLength(1);
	});
});

import { describe, expect, test } from 'vitest';

import { LegalAiApi } from '../../credentials/LegalAiApi.credentials.ts';
import { credentialMessages, credentialTexts } from '../../nodes/LegalAi/messages/credentialMessages.ts';
import { serviceMessages } from '../../nodes/LegalAi/messages/serviceMessages.ts';
import type { MessageTemplate } from '../../nodes/LegalAi/messages/template.ts';
import { startSelfSigned } from '../support/selfSigned.mts';
import { runNode, testCredential, type CredentialValues } from '../support/engine/engine.mts';
import { sandboxOfFile } from '../support/lifetimes.mts';

const sandbox = await sandboxOfFile();

const parameters = { resource: 'user', operation: 'get' };

describe('credential: the Base URL', () => {
	test('is refused before anything is sent', async () => {
		const run = await runNode({ sandbox, parameters, credential: { baseUrl: 'http://legal-ai.example.com/api/v1' } });

		expect(run.error).toMatchObject({ name: 'NodeOperationError', ...credentialMessages.baseUrlUnencrypted });
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

	test('is put on no request while the Base URL is wrong, and the text says what to do', async () => {
		const refused = authenticate({ baseUrl: '', apiKey: sandbox.apiKey }, { url: `${sandbox.baseUrl}/me` });
		await expect(refused).rejects.toThrow(/"Base URL".*Enter the address/);
	});
});

describe('credential: the test', () => {
	const verdictOn = async (credential: Partial<CredentialValues> = {}): Promise<unknown> => await testCredential({ sandbox, credential });
	const says = (words: string): unknown => ({ status: 'Error', message: expect.stringContaining(words) as string });
	const expectVerdict = (verdict: unknown, { message, description }: MessageTemplate): void => {
		for (const words of [message, `. ${description}`]) expect(verdict).toEqual(says(words));
	};

	test('asks whose key it is', async () => {
		const pasted = { baseUrl: ` ${sandbox.baseUrl}/ `, apiKey: ` ${sandbox.apiKey}\n` };
		expect(await verdictOn(pasted)).toEqual({ status: 'OK', message: credentialTexts.accepted });
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
		expectVerdict(await verdictOn({ baseUrl: `${origin}/api/v1` }), serviceMessages.tlsFailed);
		server.close();
		expect(requests()).toBe(0);
	});

	test.each([
		[401, 'Missing Authorization header', serviceMessages.authorizationMissing],
		[403, '', serviceMessages.forbidden],
		[429, '', serviceMessages.rateLimited],
		[500, '', serviceMessages.serverError],
	])('says what a status of %i means: %s', async (status, message, text) => {
		sandbox.faults.add({ kind: 'status', status, body: { message } });
		expectVerdict(await verdictOn(), text);
	});

	test('takes the key along to no other address', async () => {
		sandbox.faults.add({ kind: 'redirect', status: 302, location: `${sandbox.baseUrl}/assistants` });
		expect(await verdictOn()).toEqual(says('redirected the request'));
		expect(sandbox.requests).toHaveLength(1);
	});
});

import type { ICredentialTestFunctions, INodeCredentialTestResult } from 'n8n-workflow';
import { describe, expect, test } from 'vitest';

import { testLegalAiApi } from '../../../nodes/LegalAi/execution/credentialTest.ts';
import { credentialMessages, credentialTexts } from '../../../nodes/LegalAi/messages/credentialMessages.ts';
import { serviceMessages } from '../../../nodes/LegalAi/messages/serviceMessages.ts';

const credential = { baseUrl: ' https://legal-ai.example.com/api/v1/ ', apiKey: ' sk-svc-api1-1\n' };

/** What n8n shows of a credential that is tested at a service which answers this. */
async function verdict(answer: (options: unknown) => unknown, data: { baseUrl: string; apiKey: string } | undefined = credential): Promise<INodeCredentialTestResult> {
	const helpers = { request: async (options: unknown) => await Promise.resolve(answer(options)) };
	return await testLegalAiApi.call({ helpers } as unknown as ICredentialTestFunctions, { id: 'c', name: 'Legal AI', type: 'legalAiApi', data });
}

/** The service cannot be reached, and the network says why. */
function failing(code: string): () => never {
	return () => {
		throw Object.assign(new Error(code), { code });
	};
}

const says = (message: string): INodeCredentialTestResult => ({ status: 'Error', message });
const saysBoth = ({ message, description }: { message: string; description: string }): INodeCredentialTestResult => says(`${message}. ${description}`);

test('the key is accepted if the service knows whose it is', async () => {
	const asked: unknown[] = [];
	const answer = (options: unknown): unknown => {
		asked.push(options);
		return { statusCode: 200, headers: {}, body: '{"user_id":"u"}' };
	};
	expect(await verdict(answer)).toEqual({ status: 'OK', message: credentialTexts.accepted });
	expect(asked).toEqual([
		{
			method: 'GET',
			url: 'https://legal-ai.example.com/api/v1/me',
			headers: { Authorization: 'Bearer sk-svc-api1-1' },
			timeout: 15_000,
			followRedirect: false,
			simple: false,
			resolveWithFullResponse: true,
		},
	]);
});

describe('n8n shows what to do if', () => {
	test.each([
		[401, credentialTexts.keyNotAccepted],
		[403, credentialTexts.keyNotAllowed],
		[404, credentialTexts.notFound],
		[429, credentialTexts.rateLimited],
	])('the service answers with %i: %s', async (statusCode, text) => {
		expect(await verdict(() => ({ statusCode, headers: {}, body: '{}' }))).toEqual(says(text));
	});

	test.each([
		['ECONNREFUSED', credentialTexts.connectionRefused],
		['ENOTFOUND', credentialTexts.unknownHost],
		['EPROTO', credentialTexts.noTls],
		['CERT_HAS_EXPIRED', credentialTexts.certificateNotTrusted],
	])('the network says %s: %s', async (code, text) => {
		expect(await verdict(failing(code))).toEqual(says(text));
	});

	test('there is another reason', async () => {
		const { message, description } = serviceMessages.serverError;
		expect(await verdict(() => ({ statusCode: 500, headers: {}, body: '' }))).toEqual(saysBoth({ message: `${message} (500)`, description }));
		expect(await verdict(failing('EHOSTUNREACH'))).toEqual(saysBoth(serviceMessages.connectionFailed));
	});

	test('the address is not one that a key may be sent to', async () => {
		const sent = (): never => {
			throw new Error('The key was sent');
		};
		expect(await verdict(sent, { ...credential, baseUrl: 'http://legal-ai.example.com/api/v1' })).toEqual(saysBoth(credentialMessages.baseUrlUnencrypted));
		expect(await verdict(sent, { ...credential, baseUrl: '' })).toEqual(saysBoth(credentialMessages.baseUrlEmpty));
	});
});

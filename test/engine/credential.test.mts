import { LegalAiApi } from '../../credentials/LegalAiApi.credentials.ts';
import {
	credentialMessages,
	credentialTexts,
} from '../../nodes/LegalAi/messages/credentialMessages.ts';
import { serviceMessages } from '../../nodes/LegalAi/messages/serviceMessages.ts';
import { fillText, type MessageTemplate } from '../../nodes/LegalAi/messages/template.ts';
import { startSelfSigned } from '../support/selfSigned.mts';
import {
	type CredentialValues,
	sandboxTest,
	testCredential,
	textWith,
} from '../support/fixtures.mts';

const test = sandboxTest();

test('a Base URL that would send the key unencrypted is rejected before anything is sent', async ({
	sandbox,
	run,
}) => {
	const { error } = await run(
		'user.get',
		{},
		{ credential: { baseUrl: 'http://legal-ai.example.com/api/v1' } },
	);
	expect(error).toMatchObject({
		name: 'NodeOperationError',
		...credentialMessages.baseUrlUnencrypted,
	});
	expect(sandbox.requests).toEqual([]);
});

test('the API key is not sent if the Base URL is empty, and the error says what to do', async () => {
	const { authenticate } = new LegalAiApi();
	const rejected = authenticate(
		{ baseUrl: '', apiKey: 'sk-svc-api1-1' },
		{ url: 'https://legal-ai.example.com/api/v1/me' },
	);
	await expect(rejected).rejects.toThrow(/"Base URL".*Enter the address/);
});

test.for<[string, object]>([
	['Proxy', { proxy: 'http://proxy.example:8080' }],
	['Proxy', { proxy: { host: 'proxy.example', port: 8080 } }],
	['Ignore SSL Issues (Insecure)', { rejectUnauthorized: false }],
	['Ignore SSL Issues (Insecure)', { skipSslCertificateValidation: true }],
	['Ignore SSL Issues (Insecure)', { agentOptions: { rejectUnauthorized: false } }],
	['SSL Certificates', { agentOptions: { ca: 'a certificate' } }],
	['Host', { headers: { host: 'elsewhere.example' } }],
])('the API key is not sent if a node sets "%s": %o', async ([option, options]) => {
	const { authenticate } = new LegalAiApi();
	const baseUrl = 'https://legal-ai.example.com/api/v1';
	const rejected = authenticate(
		{ baseUrl, apiKey: 'sk-svc-api1-1' },
		{ url: `${baseUrl}/me`, ...options },
	);
	await expect(rejected).rejects.toThrow(fillText(credentialTexts.readableOnTheWay, { option }));
});

test('a certificate with which n8n identifies itself is sent with the API key', async () => {
	const { authenticate } = new LegalAiApi();
	const url = 'https://legal-ai.example.com/api/v1/me';
	const credential = { baseUrl: 'https://legal-ai.example.com/api/v1', apiKey: 'sk-svc-api1-1' };
	const agentOptions = { cert: 'a certificate', key: 'its key' };
	expect(
		await authenticate(credential, { url, agentOptions, skipSslCertificateValidation: false }),
	).toMatchObject({ agentOptions, headers: { Authorization: 'Bearer sk-svc-api1-1' } });
});

describe('the credential test', () => {
	const expectFailure = (verdict: unknown, { message, description }: MessageTemplate) => {
		for (const words of [message, `. ${description}`]) {
			expect(verdict).toEqual({
				status: 'Error',
				message: textWith(words),
			});
		}
	};

	test('asks the service who the key belongs to', async ({ sandbox }) => {
		const credential = { baseUrl: ` ${sandbox.baseUrl}/ `, apiKey: ` ${sandbox.apiKey}\n` };
		expect(await testCredential({ sandbox, credential })).toEqual({
			status: 'OK',
			message: credentialTexts.accepted,
		});
		expect(sandbox.requests).toMatchObject([{ route: 'GET /me', status: 200 }]);
	});

	test.for<[string, (baseUrl: string) => Partial<CredentialValues>, MessageTemplate]>([
		[
			'a host that does not exist',
			() => ({ baseUrl: 'https://legal-ai.invalid/api/v1' }),
			serviceMessages.unknownHost,
		],
		[
			'a port that nobody listens at',
			() => ({ baseUrl: 'http://127.0.0.1:1/api/v1' }),
			serviceMessages.connectionRefused,
		],
		[
			'a service without https',
			(baseUrl) => ({ baseUrl: baseUrl.replace('http:', 'https:') }),
			serviceMessages.noTls,
		],
		[
			'an address that would send the key unencrypted',
			() => ({ baseUrl: 'http://legal-ai.example.com/api/v1' }),
			credentialMessages.baseUrlUnencrypted,
		],
		[
			'another address of the service',
			(baseUrl) => ({ baseUrl: baseUrl.replace('/api/v1', '/other/api/v1') }),
			serviceMessages.addressNotFound,
		],
		[
			'a key that is not known',
			() => ({ apiKey: 'sk-svc-api1-wrong' }),
			serviceMessages.invalidKey,
		],
	])(
		'says what is wrong and what to do if the credential has %s',
		async ([, changes, text], { sandbox }) => {
			expectFailure(await testCredential({ sandbox, credential: changes(sandbox.baseUrl) }), text);
		},
	);

	test("says that the server's certificate is not trusted, and sends no key", async ({
		sandbox,
	}) => {
		const { origin, server, requests } = await startSelfSigned();
		expectFailure(
			await testCredential({ sandbox, credential: { baseUrl: `${origin}/api/v1` } }),
			serviceMessages.tlsFailed,
		);
		server.close();
		expect(requests()).toBe(0);
	});

	test.for([
		[401, 'Missing Authorization header', serviceMessages.authorizationMissing],
		[500, '', serviceMessages.serverError],
	] as const)(
		'says what a status of %i means: %s',
		async ([status, message, text], { sandbox }) => {
			sandbox.faults.add({ status, body: { message } });
			expectFailure(await testCredential({ sandbox }), text);
		},
	);

	test('does not follow a redirect with the key', async ({ sandbox }) => {
		sandbox.faults.add({
			kind: 'redirect',
			status: 302,
			location: `${sandbox.baseUrl}/assistants`,
		});
		expect(await testCredential({ sandbox })).toMatchObject({
			message: textWith('redirected the request'),
		});
		expect(sandbox.requests).toHaveLength(1);
	});
});

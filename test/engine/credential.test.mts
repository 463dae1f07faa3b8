import { LegalAiApi } from '../../credentials/LegalAiApi.credentials.ts';
import { test } from '../support/fixtures.mts';

const baseUrl = 'https://legal-ai.example.com/api/v1';

/** What a node's request becomes with the key, as n8n has the credential add it. */
const authenticate = (request: object, credential: object = {}) =>
	new LegalAiApi().authenticate(
		{ baseUrl, apiKey: 'sk-svc-api1-1', ...credential },
		{ url: `${baseUrl}/me`, ...request },
	);

test('a Base URL that would send the key unencrypted is rejected before anything is sent', async ({
	service,
	run,
}) => {
	const { error } = await run(
		'user.get',
		{},
		{ credential: { baseUrl: 'http://legal-ai.example.com/api/v1' } },
	);
	expect(error).toMatchObject({
		name: 'NodeOperationError',
		message:
			'"Base URL" in the credential begins with http://, which would send your API key unencrypted',
	});
	expect(service.requests).toEqual([]);
});

test('the API key is not sent if the Base URL is empty, and the error says what to do', async () => {
	await expect(authenticate({}, { baseUrl: '' })).rejects.toThrow(
		/"Base URL".*Enter the full address/,
	);
});

test.for<[string, object]>([
	['Proxy', { proxy: 'http://proxy.example:8080' }],
	['Proxy', { proxy: { host: 'proxy.example', port: 8080 } }],
	['Ignore SSL Issues (Insecure)', { rejectUnauthorized: false }],
	['Ignore SSL Issues (Insecure)', { skipSslCertificateValidation: true }],
	['Ignore SSL Issues (Insecure)', { agentOptions: { rejectUnauthorized: false } }],
	['SSL Certificates', { agentOptions: { ca: 'a certificate' } }],
	['Host', { headers: { host: 'elsewhere.example' } }],
])('the API key is not sent if a node sets "%s": %o', async ([option, request]) => {
	await expect(authenticate(request)).rejects.toThrow(`is not sent if a node sets "${option}"`);
});

test.for([
	{ url: 'https://other.example/api/v1/me' },
	{ url: '', uri: 'https://other.example/api/v1/me' },
	{ url: '/me', baseURL: 'http://legal-ai.example.com/api/v1' },
])(
	'a request to another origin than that of the Base URL is rejected, under each name that n8n has for its address: %o',
	async (request) => {
		await expect(authenticate(request)).rejects.toThrow(
			'is sent only to https://legal-ai.example.com, not to http',
		);
	},
);

import type {
	IAuthenticate,
	ICredentialTestRequest,
	ICredentialType,
	Icon,
	INodeProperties,
} from 'n8n-workflow';

import { parseBaseUrl } from '../nodes/LegalAi/api/baseUrl';

/** The bearer key of the Legal AI service, where it is sent, and the secret that callbacks are signed with. */
export class LegalAiApi implements ICredentialType {
	name = 'legalAiApi';

	displayName = 'Legal AI API';

	icon: Icon = { light: 'file:../icons/legalAi.svg', dark: 'file:../icons/legalAi.dark.svg' };

	documentationUrl =
		'https://github.com/n8n-nodes-legal-ai/n8n-nodes-legal-ai?tab=readme-ov-file#credential';

	properties: INodeProperties[] = [
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. https://legal-ai.example.com/api/v1',
			description: 'Address of the service, ending in /api/v1. It must begin with https://.',
		},
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			description:
				'Begins with sk-svc-api1-. You create it in the API section of your account settings; it sees what you can see.',
		},
		{
			displayName: 'Webhook Secret',
			name: 'webhookSecret',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			description:
				'Shown when the API key is created. Answers sent back to n8n are signed with it: the Legal AI Trigger needs it, and a waiting Legal AI node needs one request less per answer with it.',
		},
	];

	/**
	 * Puts the key on a request, on those to the Base URL's own origin alone. Redirects are not followed,
	 * since n8n would send the key along to wherever they lead.
	 */
	authenticate: IAuthenticate = async (credentials, requestOptions) => {
		const baseUrl = parseBaseUrl(credentials.baseUrl);
		const target = new URL(requestOptions.url, requestOptions.baseURL);
		if (target.origin !== baseUrl.origin) {
			throw new Error(`The API key of this credential is for ${baseUrl.origin} alone, not for ${target.origin}.`);
		}
		return {
			...requestOptions,
			disableFollowRedirect: true,
			headers: { ...requestOptions.headers, Authorization: `Bearer ${String(credentials.apiKey).trim()}` },
		};
	};

	test: ICredentialTestRequest = {
		request: {
			baseURL: '={{ $credentials.baseUrl.trim().replace(/\\/+$/, "") }}',
			url: '/me',
		},
		rules: [
			{
				type: 'responseCode',
				properties: {
					value: 401,
					message:
						'The service does not accept this API key. Copy it again from the API section of your account settings; it begins with sk-svc-api1-.',
				},
			},
			{
				type: 'responseCode',
				properties: {
					value: 403,
					message: 'The service knows this API key but does not allow it to be used here. Ask its support for access.',
				},
			},
			{
				type: 'responseCode',
				properties: {
					value: 404,
					message: "The service was not found at this Base URL. Check the address; it ends in '/api/v1'.",
				},
			},
			{
				type: 'responseCode',
				properties: {
					value: 429,
					message: 'Your organisation has used up its requests for this minute. The key may well be right: try again in a minute.',
				},
			},
		],
	};
}

import type {
	IAuthenticate,
	ICredentialType,
	Icon,
	INodeProperties,
} from 'n8n-workflow';

import { parseBaseUrl } from '../nodes/LegalAi/api/baseUrl';
import { credentialTexts } from '../nodes/LegalAi/messages/credentialMessages';
import { fillText, InvalidInputError } from '../nodes/LegalAi/messages/template';

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
			hint: 'The address of the service. It begins with https:// and ends in /api/v1.',
		},
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			placeholder: 'e.g. sk-svc-api1-…',
			hint: 'Create it in the API section of your account settings. It can see and do what you can.',
		},
		{
			displayName: 'Webhook Secret',
			name: 'webhookSecret',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			hint: 'Shown when the API key is created. With it, n8n checks that answers come from the service. The Legal AI Trigger needs it.',
		},
		{
			displayName: 'Previous Webhook Secret',
			name: 'previousWebhookSecret',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			hint: 'When you replace the API key, move the old webhook secret here: answers to questions asked with the old key are then still accepted. Clear it when they have arrived.',
		},
	];

	/**
	 * Puts the key on a request, on those to the Base URL's own origin alone. Redirects are not followed,
	 * since n8n would send the key along to wherever they lead.
	 */
	authenticate: IAuthenticate = async (credentials, requestOptions) => {
		const baseUrl = readBaseUrl(credentials.baseUrl);
		const target = new URL(requestOptions.url, requestOptions.baseURL);
		if (target.origin !== baseUrl.origin) {
			throw new Error(fillText(credentialTexts.otherOrigin, { own: baseUrl.origin, other: target.origin }));
		}
		return {
			...requestOptions,
			disableFollowRedirect: true,
			headers: { ...requestOptions.headers, Authorization: `Bearer ${String(credentials.apiKey).trim()}` },
		};
	};
}

/** n8n shows what is wrong with a credential in one text: it says what to do, too. */
function readBaseUrl(value: unknown): URL {
	try {
		return parseBaseUrl(value);
	} catch (error) {
		throw error instanceof InvalidInputError ? new Error(`${error.message}. ${error.description}`) : error;
	}
}

import type {
	ICredentialDataDecryptedObject,
	ICredentialType,
	Icon,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';

import { parseBaseUrl } from '../nodes/LegalAi/api/baseUrl';
import { credentialTexts } from '../nodes/LegalAi/messages/credentialMessages';
import { fillText, InvalidInputError } from '../nodes/LegalAi/messages/template';

/** The API key, the address it may be sent to, and the secret that callbacks are signed with. */
export class LegalAiApi implements ICredentialType {
	name = 'legalAiApi';
	displayName = 'Legal AI API';
	icon: Icon = { light: 'file:../icons/legalAi.svg', dark: 'file:../icons/legalAi.dark.svg' };
	documentationUrl =
		'https://github.com/n8n-nodes-legal-ai/n8n-nodes-legal-ai?tab=readme-ov-file#credentials';

	properties: INodeProperties[] = [
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. https://legal-ai.example.com/api/v1',
			hint: 'The address of the service, which begins with https:// and ends in /api/v1. Ask whoever administers the service.',
		},
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			resolvableField: true,
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
			resolvableField: true,
			default: '',
			hint: 'You set it, or are shown it, when you create the API key. If you no longer have it, create a new key. The Legal AI Trigger needs it to check who sends an answer; "Ask and Wait" works without it.',
		},
		{
			displayName: 'Accept Previous Webhook Secret',
			name: 'acceptPrevious',
			type: 'boolean',
			default: false,
			description:
				'Whether to accept answers to questions that were asked before the API key was replaced',
		},
		{
			displayName: 'Previous Webhook Secret',
			name: 'previousWebhookSecret',
			type: 'string',
			typeOptions: { password: true },
			resolvableField: true,
			default: '',
			displayOptions: { show: { acceptPrevious: [true] } },
			hint: 'When you replace the API key, move the old webhook secret here, so that answers to questions asked with the old key are still accepted. Clear it once they have arrived.',
		},
	];

	/**
	 * Adds the key to a request, but only to requests to the origin of the Base URL, and not if the node has options with which
	 * somebody on the way could read it: people may use a shared credential and not see its key. Redirects are not followed,
	 * because n8n would send the key along to wherever they lead.
	 */
	authenticate = async (
		credentials: ICredentialDataDecryptedObject,
		requestOptions: RequestOptions,
	): Promise<IHttpRequestOptions> => {
		const baseUrl = readBaseUrl(credentials.baseUrl);
		const target = new URL(requestOptions.url ?? requestOptions.uri, requestOptions.baseURL);
		if (target.origin !== baseUrl.origin) {
			const origins = { own: baseUrl.origin, other: target.origin };
			throw new Error(fillText(credentialTexts.otherOrigin, origins));
		}
		const option = readableThrough(requestOptions);
		if (option !== undefined) {
			throw new Error(fillText(credentialTexts.readableOnTheWay, { option }));
		}
		return {
			...requestOptions,
			...noRedirects,
			headers: {
				...requestOptions.headers,
				Authorization: `Bearer ${String(credentials.apiKey).trim()}`,
			},
		};
	};
}

/** n8n's HTTP Request node passes options of an older kind, with names and settings of its own. */
interface RequestOptions extends IHttpRequestOptions {
	readonly uri?: string;
	readonly rejectUnauthorized?: boolean;
}

/** The option or header of n8n's HTTP Request node, by its label, through which somebody could read a request; undefined if there is none. */
function readableThrough(options: RequestOptions): string | undefined {
	const { proxy, headers, skipSslCertificateValidation, rejectUnauthorized, agentOptions } =
		options;
	if (proxy) return 'Proxy';
	// What many share, such as a load balancer, goes by it.
	if (Object.keys(headers ?? {}).some((name) => name.toLowerCase() === 'host')) return 'Host';
	const isAnyTaken = skipSslCertificateValidation === true || rejectUnauthorized === false;
	if (isAnyTaken || agentOptions?.rejectUnauthorized === false)
		return 'Ignore SSL Issues (Insecure)';
	return agentOptions?.ca ? 'SSL Certificates' : undefined;
}

const noRedirects = {
	disableFollowRedirect: true,
	followRedirect: false,
	followAllRedirects: false,
};

/** n8n shows one text about a wrong credential, so the text says what to do, too. */
function readBaseUrl(value: unknown): URL {
	try {
		return parseBaseUrl(value);
	} catch (error) {
		throw error instanceof InvalidInputError
			? new Error(`${error.message}. ${error.description}`)
			: error;
	}
}

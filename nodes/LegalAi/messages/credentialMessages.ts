import type { MessageTemplate } from './template';

/** What is wrong with the fields of the credential. */
export const credentialMessages = {
	baseUrlEmpty: {
		message: 'The credential has no "Base URL"',
		description: 'Open the "Legal AI API" credential and enter the address of the service, ending in /api/v1.',
	},
	baseUrlNotAddress: {
		message: '"Base URL" in the credential is not a web address',
		description: 'Enter the full address, e.g. https://legal-ai.example.com/api/v1.',
	},
	baseUrlWithLogin: {
		message: '"Base URL" in the credential contains a user name or a password',
		description: 'Remove them. The service identifies you by the API key.',
	},
	baseUrlUnencrypted: {
		message: '"Base URL" in the credential begins with http://, which would send your API key unencrypted',
		description: 'Enter the address with https://.',
	},
	baseUrlNotPlain: {
		message: '"Base URL" in the credential is not a plain address',
		description: 'Remove "..", "?" and "#" from it. It must end in /api/v1.',
	},
	baseUrlPath: {
		message: '"Base URL" in the credential must end in /api/v1',
		description: 'Enter the full address, e.g. https://legal-ai.example.com/api/v1.',
	},
} as const satisfies Record<string, MessageTemplate>;

/** Where n8n shows one text and no description: when the credential is tested, and when a workflow is published. */
export const credentialTexts = {
	accepted: 'The service accepts the API key.',
	unknownHost: 'The host in "Base URL" does not exist. Check the spelling.',
	connectionRefused: 'The host in "Base URL" refused the connection. Check the host and the port. If they are correct, the service may be down: try again later.',
	noTls: 'The host in "Base URL" does not support https at this port, so the API key was not sent. Check the host and the port.',
	certificateNotTrusted:
		'The certificate of the host in "Base URL" was not accepted, so the API key was not sent. Check the host. Your company\'s proxy may be replacing the certificate: ask your IT team to add the certificate of the proxy to n8n (NODE_EXTRA_CA_CERTS).',
	keyNotAccepted:
		'The service does not accept this API key. Copy it again from the API section of your account settings. It begins with sk-svc-api1-.',
	keyNotAllowed: 'The service knows this API key but does not allow it to be used here. Ask the service\'s support team for access.',
	notFound: 'The service was not found at this "Base URL". Check the address. It ends in /api/v1.',
	rateLimited: 'Your organization has used up its requests for this minute. The key may be correct: try again in a minute.',
	webhookSecretMissing:
		'The "Legal AI API" credential has no "Webhook Secret". Enter the one that was set or shown when the API key was created, or turn off "Verify Signature", and try again. If you no longer have the secret, create a new key.',
	otherOrigin: 'The API key in this credential is sent only to <own>, not to <other>.',
} as const;

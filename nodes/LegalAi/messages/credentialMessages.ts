import type { MessageTemplate } from './template';

/** What is wrong with the fields of the credential. */
export const credentialMessages = {
	baseUrlEmpty: {
		message: 'The credential has no "Base URL"',
		description: 'Enter the address of the service, ending in /api/v1, in the "Legal AI API" credential.',
	},
	baseUrlNotAddress: {
		message: '"Base URL" in the credential is not a web address',
		description: 'Enter the full address, e.g. https://legal-ai.example.com/api/v1.',
	},
	baseUrlUnencrypted: {
		message: '"Base URL" in the credential begins with http://, which would send your API key unencrypted',
		description: 'Enter the address with https://.',
	},
	baseUrlNotPlain: {
		message: '"Base URL" in the credential is not a plain address',
		description: 'Remove any user name, password, "..", "?" and "#" from it. It must end in /api/v1.',
	},
	baseUrlPath: {
		message: '"Base URL" in the credential must end in /api/v1',
		description: 'Enter the full address, e.g. https://legal-ai.example.com/api/v1.',
	},
} as const satisfies Record<string, MessageTemplate>;

/** Where n8n shows one text and no description: in the credential, and when a workflow is published. */
export const credentialTexts = {
	accepted: 'The service accepts the API key.',
	webhookSecretMissing: 'The "Legal AI API" credential has no "Webhook Secret". Enter the one that you set, or were shown, when you created the API key, or turn off "Verify Signature", and try again. If you no longer have the secret, create a new key.',
	otherOrigin: 'The API key in this credential is sent only to <own>, not to <other>.',
} as const;

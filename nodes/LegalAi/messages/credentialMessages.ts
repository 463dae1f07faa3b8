import { messages } from './template';

/** What is wrong with the fields of the credential. */
export const credentialMessages = messages({
	baseUrlEmpty:
		'The credential has no "Base URL". Enter the address of the service, ending in /api/v1, in the "Legal AI API" credential.',
	baseUrlNotAddress:
		'"Base URL" in the credential is not a web address. Enter the full address, e.g. https://legal-ai.example.com/api/v1.',
	baseUrlUnencrypted:
		'"Base URL" in the credential begins with http://, which would send your API key unencrypted. Enter the address with https://.',
	baseUrlNotPlain:
		'"Base URL" in the credential is not a plain address. Remove any user name, password, "..", "?" and "#" from it. It must end in /api/v1.',
	baseUrlPath:
		'"Base URL" in the credential must end in /api/v1. Enter the full address, e.g. https://legal-ai.example.com/api/v1.',
});

/** Where n8n shows one text and no description: in the credential, and when a workflow is published. */
export const credentialTexts = {
	accepted: 'The service accepts the API key.',
	webhookSecretMissing:
		'The "Legal AI API" credential has no "Webhook Secret". Enter the one that you set, or were shown, when you created the API key, or turn off "Verify Signature", and try again. If you no longer have the secret, create a new key.',
	otherOrigin: 'The API key in this credential is sent only to <own>, not to <other>.',
	readableOnTheWay:
		'The API key in this credential is not sent if a node sets "<option>": whoever does could read the key. Remove it. If all of n8n needs a proxy, whoever hosts n8n can set HTTPS_PROXY.',
} as const;

import type {
	IExecuteFunctions,
	ILoadOptionsFunctions,
	IPollFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';

import {
	accountOf,
	type ClientOptions,
	LegalAiClient,
	parseBaseUrl,
	serviceLimitsOf,
} from '../api';

/**
 * A client for the service that the node's credential names.
 *
 * @throws {InvalidInputError} if the credential has no address that a key may be sent to
 */
export async function createClient(
	context: IExecuteFunctions | ILoadOptionsFunctions | IPollFunctions | IWebhookFunctions,
	options: Pick<ClientOptions, 'signal' | 'deadline'> = {},
): Promise<LegalAiClient> {
	const credential = await context.getCredentials('legalAiApi');
	const { href } = parseBaseUrl(credential.baseUrl);
	const account = accountOf(credential);
	return new LegalAiClient({
		baseUrl: href,
		account,
		currentAccount: async () => accountOf(await context.getCredentials('legalAiApi')),
		limits: serviceLimitsOf(account),
		...options,
		transport: {
			authenticated: async (options) =>
				(await context.helpers.httpRequestWithAuthentication.call(
					context,
					'legalAiApi',
					options,
				)) as unknown,
			anonymous: async (options) => (await context.helpers.httpRequest(options)) as unknown,
		},
	});
}

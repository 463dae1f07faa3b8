import type { ICredentialDataDecryptedObject, ICredentialsHelper } from 'n8n-workflow';

import { LegalAiApi } from '../../../credentials/LegalAiApi.credentials.ts';

const type = new LegalAiApi();

/**
 * The one credential that there is: decrypts to given values, and authenticates requests with them as its type says.
 *
 * @param hangIfKilled awaited before anything is returned
 */
export function givenCredentials(
	values: () => ICredentialDataDecryptedObject,
	hangIfKilled = () => Promise.resolve(),
): ICredentialsHelper {
	const unavailable = (): never => {
		throw new Error('Credentials are not stored here');
	};
	return {
		getParentTypes: () => [],
		isCredentialUsableByNode: () => true,
		authenticate: async (credentials, _typeName, requestOptions) => {
			await hangIfKilled();
			return await type.authenticate(credentials, { url: '', ...requestOptions });
		},
		preAuthentication: () => Promise.resolve(undefined),
		runPreAuthentication: () => Promise.resolve(undefined),
		getDecrypted: async () => {
			await hangIfKilled();
			return values();
		},
		getCredentialsProperties: () => type.properties,
		getCredentials: unavailable,
		updateCredentials: unavailable,
		updateCredentialsOauthTokenData: unavailable,
	};
}

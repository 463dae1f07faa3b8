import type {
	ICredentialDataDecryptedObject,
	ICredentialsHelper,
	ICredentialType,
} from 'n8n-workflow';

/** The one credential that there is: its type, and the values that it holds. */
export interface GivenCredential {
	type: ICredentialType;
	values: ICredentialDataDecryptedObject;
}

/**
 * Decrypts to given values, and authenticates requests with them as the credential type says.
 *
 * @param living awaited before anything is returned
 */
export function givenCredentials(
	given: GivenCredential,
	living = () => Promise.resolve(),
): ICredentialsHelper {
	const find = (typeName: string) => {
		if (given.type.name !== typeName)
			throw new Error(`No credential of type ${typeName} was given`);
		return given;
	};
	const unavailable = (): never => {
		throw new Error('Credentials are not stored here');
	};
	return {
		getParentTypes: () => [],
		isCredentialUsableByNode: () => true,
		authenticate: async (credentials, typeName, requestOptions) => {
			await living();
			const { authenticate } = find(typeName).type;
			if (typeof authenticate !== 'function')
				throw new Error(`${typeName} has no authenticate function`);
			return await authenticate(credentials, { url: '', ...requestOptions });
		},
		preAuthentication: () => Promise.resolve(undefined),
		runPreAuthentication: () => Promise.resolve(undefined),
		getDecrypted: async (_additionalData, _nodeCredentials, typeName) => {
			await living();
			return { ...find(typeName).values };
		},
		getCredentialsProperties: (typeName) => find(typeName).type.properties,
		getCredentials: unavailable,
		updateCredentials: unavailable,
		updateCredentialsOauthTokenData: unavailable,
	};
}

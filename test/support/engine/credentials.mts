import {
	ICredentialsHelper,
	type ICredentialDataDecryptedObject,
	type ICredentials,
	type ICredentialType,
	type IHttpRequestOptions,
	type INodeCredentialsDetails,
	type INodeProperties,
	type IRequestOptionsSimplified,
	type IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';

/** A credential type, and the values that its one credential holds. */
export interface GivenCredential {
	readonly type: ICredentialType;
	readonly values: ICredentialDataDecryptedObject;
}

/** Decrypts to given values, and authenticates requests with them as the credential type says. */
export class GivenCredentials extends ICredentialsHelper {
	readonly #given: readonly GivenCredential[];
	readonly #living: () => Promise<void>;

	/** @param living awaited before anything is returned */
	constructor(given: readonly GivenCredential[], living = (): Promise<void> => Promise.resolve()) {
		super();
		this.#given = given;
		this.#living = living;
	}

	override getParentTypes(): string[] {
		return [];
	}

	override isCredentialUsableByNode(): boolean {
		return true;
	}

	override async authenticate(
		credentials: ICredentialDataDecryptedObject,
		typeName: string,
		requestOptions: IHttpRequestOptions | IRequestOptionsSimplified,
	): Promise<IHttpRequestOptions> {
		await this.#living();
		const { authenticate } = this.#find(typeName).type;
		if (typeof authenticate !== 'function') throw new Error(`${typeName} has no authenticate function`);
		return await authenticate(credentials, { url: '', ...requestOptions });
	}

	override preAuthentication(): Promise<undefined> {
		return Promise.resolve(undefined);
	}

	override runPreAuthentication(): Promise<undefined> {
		return Promise.resolve(undefined);
	}

	override getCredentials(): Promise<ICredentials> {
		throw new Error('Credentials are not stored here');
	}

	override async getDecrypted(
		_additionalData: IWorkflowExecuteAdditionalData,
		_nodeCredentials: INodeCredentialsDetails,
		type: string,
	): Promise<ICredentialDataDecryptedObject> {
		await this.#living();
		return { ...this.#find(type).values };
	}

	override updateCredentials(): Promise<void> {
		throw new Error('Credentials are not stored here');
	}

	override updateCredentialsOauthTokenData(): Promise<void> {
		throw new Error('Credentials are not stored here');
	}

	override getCredentialsProperties(type: string): INodeProperties[] {
		return this.#find(type).type.properties;
	}

	#find(typeName: string): GivenCredential {
		const found = this.#given.find(({ type }) => type.name === typeName);
		if (found === undefined) throw new Error(`No credential of type ${typeName} was given`);
		return found;
	}
}

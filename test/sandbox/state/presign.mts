import { createHmac } from 'node:crypto';

/** An error of the file storage, which responds in XML and does not use the API's error codes. */
export class StorageError extends Error {
	readonly status: number;
	readonly code: string;

	constructor(status: number, code: string, message: string) {
		super(message);
		this.status = status;
		this.code = code;
	}

	xml(): string {
		return (
			'<?xml version="1.0" encoding="UTF-8"?>\n' +
			`<Error><Code>${this.code}</Code><Message>${this.message}</Message></Error>`
		);
	}
}

/** What a presigned address allows: one path, until a time, with the declared content type. */
export interface Grant {
	readonly path: string;
	/** Sandbox milliseconds. */
	readonly expires: number;
	/** '' for any. */
	readonly contentType: string;
}

/** The signature of a presigned address, as it comes with a request. */
export interface PresignedQuery {
	readonly expires?: string;
	readonly signature?: string;
}

export class Presigner {
	readonly #secret: string;

	constructor(secret: string) {
		this.#secret = secret;
	}

	/** The path with its signed query. */
	sign(grant: Grant): string {
		return `${grant.path}?expires=${grant.expires}&signature=${this.#signature(grant)}`;
	}

	/** Throws the error of a file storage for a request whose signature is missing or for something else. */
	check(request: Omit<Grant, 'expires'>, query: PresignedQuery, now: number): void {
		const expires = Number(query.expires);
		if (!query.signature) throw new StorageError(403, 'AccessDenied', 'Access Denied');
		if (query.signature !== this.#signature({ ...request, expires })) {
			throw new StorageError(
				403,
				'SignatureDoesNotMatch',
				'The request signature we calculated does not match the signature you provided.',
			);
		}
		if (now > expires) throw new StorageError(403, 'AccessDenied', 'Request has expired');
	}

	#signature({ path, expires, contentType }: Grant): string {
		return createHmac('sha256', this.#secret).update([path, expires, contentType].join('\n')).digest('hex');
	}
}

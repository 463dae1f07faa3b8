import { createHmac } from 'node:crypto';

/** A refusal of the file store, which answers in XML and knows nothing of the API's error codes. */
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

/** What a presigned address allows: one path, until a time, with the content type agreed on. */
export interface Grant {
	readonly path: string;
	/** Sandbox milliseconds. */
	readonly expires: number;
	/** '' where any will do. */
	readonly contentType: string;
}

/** What signs a presigned address, as it comes with a request. */
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

	/** Throws what a file store answers to a request that carries another grant than the one it signed, or none. */
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

import { ApiError } from './errors';
import { redactedExcerpt } from './json';

/** Key of a function in a request's options, which the credential calls once it lets the request leave. */
export const LEAVE = Symbol('leave');

/** Whether n8n hands the options of a request to the credential as they are, which some request has shown. */
let isHandedOn = false;

/** Tells a request that never left n8n from one that may have arrived: n8n wraps the errors of both alike. */
export class Departure {
	private hasLeft = false;

	asOption() {
		return {
			[LEAVE]: () => {
				isHandedOn = true;
				this.hasLeft = true;
			},
		};
	}

	/** @throws {ApiError} of kind `neverSent` if the request has not left; else the error as it is */
	explain(error: unknown): never {
		if (this.hasLeft || !isHandedOn) throw error;
		const { message } = error instanceof Error ? error : new Error(String(error));
		throw new ApiError('neverSent', { said: redactedExcerpt(message) });
	}
}

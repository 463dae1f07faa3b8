import { ApiError } from './errors';
import { redactedExcerpt } from './json';

/** Key of a function in a request's options. `authenticate` of the credential calls it when it has allowed the request. */
export const ON_DEPARTURE = Symbol('onDeparture');

/** Whether this n8n passes the key on to the credential: known once a first request has left. Otherwise, a call that is missing says nothing. */
let isPassedOn = false;

/**
 * Finds out whether a failed request never left n8n, e.g. because its credential could not be used, or may have arrived. n8n's errors do not
 * say it.
 */
export class Departure {
	private hasLeft = false;

	/** The options to add to the request. */
	asOption() {
		return {
			[ON_DEPARTURE]: () => {
				isPassedOn = true;
				this.hasLeft = true;
			},
		};
	}

	/** @throws {ApiError} of kind `neverSent` if the request has not left; else the error as it is */
	explain(error: unknown): never {
		if (this.hasLeft || !isPassedOn) throw error;
		const { message } = error instanceof Error ? error : new Error(String(error));
		throw new ApiError('neverSent', { said: redactedExcerpt(message) });
	}
}

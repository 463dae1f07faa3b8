import { Refusal } from './errors.mts';

/** What every API key begins with (specification, "Authentication"). */
export const KEY_PREFIX = 'sk-svc-api1-';

/** The key of a request. Throws the 401 that the specification gives for a missing, malformed or unknown one. */
export function checkKey(authorization: string | undefined, keys: ReadonlyMap<string, unknown>) {
	const refuse = (message: string): never => {
		throw new Refusal(401, 'unauthorized', message);
	};
	if (!authorization) return refuse('Missing Authorization header');
	const key = /^Bearer (\S+)$/i.exec(authorization)?.[1];
	if (!key?.startsWith(KEY_PREFIX)) return refuse('Invalid API key format');
	return keys.has(key) ? key : refuse('Invalid API key');
}

import { unauthorized } from './errors.mts';

/** What every API key begins with (specification, "Authentication"). */
export const KEY_PREFIX = 'sk-svc-api1-';

/** Throws the 401 that the specification gives for a missing, malformed or unknown key. */
export function checkKey(authorization: string | undefined, apiKey: string): void {
	if (authorization === undefined || authorization === '') throw unauthorized('Missing Authorization header');
	const key = /^Bearer (\S+)$/i.exec(authorization)?.[1];
	if (!key?.startsWith(KEY_PREFIX) || key === KEY_PREFIX) throw unauthorized('Invalid API key format');
	if (key !== apiKey) throw unauthorized('Invalid API key');
}

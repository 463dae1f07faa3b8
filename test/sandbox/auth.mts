import { Refusal } from './errors.mts';

/** What every API key begins with (specification, "Authentication"). */
export const KEY_PREFIX = 'sk-svc-api1-';

/** Throws the 401 that the specification gives for a missing, malformed or unknown key. */
export function checkKey(authorization: string | undefined, apiKey: string): void {
	const refuse = (message: string): never => {
		throw new Refusal(401, 'unauthorized', message);
	};
	if (!authorization) return refuse('Missing Authorization header');
	const key = /^Bearer (\S+)$/i.exec(authorization)?.[1];
	if (!key?.startsWith(KEY_PREFIX)) return refuse('Invalid API key format');
	if (key !== apiKey) refuse('Invalid API key');
}

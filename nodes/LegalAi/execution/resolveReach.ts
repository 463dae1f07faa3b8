import type { RequestHelperFunctions } from 'n8n-workflow';

import { reachOf, type Reach } from '../api/reach';

/** n8n 1 has no egress filter. */
type EgressHelpers = Partial<Pick<RequestHelperFunctions, 'getSecureEgressFilter'>>;

/**
 * How far the host of an address reaches once its name is looked up, by n8n's own protection against server-side request
 * forgery, whether an administrator has turned that on or not. `public` if this n8n has none, or if the name is unknown
 * here, since a proxy may know it.
 */
export async function resolveReach(helpers: EgressHelpers, url: string): Promise<Reach> {
	const verdict = await helpers.getSecureEgressFilter?.('enforced').validateUrl(url).catch(() => undefined);
	if (verdict === undefined || verdict.ok) return 'public';
	const ip: unknown = Reflect.get(verdict.error, 'ip');
	if (typeof ip !== 'string') return 'private';
	return reachOf(ip.includes(':') ? new URL(`http://[${ip}]/`).hostname : ip);
}

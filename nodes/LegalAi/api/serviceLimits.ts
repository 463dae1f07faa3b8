import { RateLimiter } from './rateLimiter';

const NEW_SESSIONS_PER_MINUTE = 60;
const REQUESTS_PER_MINUTE = 400;

/** The service's limits ("Limits" in its specification), which apply to an organization. */
export interface ServiceLimits {
	sessions: RateLimiter;
	requests: RateLimiter;
}

const limitsByAccount = new Map<string, ServiceLimits>();

/**
 * The limits that all runs of this process share that use the same key at the same address. Those that nobody has
 * needed for a minute are forgotten.
 */
export function serviceLimitsOf(account: string): ServiceLimits {
	for (const [other, { sessions, requests }] of limitsByAccount) {
		if (other !== account && sessions.isIdle && requests.isIdle) limitsByAccount.delete(other);
	}
	const known = limitsByAccount.get(account);
	if (known !== undefined) return known;
	const limits = {
		sessions: new RateLimiter(NEW_SESSIONS_PER_MINUTE),
		requests: new RateLimiter(REQUESTS_PER_MINUTE),
	};
	limitsByAccount.set(account, limits);
	return limits;
}

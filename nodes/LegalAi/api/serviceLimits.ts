import { BoundedMap } from './boundedMap';
import { RateLimiter } from './rateLimiter';

const NEW_SESSIONS_PER_MINUTE = 60;
const REQUESTS_PER_MINUTE = 400;
const MOST_ACCOUNTS = 1_000;

/** The service's limits ("Limits" in its specification), which apply to an organization. */
export interface ServiceLimits {
	sessions: RateLimiter;
	requests: RateLimiter;
}

const limitsByAccount = new BoundedMap<string, ServiceLimits>(MOST_ACCOUNTS);

/** The limits that all runs of this process share that use the same key at the same address. */
export function serviceLimitsOf(account: string): ServiceLimits {
	const limits = limitsByAccount.get(account) ?? {
		sessions: new RateLimiter(NEW_SESSIONS_PER_MINUTE),
		requests: new RateLimiter(REQUESTS_PER_MINUTE),
	};
	limitsByAccount.set(account, limits);
	return limits;
}

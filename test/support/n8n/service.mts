import type { Sandbox } from '../../sandbox/sandbox.mts';

/** What n8n's credential for a sandbox holds. */
export function keyOf({ baseUrl, apiKey, webhookSecret }: Sandbox) {
	return { baseUrl, apiKey, webhookSecret };
}

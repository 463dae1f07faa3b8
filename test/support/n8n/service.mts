import type { Sandbox } from '../../sandbox/sandbox.mts';

/** What n8n's credential for a sandbox holds. */
export function toCredential({ baseUrl, apiKey, webhookSecret }: Sandbox) {
	return { baseUrl, apiKey, webhookSecret };
}

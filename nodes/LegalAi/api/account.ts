import { createHash } from 'crypto';

import { parseBaseUrl } from './baseUrl';
import { BoundedMap } from './boundedMap';
import type { LegalAiClient } from './client';
import { readObject } from './json';

/** Tells one thing from another, by 132 bits. */
export function hashOf(content: unknown): string {
	return createHash('sha256').update(JSON.stringify(content)).digest('base64').slice(0, 22);
}

/**
 * Whose something is that the process keeps, as a hash: of the service's address, however that is spelled, and of the key. What
 * outlives the process is not kept by it, as a key is replaced. Credentials may share an ID.
 *
 * @throws {InvalidInputError} if the address is none that a key may be sent to
 */
export function accountOf({ baseUrl, apiKey }: Readonly<Record<string, unknown>>): string {
	return hashOf([parseBaseUrl(baseUrl).href, String(apiKey).trim()]);
}

/** Without it, each poll of each trigger would cost another request. */
const users = new BoundedMap<string, string>(1_000);

/**
 * Whose something is that outlives the process, as a hash: of the service's address, and of the user and organization that the key
 * belongs to. Where the service does not name them, of the key.
 *
 * @throws {ApiError}
 */
export async function userOf(client: LegalAiClient): Promise<string> {
	const known = users.get(client.account);
	if (known !== undefined) return known;
	const { customer_id: organization, user_id: user } = await client.request(
		{ method: 'GET', path: ['me'] },
		readObject,
	);
	await client.ensureSameAccount();
	const whose = user ? hashOf([client.baseUrl, organization, user]) : client.account;
	users.set(client.account, whose);
	return whose;
}

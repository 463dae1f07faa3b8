import { createHash } from 'crypto';

/** Tells one thing from another, by 132 bits. */
export function hashOf(content: unknown): string {
	return createHash('sha256').update(JSON.stringify(content)).digest('base64').slice(0, 22);
}

/** Whose something is that the process keeps, as a hash: of the service's address and of the key. Credentials may share an ID. */
export function accountOf({ baseUrl, apiKey }: Readonly<Record<string, unknown>>): string {
	return hashOf([baseUrl, apiKey].map((part) => String(part).trim()));
}

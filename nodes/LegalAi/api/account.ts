import { createHash } from 'crypto';

/** Whose something is that the process keeps, as a hash: of the service's address and of the key. Credentials may share an ID. */
export function accountOf({ baseUrl, apiKey }: Readonly<Record<string, unknown>>): string {
	const parts = [baseUrl, apiKey].map((part) => String(part).trim());
	return createHash('sha256').update(JSON.stringify(parts)).digest('base64');
}

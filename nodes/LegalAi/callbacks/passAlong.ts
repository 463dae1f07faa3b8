import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'crypto';

import { isRecord, readJson } from '../api';

/** Texts by their names, which a callback brings back. */
export type PassedAlong = Record<string, string>;

const PARAMETER = 'pass_along';
const CIPHER = 'aes-256-gcm';
const [IV_BYTES, TAG_BYTES] = [12, 16];

/** The address of a trigger with values that nobody can read or change on their way: proxies and services log addresses. */
export function addPassedAlong(url: string, values: PassedAlong, webhookSecret: string): string {
	const iv = randomBytes(IV_BYTES);
	const cipher = createCipheriv(CIPHER, keyOf(webhookSecret), iv);
	const encrypted = [iv, cipher.update(JSON.stringify(values)), cipher.final()];
	const address = new URL(url);
	address.searchParams.set(
		PARAMETER,
		Buffer.concat([...encrypted, cipher.getAuthTag()]).toString('base64url'),
	);
	return address.href;
}

/** The values in the address of a callback; undefined if there are none, null if no secret can decrypt them. */
export function passedAlongOf(query: unknown, secrets: string[]): PassedAlong | null | undefined {
	const given = isRecord(query) ? query[PARAMETER] : undefined;
	if (given === undefined) return undefined;
	const bytes = Buffer.from(typeof given === 'string' ? given : '', 'base64url');
	const texts = secrets
		.map((secret) => decrypted(bytes, secret))
		.find((text) => text !== undefined);
	const values = readJson(texts ?? '');
	return isRecord(values) ? (values as PassedAlong) : null;
}

function decrypted(bytes: Buffer, secret: string): string | undefined {
	try {
		const decipher = createDecipheriv(CIPHER, keyOf(secret), bytes.subarray(0, IV_BYTES), {
			authTagLength: TAG_BYTES,
		});
		decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
		return (
			decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES), undefined, 'utf8') +
			decipher.final('utf8')
		);
	} catch {
		return undefined;
	}
}

/** A key for this alone: with the secret itself, callbacks are signed. */
function keyOf(secret: string): Buffer {
	return Buffer.from(hkdfSync('sha256', secret, '', 'n8n-nodes-legal-ai pass along', 32));
}

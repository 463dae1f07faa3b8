import { createHmac, timingSafeEqual } from 'crypto';

import { SERVICE_LIMITS } from '../api';

/**
 * The result of checking a callback's `Service-Signature`. Anything but `valid` must be ignored.
 *
 * - `missing`: there is none.
 * - `malformed`: it does not have the form that the service writes.
 * - `wrong`: it was not made for these bytes with one of these secrets.
 * - `stale`: it was, but more than a minute from now: somebody sent the callback again, or a clock is off.
 * - `noSecret`: there is no secret to check with, so anyone could have made it.
 */
export type SignatureVerdict = 'valid' | 'missing' | 'malformed' | 'wrong' | 'stale' | 'noSecret';

const TOLERANCE_MS = SERVICE_LIMITS.signatureSeconds * 1000;
const FORM = /^t=(0|[1-9]\d{0,14}),v1=([0-9a-f]{64})$/;

/**
 * Checks the `Service-Signature` of a callback: `t=<unix seconds>,v1=<hex>`, the hex being the HMAC-SHA256 of
 * `<t>.<raw body>` with the webhook secret. `rawBody` are the very bytes that came in (unzipped, if they were
 * sent gzipped): parsing and writing the JSON again would change spaces, escapes and the order of its fields.
 *
 * The header is accepted in the one form that the API describes. Everything else is `malformed`: parts that are missing,
 * swapped, repeated or added, white space, other ways to write a number. A sender of this API never writes that, and some
 * of it could be read in two ways. A time of more than 15 digits would be beyond exact numbers.
 *
 * The time may differ from `nowMs` by exactly 60 seconds and no millisecond more, either way. It is checked last,
 * so only genuine signatures are called `stale`. Signatures are compared in constant time.
 *
 * @param secrets the current one, and the one before if a key was replaced
 */
export function checkSignature(
	header: unknown,
	rawBody: Buffer,
	secrets: string[],
	nowMs: number,
): SignatureVerdict {
	if (secrets.length === 0) return 'noSecret';
	if (header === undefined || header === '') return 'missing';
	const [, time, signature] = (typeof header === 'string' ? FORM.exec(header) : null) ?? [];
	if (time === undefined || signature === undefined) return 'malformed';

	const given = Buffer.from(signature, 'hex');
	const isGenuine = secrets.some((secret) => timingSafeEqual(hmacOf(secret, time, rawBody), given));
	if (!isGenuine) return 'wrong';
	return Math.abs(nowMs - Number(time) * 1000) <= TOLERANCE_MS ? 'valid' : 'stale';
}

/** The `Service-Signature` of a body, as the service writes it; `time` in unix seconds. */
export function signatureOf(rawBody: Buffer, secret: string, time: number): string {
	return `t=${time},v1=${hmacOf(secret, String(time), rawBody).toString('hex')}`;
}

function hmacOf(secret: string, time: string, rawBody: Buffer): Buffer {
	return createHmac('sha256', secret).update(`${time}.`).update(rawBody).digest();
}

/** The credential's webhook secrets, without the blanks that copying may add; empty if there are none. */
export function webhookSecretsOf({
	webhookSecret,
	previousWebhookSecret,
}: Record<string, unknown>): string[] {
	return [webhookSecret, previousWebhookSecret]
		.map((secret) => (typeof secret === 'string' ? secret.trim() : ''))
		.filter((secret) => secret !== '');
}

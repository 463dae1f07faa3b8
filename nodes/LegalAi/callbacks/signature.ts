import { createHmac, timingSafeEqual } from 'crypto';

/**
 * What a callback's `Service-Signature` is worth; anything but `valid` must not be acted upon.
 *
 * - `missing`: there is none.
 * - `malformed`: it is not what the service writes.
 * - `wrong`: it was not made for these bytes with this secret.
 * - `stale`: it was, but more than a minute from now: the answer was sent again by somebody, or a clock is off.
 * - `unverifiable`: there is no secret to check with, so anybody could have made it.
 */
export type SignatureVerdict = 'valid' | 'missing' | 'malformed' | 'wrong' | 'stale' | 'unverifiable';

const TOLERANCE_MS = 60_000;
const FORM = /^t=(0|[1-9]\d{0,14}),v1=([0-9a-f]{64})$/;

/**
 * Checks the `Service-Signature` of a callback: `t=<unix seconds>,v1=<hex>`, where the hex is the HMAC-SHA256 of
 * `<t>.<raw body>` with the webhook secret. `rawBody` are the very bytes that came in (unzipped, where they were
 * sent gzipped): parsing and writing the JSON anew would change spaces, escapes and the order of its fields.
 *
 * The header is taken in the one form that the API describes, `t` first, `v1` second, nothing else. Refused as
 * `malformed`, therefore, is what a sender of this API never writes and what could be read in two ways:
 * - a missing, swapped or repeated part, a further one (`v0`, `v2`), a header sent twice (it arrives joined by a comma);
 * - white space within or around the parts (HTTP itself takes away what surrounds a header's value);
 * - a time that is signed, fractional, in hex, with leading zeros, or of more than 15 digits (beyond exact numbers);
 * - a signature that is not 64 lowercase hex digits: "lowercase" is the API's word.
 *
 * The time may differ from `nowMs` by exactly 60 seconds and no millisecond more, either way. It is looked at last,
 * so `stale` is said of genuine signatures alone. Signatures are compared in constant time.
 */
export function checkSignature(header: unknown, rawBody: Buffer, secret: string, nowMs: number): SignatureVerdict {
	if (secret === '') return 'unverifiable';
	if (header === undefined || header === '') return 'missing';
	const [, time, signature] = (typeof header === 'string' ? FORM.exec(header) : null) ?? [];
	if (time === undefined || signature === undefined) return 'malformed';

	const expected = createHmac('sha256', secret).update(`${time}.`).update(rawBody).digest();
	if (!timingSafeEqual(expected, Buffer.from(signature, 'hex'))) return 'wrong';
	return Math.abs(nowMs - Number(time) * 1000) <= TOLERANCE_MS ? 'valid' : 'stale';
}

/** The credential's webhook secret, without the blanks that copying may add; empty where there is none. */
export function readWebhookSecret({ webhookSecret }: { webhookSecret?: unknown }): string {
	return typeof webhookSecret === 'string' ? webhookSecret.trim() : '';
}

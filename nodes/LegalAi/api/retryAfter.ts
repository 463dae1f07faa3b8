/** How HTTP writes a date. Left to itself, `Date.parse` finds one in almost any text with a number in it. */
const HTTP_DATE = /^\s*(Mon|Tue|Wed|Thu|Fri|Sat|Sun)/;
const SECONDS = /^\s*\d+(\.\d+)?\s*$/;
/** A limit that refills every minute hardly asks for more than this. */
const LONGEST_BELIEVED_MS = 15 * 60_000;

/** Reads a Retry-After header, in seconds or as a date, as ms from now. Undefined if it is neither, or not plausible. */
export function parseRetryAfter(header: unknown, nowMs: number): number | undefined {
	const ms = parseMs(header, nowMs);
	return ms <= LONGEST_BELIEVED_MS ? ms : undefined;
}

/** NaN if it is neither. */
function parseMs(header: unknown, nowMs: number): number {
	if (typeof header !== 'string') return NaN;
	if (SECONDS.test(header)) return Number(header) * 1000;
	return HTTP_DATE.test(header) ? Math.max(0, Date.parse(header) - nowMs) : NaN;
}

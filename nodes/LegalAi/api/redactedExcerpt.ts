import { responseDetails } from '../messages';

const MAX_LENGTH = 200;
/** More than is ever shown, and short enough to search quickly. */
const MAX_LENGTH_READ = 20_000;

/** A query: without it, an address still leads to a page that says more. */
const QUERY = /\?(?=\S)\S*/g;

/** Anything else with a value, also if its characters are escaped as in addresses, JSON or HTML, any number of times. */
const VALUE = /(?:=(?=\S)|%[0-9a-f]{2}|\\u[0-9a-f]{4}|&#)\S*/gi;

const SECRET_NAME = '(?:sig|signature|token|credential|secret|password|policy|key)';
/** A secret under its name, as in JSON or in a header. */
const NAMED_SECRET = new RegExp(
	String.raw`(${SECRET_NAME}[\w-]{0,30}["'\\]{0,4} ?[:=] ?["'\\]{0,4})(?=\S*\d|\S{16})[^\s"'<>,;}]+`,
	'gi',
);

/** A control character: the bytes are no text, or in an encoding that they were not read in. */
const NO_TEXT = /[^\P{Cc}\s]/u;

/** Longer than any word or ID. */
const LONG_RUN = /[\w+~]{40,}/g;

/**
 * The beginning of a text that somebody else wrote, safe to show: without markup, and without values, any of which may be a key or
 * belong to a signed address. Undefined if nothing is left.
 */
export function redactedExcerpt(text: string): string | undefined {
	if (NO_TEXT.test(text)) return responseDetails.notText;
	const excerpt = text
		.slice(0, MAX_LENGTH_READ)
		.replace(/<(script|style)\b[^]*?(<\/\1>|$)/gi, ' ')
		.replace(/<[^<>]*>/g, ' ')
		.replace(/\s+/g, ' ')
		.replace(/sk-svc-api1-[\w-]*/gi, '…')
		.replace(QUERY, '')
		.replace(VALUE, '…')
		.replace(NAMED_SECRET, '$1…')
		.replace(/\b(bearer) \S+/gi, '$1 …')
		.replace(LONG_RUN, '…')
		.trim();
	if (excerpt === '') return undefined;
	return excerpt.length > MAX_LENGTH ? `${excerpt.slice(0, MAX_LENGTH)}…` : excerpt;
}

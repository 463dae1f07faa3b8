const MAX_LENGTH = 200;
/** More than is ever shown, and short enough to search at once. */
const MAX_LENGTH_READ = 20_000;

/** Where the `?` of an address is missing or encoded, its parts still have their names. */
const SECRET_PARAMETER = /(sig|signature|token|credential|secret|password|key)(=|%3D)[^\s&"'<>]+/gi;

/**
 * The beginning of a text that somebody else wrote, safe to show: without markup, and without anything that looks
 * like a key or the query of a signed address. Undefined if nothing is left.
 */
export function redactedExcerpt(text: string): string | undefined {
	const excerpt = text
		.slice(0, MAX_LENGTH_READ)
		.replace(/<(script|style)\b[^]*?(<\/\1>|$)/gi, ' ')
		.replace(/<[^<>]*>/g, ' ')
		.replace(/sk-svc-api1-[\w-]*/gi, '…')
		.replace(/\?[^\s?]*=\S*/g, '')
		.replace(/&?(?<![\w.%-])[\w.%-]+=\S{8,}/g, '…')
		.replace(SECRET_PARAMETER, '$1$2…')
		.replace(/\b(bearer)\s+\S+/gi, '$1 …')
		.replace(/\s+/g, ' ')
		.trim();
	if (excerpt === '') return undefined;
	return excerpt.length > MAX_LENGTH ? `${excerpt.slice(0, MAX_LENGTH)}…` : excerpt;
}

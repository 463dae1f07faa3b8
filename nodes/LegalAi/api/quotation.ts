const WORDS_SHOWN = 200;
/** More than is ever shown, and little enough to search through at once. */
const WORDS_READ = 20_000;

/**
 * The first words of what somebody else said, fit to be shown: without markup, and without anything that looks
 * like a key or a signed address. Undefined where nothing is left.
 */
export function quotation(text: string): string | undefined {
	const words = text
		.slice(0, WORDS_READ)
		.replace(/<(script|style)\b[^]*?<\/\1>/gi, ' ')
		.replace(/<[^>]*>/g, ' ')
		.replace(/sk-svc-api1-[\w-]*/g, '…')
		.replace(/\?[^\s?]*=\S*/g, '')
		.replace(/\s+/g, ' ')
		.trim();
	if (words === '') return undefined;
	return words.length > WORDS_SHOWN ? `${words.slice(0, WORDS_SHOWN)}…` : words;
}

import { addressesInText } from './email';
import { FOOTER, FORWARDED, INTRODUCTIONS, NEXT_HEADER, PREFIXES } from './mailPrograms';

/** What Apple Mail quotes, too, as it introduces an email; and lines longer than those of any mail program. */
const NOT_IN_INTRODUCTIONS = /^(> ?)+|.{400,}/g;

/**
 * Separates an email's own words from the thread below them.
 *
 * @returns what its sender says: the whole text if they forward, write between the quoted lines or below them, or say nothing else;
 * the rest; and the address of who is quoted first and answered, as far as the text says it
 */
export function splitThread(subject: string, text: string) {
	const lines = text.split('\n');
	const bare = lines.map((line) => line.replace(NOT_IN_INTRODUCTIONS, ''));
	/** Where an introduction begins that ends on a line, the last place: what stands above may be a sentence of the sender's own. */
	const startOf = (last: number) =>
		[last, last - 1, last - 2].find((first) => {
			const part = bare.slice(first, last + 1).join('\v');
			return INTRODUCTIONS.some((each) => each.test(part));
		});
	const last = bare.findIndex((_, line) => startOf(line) !== undefined);
	const first = startOf(last) ?? lines.length;
	const introduction = bare.slice(first, last + 1).join('\v');
	let end = first;
	while (end > 0 && /^(>.*|[_-]{5,})?$/.test(lines[end - 1] ?? '')) end--;
	const own = lines.slice(0, end).join('\n');
	const history = lines.slice(end).join('\n').trim();
	const [prefix] = subject.matchAll(PREFIXES);
	const isForward = prefix?.[1] !== undefined || FORWARDED.test(introduction);
	const isAnsweredInline = /^>.*\n+[^>\n]/m.test(history.split(FOOTER)[0] ?? '');
	const isWhole = isForward || isAnsweredInline || own === '';
	return {
		words: isWhole ? text : own,
		history: isWhole ? '' : history,
		answered: isForward ? '' : addressesInText(introduction.split(NEXT_HEADER)[0] ?? '')[0],
	};
}

import { addressesInText } from './email';
import { FOOTER, FORWARD_SUBJECT, FORWARDED, INTRODUCTIONS, NEXT_HEADER } from './mailPrograms';

/** The text of an email in its parts. */
export interface Thread {
	/** What its sender says: the whole text if they forward, write between the quoted lines or below them, or say nothing else. */
	words: string;
	/** The rest. */
	history: string;
	/** The address of who is quoted first and answered, as far as the text says it. */
	answered: string | undefined;
}

/** No line of a mail program is longer, and no expression is tried on one that is. */
const LONGEST_LINE = 400;

/** Separates an email's own words from the thread below them. */
export function splitThread(subject: string, text: string): Thread {
	const lines = text.split('\n');
	// Apple Mail quotes the line that introduces an email, too.
	const bare = lines.map((line) => (line.length > LONGEST_LINE ? '' : line.replace(/^(> ?)+/, '')));
	/** The introduction that ends on a line: the shortest, as what is above may be a sentence of the sender's own. */
	const introductionAt = (last: number): string[] | undefined =>
		[last, last - 1, last - 2]
			.map((first) => bare.slice(first, last + 1))
			.find((part) => INTRODUCTIONS.some((each) => each.test(part.join('\v'))));
	const last = bare.findIndex((_, line) => introductionAt(line));
	const introduction = introductionAt(last) ?? [];
	let end = last === -1 ? lines.length : last + 1 - introduction.length;
	while (end > 0 && /^(>.*|[_-]{5,})?$/.test(lines[end - 1] ?? '')) end--;
	const own = lines.slice(0, end).join('\n').trim();
	const history = lines.slice(end).join('\n').trim();
	const isForward = FORWARD_SUBJECT.test(subject) || FORWARDED.test(introduction.join());
	const isAnsweredInline = /^>.*\n+[^>\n]/m.test(history.split(FOOTER)[0] ?? '');
	const [author = ''] = introduction.join('\v').split(NEXT_HEADER);
	return {
		...(isForward || isAnsweredInline || own === ''
			? { words: text, history: '' }
			: { words: own, history }),
		answered: isForward ? undefined : addressesInText(author)[0],
	};
}

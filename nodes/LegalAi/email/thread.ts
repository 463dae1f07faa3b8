import { addressesInText } from './email';
import { ATTRIBUTION, FOOTER, FORWARDED, FROM_LABEL, HEADER_LABEL, ORIGINAL } from './mailPrograms';

/** The text of an email in its parts. */
export interface Thread {
	/** What stands above the first email that is quoted or forwarded. */
	own: string;
	history: string;
	isForwarded: boolean;
	/** Whether its sender has written between the quoted lines, or below them. */
	isAnsweredInline: boolean;
	/** The address of who is quoted first, as far as the text says it. */
	quoted: string | undefined;
}

/** No line of a mail program is longer, and no expression is tried on one that is. */
const LONGEST_LINE = 400;
/** Outlook's block of headers has at least two beside the sender, in this many lines. */
const HEADER_LINES = 8;

/** Separates an email's own words from the thread below them. */
export function splitThread(text: string): Thread {
	const lines = text.split('\n');
	// Apple Mail quotes the line that introduces an email, too.
	const bare = lines.map((line) => (line.length > LONGEST_LINE ? '' : line.replace(/^(> ?)+/, '')));
	/** Whether lines from here on are one that introduces an email: it may be wrapped twice. */
	const isAttribution = (index: number): boolean =>
		[1, 2, 3].some((count) => {
			const joined = bare.slice(index, index + count).join(' ');
			return joined.length <= LONGEST_LINE && /[:：]$/.test(joined) && ATTRIBUTION.test(joined);
		});
	const isHeaderBlock = (index: number): boolean =>
		FROM_LABEL.test(bare[index] ?? '') &&
		bare.slice(index, index + HEADER_LINES).filter((line) => HEADER_LABEL.test(line)).length > 1;
	const found = bare.findIndex(
		(line, index) =>
			FORWARDED.test(line) ||
			ORIGINAL.test(line) ||
			isHeaderBlock(index) ||
			// What is joined with it may be a sentence of the sender's own.
			(isAttribution(index) && !isAttribution(index + 1) && !isAttribution(index + 2)),
	);
	const start = found === -1 ? lines.length : found;
	let end = start;
	while (end > 0 && /^(>.*|[_-]{5,})?$/.test(lines[end - 1] ?? '')) end--;
	const history = lines.slice(end).join('\n').trim();
	const [author = ''] = bare
		.slice(start, start + 3)
		.join('\n')
		.split(HEADER_LABEL);
	return {
		own: lines.slice(0, end).join('\n').trim(),
		history,
		isForwarded: FORWARDED.test(bare[start] ?? ''),
		isAnsweredInline: /^>.*\n+[^>\n]/m.test(history.split(FOOTER)[0] ?? ''),
		quoted: addressesInText(author)[0],
	};
}

import { addressesInText } from './email';
import {
	ATTRIBUTIONS,
	BANNER_LINE,
	FOOTER_LINE,
	FORWARDED,
	FROM_LABEL,
	HEADER_LABEL,
	ORIGINAL,
} from './mailPrograms';

/** The text of an email in its parts. */
export interface Thread {
	/** What stands above the first email that is quoted or forwarded. */
	own: string;
	history: string;
	isForwarded: boolean;
	/** Whether somebody has written between the quoted lines, or below them. */
	isAnsweredInline: boolean;
	/** Who is quoted first, by address, as far as the text says. */
	quoted: string[];
}

/** No line of a mail program is longer, and a regular expression is not tried on one that is. */
const LONGEST_LINE = 400;
/** A line above a quoted email is wrapped at most this often. */
const MOST_WRAPS = 3;
/** Headers that begin the block above an email in Outlook, and the lines in which they stand. */
const [FEWEST_HEADERS, HEADER_LINES] = [2, 8];

/** Separates an email's own words from the thread below them. */
export function splitThread(text: string): Thread {
	const lines = text.split('\n');
	// Apple Mail quotes the line that introduces an email, too.
	const bare = lines.map((line) => (line.length > LONGEST_LINE ? '' : line.replace(/^(> ?)+/, '')));
	const start = bare.findIndex(
		(line, index) =>
			FORWARDED.test(line) ||
			ORIGINAL.test(line) ||
			isHeaderBlock(bare, index) ||
			// A sentence that begins like it may stand right above it.
			(isAttribution(bare, index) &&
				!isAttribution(bare, index + 1) &&
				!isAttribution(bare, index + 2)),
	);
	const end = start === -1 ? lines.length : start;
	let own = end;
	while (own > 0 && /^(>.*|[_-]{5,})?$/.test(lines[own - 1] ?? '')) own--;
	const history = lines.slice(own);
	return {
		own: lines.slice(0, own).join('\n').trim(),
		history: history.join('\n').trim(),
		isForwarded: FORWARDED.test(bare[start] ?? ''),
		isAnsweredInline: hasAnswers(history),
		quoted: start === -1 ? [] : whoIsQuoted(bare.slice(start, start + HEADER_LINES)),
	};
}

/** The text without the lines that a server has put above it. */
export function withoutBanner(text: string): string {
	const lines = text.split('\n');
	const first = lines.findIndex(
		(line) => line !== '' && !(line.length <= LONGEST_LINE && BANNER_LINE.test(line)),
	);
	return lines.slice(Math.max(first, 0)).join('\n');
}

function isAttribution(lines: string[], index: number): boolean {
	return attributionAt(lines, index) !== undefined;
}

function attributionAt(lines: string[], index: number): string | undefined {
	for (let count = 1; count <= MOST_WRAPS; count++) {
		if (!/[:：]$/.test(lines[index + count - 1] ?? '')) continue;
		const joined = lines
			.slice(index, index + count)
			.join(' ')
			.slice(0, LONGEST_LINE + 1);
		if (joined.length <= LONGEST_LINE && ATTRIBUTIONS.some((pattern) => pattern.test(joined)))
			return joined;
	}
	return undefined;
}

function isHeaderBlock(lines: string[], index: number): boolean {
	if (!FROM_LABEL.test(lines[index] ?? '')) return false;
	const following = lines
		.slice(index + 1, index + HEADER_LINES)
		.filter((line) => HEADER_LABEL.test(line));
	return following.length >= FEWEST_HEADERS;
}

function whoIsQuoted(lines: string[]): string[] {
	const line = attributionAt(lines, 0) ?? lines.find((each) => FROM_LABEL.test(each)) ?? '';
	return addressesInText(line);
}

function hasAnswers(history: string[]): boolean {
	const quoted = history.slice(history.findIndex((line) => line.startsWith('>')));
	if (!quoted[0]?.startsWith('>')) return false;
	const footer = quoted.findIndex((line) => line.length <= LONGEST_LINE && FOOTER_LINE.test(line));
	return quoted
		.slice(0, footer === -1 ? quoted.length : footer)
		.some((line) => line !== '' && !line.startsWith('>'));
}

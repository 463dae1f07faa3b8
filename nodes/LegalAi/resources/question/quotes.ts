/** Parts of words and numbers, signs that change the meaning of a number, and what joins two words to one; for regular expressions. */
const LETTER = String.raw`\p{L}\p{N}\p{M}`;
const SIGN = String.raw`\p{Sc}%‰§`;
const JOINT = String.raw`\-"/&@`;
/** Stands for a hyphen at the end of a line: the word may have one elsewhere, too, or not. */
const LINE_END = '‧';
const LEAST_WORDS = 3;

const WORD = regExp(`[${LETTER}]`);
const AROUND_WORDS = regExp(`^[^${LETTER}${SIGN}]+|[^${LETTER}${SIGN}]+$`, 'g');
/** Enough of a quote to find where it may stand. */
const BEGINNING = regExp(`^[${LETTER}]{1,8}|^.`);
/** A character, and what is before or behind it if its word is cut off there, or its number, from a part or a sign. */
const CUT_BEFORE = regExp(
	String.raw`([${LETTER}${LINE_END}]|[${LETTER}][${JOINT}]|(?:[${SIGN}] ?|-|\d[., ])(?=\d)).$`,
);
const CUT_BEHIND = regExp(
	String.raw`^.([${LETTER}${LINE_END}]|[${JOINT}][${LETTER}]|(?<=\d)(?: ?[${SIGN}]|[., ]\d))`,
);
/** White space that counts: between words, and between a number's comma and the next number. */
const SPACE_COUNTS = regExp(String.raw`[${LETTER}] [${LETTER}]|\d[.,] \d`);

/** Makes a check of whether a text has a quote: at least three words, none of them cut off, typography aside. */
export function quoteFinder(text: string): (quote: string) => boolean {
	const document = withoutTypography(text);
	return (quote) => {
		const words = withoutTypography(quote).replace(AROUND_WORDS, '');
		if (words.split(' ').filter((word) => WORD.test(word)).length < LEAST_WORDS) return false;
		const [beginning = ''] = BEGINNING.exec(words) ?? [];
		const places = regExp([...beginning].join(`${LINE_END}?`).replace('$', '\\$'), 'g');
		for (const { index } of document.matchAll(places)) {
			const end = endOfWords(document, index, words);
			const isWhole =
				end !== undefined &&
				!CUT_BEFORE.test(document.slice(Math.max(0, index - 4), index + 1)) &&
				!CUT_BEHIND.test(document.slice(end - 1, end + 3));
			if (isWhole) return true;
		}
		return false;
	};
}

function withoutTypography(text: string): string {
	return (
		text
			.replace(/[\p{Pi}\p{Pf}"'`´‚„′″＂＇「」『』〝〞〟]+/gu, '"')
			.normalize('NFKC')
			.toUpperCase()
			.toLowerCase()
			.replaceAll('ß', 'ss')
			// The dot of a capital İ.
			.replaceAll('i\u0307', 'i')
			.replace(/(?<=\p{L})[\u00ad\u2010-][^\S\r\n]*[\r\n]\s*(?=\p{L})/gu, LINE_END)
			.replace(/\p{Cf}/gu, '')
			.replace(/-{2,}|[—―]/g, ' - ')
			.replace(/[\p{Pd}−]/gu, '-')
			.replace(/[\s\u0085]+/g, ' ')
			.trim()
	);
}

/** Where words end that stand at a place of a document; undefined if they do not stand there. */
function endOfWords(document: string, start: number, words: string): number | undefined {
	let [at, next] = [start, 0];
	while (next < words.length) {
		const [there, wanted] = [document[at], words[next]];
		if (there === wanted) [at, next] = [at + 1, next + 1];
		else if (there === LINE_END) [at, next] = [at + 1, wanted === '-' ? next + 1 : next];
		else if (wanted === LINE_END) [at, next] = [there === '-' ? at + 1 : at, next + 1];
		else if (isFreeSpace(document, at)) at++;
		else if (isFreeSpace(words, next)) next++;
		else return undefined;
	}
	return at;
}

function isFreeSpace(text: string, at: number): boolean {
	return text[at] === ' ' && !SPACE_COUNTS.test(text.slice(Math.max(0, at - 2), at + 3));
}

function regExp(source: string, flags = ''): RegExp {
	return new RegExp(source, `${flags}u`);
}

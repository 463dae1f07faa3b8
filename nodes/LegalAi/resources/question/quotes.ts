/** Parts of words and numbers, signs that change the meaning of a number, and what joins two words to one; for regular expressions. */
const LETTER = String.raw`\p{L}\p{N}\p{M}`;
const SIGN = String.raw`\p{Sc}%‰§`;
const JOINT = String.raw`\-"/&@`;
/** Stands for a hyphen at the end of a line: the word may have one elsewhere, too, or not. */
const LINE_END = '‧';
const LEAST_WORDS = 3;

/** White space that does not count becomes a line break: not between words, nor between a number's comma and the next number. */
const FREE_SPACE = new RegExp(
	String.raw`(?<![${LETTER}]|\d[.,]) | (?![${LETTER}])|(?<=[.,]) (?!\d)`,
	'gu',
);
const AROUND_WORDS = new RegExp(`^[^${LETTER}${SIGN}]+|[^${LETTER}${SIGN}]+$`, 'gu');
/** A character, and what is before or behind it if its word is cut off there, or its number, from a part or a sign. */
const CUT_BEFORE = new RegExp(
	String.raw`([${LETTER}${LINE_END}]|[${LETTER}][${JOINT}]|(?:[${SIGN}]\s?|-|\d[., ])(?=\d)).$`,
	'u',
);
const CUT_BEHIND = new RegExp(
	String.raw`^.([${LETTER}${LINE_END}]|[${JOINT}][${LETTER}]|(?<=\d)(?:\s?[${SIGN}]|[., ]\d))`,
	'u',
);

/** Makes a check of whether a text has a quote: at least three words, none of them cut off, typography aside. */
export function quoteFinder(text: string): (quote: string) => boolean {
	const document = withoutTypography(text);
	return (quote) => {
		const words = withoutTypography(quote).replace(AROUND_WORDS, '');
		const count = words.split(/\s/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
		if (count < LEAST_WORDS) return false;
		const characters = words.replaceAll('\n', '').split('');
		const [first = ''] = characters;
		for (
			let start = document.indexOf(first);
			start >= 0;
			start = document.indexOf(first, start + 1)
		) {
			const end = endOfWords(document, start, characters);
			const isWhole =
				end !== undefined &&
				!CUT_BEFORE.test(document.slice(Math.max(0, start - 4), start + 1)) &&
				!CUT_BEHIND.test(document.slice(end - 1, end + 3));
			if (isWhole) return true;
		}
		return false;
	};
}

function withoutTypography(text: string) {
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
			.replace(FREE_SPACE, '\n')
	);
}

/** Where characters end that stand at a place of a document; undefined if they do not stand there. */
function endOfWords(document: string, start: number, characters: string[]) {
	let at = start;
	for (const wanted of characters) {
		while (document[at] !== wanted && /[\n‧]/.test(document[at] ?? '')) at++;
		if (document[at] === wanted || (wanted === LINE_END && document[at] === '-')) at++;
		else if (wanted !== LINE_END && (wanted !== '-' || document[at - 1] !== LINE_END))
			return undefined;
	}
	return at;
}

const LEAST_WORDS = 3;
/** Characters of a script without blanks that count as a word. */
const CHARACTERS_A_WORD = 2;
/** Stands for a hyphen at the end of a line: the word may have one elsewhere, too, or not. */
const HYPHEN_AT_LINE_END = '‧';
/** Stands for white space that does not count. */
const FREE_SPACE = '\n';
/** Stands behind white space in which a line or a cell of a table ends: no number goes on behind it. */
const LINE_BREAK = '\u2028';

/** Characters of a quote that are looked for everywhere in the document, before the rest of it. */
const BEGINNING = 30;
/** A quote that begins in more places points to none of them. With {@link BEGINNING}, it keeps the search linear. */
const MOST_PLACES = 1_000;

/** A word, a number, or a sign that changes the meaning of a number; with all that stands between the first and the last. */
const WORDS = /[\p{L}\p{N}\p{M}\p{Sc}%‰§][^]*[\p{L}\p{N}\p{M}\p{Sc}%‰§]/u;

/** A letter of a script that writes without blanks: Chinese, Japanese, Thai, Lao, Khmer and Burmese. */
const WITHOUT_BLANKS =
	/[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}ー\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]/u;

/** White space that does not count: not between words, nor between a number's comma and the next number. */
const SPACE_BESIDE_SIGNS =
	/ (?!(?<=[\p{L}\p{N}\p{M}] )\u2028?[\p{L}\p{N}\p{M}]|(?<=\d[.,] )\u2028?\d)/gu;
/** White space that does not count, either: lines are broken anywhere in these scripts. */
const SPACE_WITHOUT_BLANKS =
	/(?<=[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}ー\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]) | (?=\u2028?[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}ー\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}])/gu;

/** Makes a check of whether a text has a quote: at least three words, none of them cut off, typography aside. */
export function quoteFinder(text: string): (quote: string) => boolean {
	const document = withoutTypography(text);
	return (quote) => {
		const [words = ''] = WORDS.exec(withoutTypography(quote)) ?? [];
		if (countWords(words) < LEAST_WORDS) return false;
		const characters = withoutMarks(words).split('');
		let places = 0;
		for (const start of findBeginnings(document, characters.slice(0, BEGINNING))) {
			if (++places > MOST_PLACES) return false;
			const end = findEnd(document, start, characters);
			if (end !== undefined && !isInsideWord(document, start) && !isInsideWord(document, end))
				return true;
		}
		return false;
	};
}

function countWords(words: string) {
	const characters = Array.from(words);
	const letters = characters.filter((each) => WITHOUT_BLANKS.test(each) && /\p{L}/u.test(each));
	const others = characters.map((each) => (WITHOUT_BLANKS.test(each) ? ' ' : each)).join('');
	const count = others.split(/\s/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
	return count + letters.length / CHARACTERS_A_WORD;
}

const ENDS_LINE = /[\t\n\v\f\r\u0085\u2028\u2029]/;

/** The text with one form for each kind of typography. */
function withoutTypography(text: string) {
	return (
		text
			.replace(/[\p{Pi}\p{Pf}"'`´‚„′″＂＇「」『』〝〞〟]+/gu, '"')
			.normalize('NFKC')
			// Thai and Lao vowels that NFKC takes apart, and dictionaries know whole.
			.replaceAll('\u0e4d\u0e32', '\u0e33')
			.replaceAll('\u0ecd\u0eb2', '\u0eb3')
			.toUpperCase()
			.toLowerCase()
			.replaceAll('ß', 'ss')
			// The dot of a capital İ.
			.replaceAll('i\u0307', 'i')
			.replace(/(?<=\p{L})[\u00ad\u2010-][^\S\r\n]*[\r\n]\s*(?=\p{L})/gu, HYPHEN_AT_LINE_END)
			.replace(/\p{Cf}/gu, '')
			.replace(/-{2,}|[—―]/g, ' - ')
			.replace(/[\p{Pd}−]/gu, '-')
			.replace(/[\s\u0085]+/g, (space) => (ENDS_LINE.test(space) ? ` ${LINE_BREAK}` : ' '))
			.replace(SPACE_BESIDE_SIGNS, FREE_SPACE)
			.replace(SPACE_WITHOUT_BLANKS, FREE_SPACE)
	);
}

/** The places of a document where characters stand, one after the other. */
function* findBeginnings(document: string, characters: string[]) {
	const [first = ''] = characters;
	let start = document.indexOf(first);
	while (start >= 0) {
		if (findEnd(document, start, characters) !== undefined) yield start;
		start = document.indexOf(first, start + 1);
	}
}

const PASSED_OVER = [FREE_SPACE, LINE_BREAK, HYPHEN_AT_LINE_END];

/** Where characters end that stand at a place of a document; undefined if they do not stand there. */
function findEnd(document: string, start: number, characters: string[]) {
	let at = start;
	for (const wanted of characters) {
		while (PASSED_OVER.includes(document.charAt(at))) at++;
		const isThere =
			document[at] === wanted || (wanted === HYPHEN_AT_LINE_END && document[at] === '-');
		const isLineEnd =
			wanted === HYPHEN_AT_LINE_END || (wanted === '-' && document[at - 1] === HYPHEN_AT_LINE_END);
		if (isThere) at++;
		else if (!isLineEnd) return undefined;
	}
	return at;
}

function withoutMarks(text: string) {
	return text.replaceAll(FREE_SPACE, '').replaceAll(LINE_BREAK, '');
}

/** Marks a place in a document; withoutTypography() leaves none in its text. */
const PLACE = '\u2060';

/** A place within a word, or between a number and its sign. */
const INSIDE_WORD = [
	/[\p{L}\p{N}\p{M}‧]\u2060[\p{L}\p{N}\p{M}\p{Sc}%‰§‧]/u,
	// Words that a sign joins, such as a hyphen.
	/[\p{L}\p{N}\p{M}]["/&@-]\u2060/u,
	/\u2060["/&@-][\p{L}\p{N}\p{M}]/u,
	// Parts of a number: a blank groups three digits.
	/\d[.,]\u2060\d/,
	/\d\u2060[.,]\d/,
	/\d \u2060\d{3}(?!\d)/,
	/\d\u2060 \d{3}(?!\d)/,
	// A number and its sign, in another line unless the sign has a number there.
	/(?:[\p{Sc}%‰§]\s?|-)\u2060\d/u,
	/(?<!\d\s?\u2028?)[\p{Sc}%‰§]\s\u2028\u2060\d/u,
	/\d\u2060\s[\p{Sc}%‰§]/u,
	/\d\u2060\s\u2028[\p{Sc}%‰§](?!\s*\d)/u,
];

/** How much around a place is looked at, in characters: words of scripts without blanks may be long. */
const REACH = 20;
const NUMERAL = /[\d〇零一二三四五六七八九十百千万萬亿億兆两兩半点點]/;
const segmenter = new Intl.Segmenter('zh', { granularity: 'word' });

/** Whether a place of a document is within a word, or within a number with its sign. */
function isInsideWord(document: string, at: number) {
	const before = document.slice(Math.max(0, at - REACH), at);
	const after = document.slice(at, at + REACH);
	const sides = [withoutMarks(before), withoutMarks(after)] as const;
	if (isWithoutBlanks(...sides)) return isInsideSegment(...sides);
	return INSIDE_WORD.some((place) => place.test(before + PLACE + after));
}

/** Whether the letter on one side of a place, or on both, is of a script without blanks. */
function isWithoutBlanks(before: string, after: string) {
	const last = Array.from(before).at(-1) ?? '';
	const [first = ''] = after;
	return WITHOUT_BLANKS.test(last) || WITHOUT_BLANKS.test(first);
}

/** Unicode tells the words of such scripts by dictionaries, which don't know numbers. */
function isInsideSegment(before: string, after: string) {
	const [last = '', first = ''] = [before.at(-1), after[0]];
	if (NUMERAL.test(last) && NUMERAL.test(first)) return true;
	const segment = segmenter.segment(before + after).containing(before.length);
	return segment !== undefined && segment.index < before.length;
}

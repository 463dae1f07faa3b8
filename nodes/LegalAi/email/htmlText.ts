/** The characters from 160 on by their names, and others that mail programs write (HTML 4.01, section 24). */
const LATIN_1 =
	'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml';
const OTHERS =
	'quot " amp & apos \' lt < gt > euro € ndash – mdash — lsquo ‘ rsquo ’ sbquo ‚ ldquo “ rdquo ” bdquo „ hellip … bull • trade ™ lsaquo ‹ rsaquo › OElig Œ oelig œ Scaron Š scaron š Yuml Ÿ rarr →';
const ENTITIES = new Map([
	...LATIN_1.split(' ').map((name, index) => [name, String.fromCharCode(160 + index)] as const),
	...[...OTHERS.matchAll(/(\w+) (\S)/g)].map(
		([, name = '', character = '']) => [name, character] as const,
	),
]);

/** Content that no reader sees, as its beginning and its end. */
const HIDDEN = [
	[/<!--/, /-->/],
	[/<(?:style|script|title)\b/i, /<\/(?:style|script|title)[^<>]*>?/i],
] as const;
const BLOCK =
	/^(p|div|tr|table|li|ul|ol|h\d|blockquote|section|article|header|footer|center|pre|address)$/i;

/** Stand for the edges of blocks and of quotes until all tags are gone: characters that no text has. */
const [EDGE, QUOTE, END_OF_QUOTE] = ['\ue000', '\ue001', '\ue002'];
const DEEPEST_QUOTE = 5;

/**
 * The text of an HTML body, quotes marked with ">" as in plain text. In time that grows with its length alone, whatever it contains.
 *
 * @param isShown which addresses of links are written beside their text
 */
export function htmlToText(html: string, isShown: (address: string) => boolean): string {
	const shown = HIDDEN.reduce(
		(text, [beginning, end]) => without(text, beginning, end),
		html.replace(/[\ue000-\ue002]/g, ''),
	);
	const quotes: boolean[] = [];
	const text = shown
		.replace(/[ \t\r\n\f]+/g, ' ')
		.replace(
			/<(\/?)([a-z]\w*)\b([^<>]*)>|<[!?/][^<>]*>/gi,
			(_, slash: string, name = '', rest = '') => {
				const tag = String(name).toLowerCase();
				if (tag === 'br' || tag === 'hr') return '\n';
				if (tag === 'a' && slash === '') return linkOf(String(rest), isShown);
				if (/^t[dh]$/.test(tag)) return ' ';
				if (tag !== 'blockquote') return BLOCK.test(tag) ? EDGE : '';
				if (slash === '') quotes.push(/cite|quote/i.test(String(rest)));
				const isQuote = (slash === '' ? quotes.at(-1) : quotes.pop()) === true;
				return EDGE + (isQuote ? (slash === '' ? QUOTE : END_OF_QUOTE) : '') + EDGE;
			},
		);
	const lines = text
		.split(EDGE)
		.filter((block) => /[^ ]/.test(block))
		.join('\n');
	return decodeEntities(withQuoteMarks(lines));
}

/** The text without what stands from a beginning to the next end. What never ends stays: it may be the email itself. */
function without(html: string, beginning: RegExp, end: RegExp): string {
	const [first = '', ...parts] = html.split(beginning);
	const kept = parts.map((part) => {
		const found = end.exec(part);
		return found === null ? part : part.slice(found.index + found[0].length);
	});
	return first + kept.join('');
}

function linkOf(attributes: string, isShown: (address: string) => boolean): string {
	const [, quoted, bare] =
		/\bhref\s*=\s*(?:["']([^"']{1,4000})|([^\s"'>]{1,4000}))/i.exec(attributes) ?? [];
	const address = decodeEntities(quoted ?? bare ?? '');
	return isShown(address) ? ` ${address} ` : '';
}

function withQuoteMarks(text: string): string {
	let depth = 0;
	const lines = text.split('\n').flatMap((line) => {
		const bare = line.replace(/[\ue001\ue002]/g, '');
		for (const character of line.match(/[\ue001\ue002]/g) ?? [])
			depth += character === QUOTE ? 1 : -1;
		if (bare === '' && line !== '') return [];
		return [depth > 0 ? `${'>'.repeat(Math.min(depth, DEEPEST_QUOTE))} ${bare}` : bare];
	});
	return lines.join('\n');
}

/** Characters for their entities; what is none stays as it is. */
function decodeEntities(text: string): string {
	return text.replace(
		/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{1,10}));/gi,
		(entity, decimal?: string, hex?: string, name = '') => {
			const code = decimal === undefined ? parseInt(hex ?? '', 16) : Number(decimal);
			if (Number.isNaN(code)) return ENTITIES.get(String(name)) ?? entity;
			// Those of Windows-1252 stand for its characters (HTML 5, section 13.2.5.80).
			if (code >= 128 && code < 160)
				return new TextDecoder('windows-1252').decode(Uint8Array.of(code));
			const isCharacter = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
			return isCharacter ? String.fromCodePoint(code) : entity;
		},
	);
}

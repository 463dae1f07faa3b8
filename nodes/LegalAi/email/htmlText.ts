/** The characters from 160 on by their names, and others that mail programs write (HTML 4.01, section 24). */
const LATIN_1 =
	'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml';
const OTHERS =
	'quot 34 amp 38 apos 39 lt 60 gt 62 OElig 338 oelig 339 Scaron 352 scaron 353 Yuml 376 ndash 8211 mdash 8212 lsquo 8216 rsquo 8217 sbquo 8218 ldquo 8220 rdquo 8221 bdquo 8222 bull 8226 hellip 8230 lsaquo 8249 rsaquo 8250 euro 8364 trade 8482 rarr 8594';
const CODES = new Map([
	...LATIN_1.split(' ').map((name, index) => [name, 160 + index] as const),
	...[...OTHERS.matchAll(/(\w+) (\d+)/g)].map(
		([, name = '', code]) => [name, Number(code)] as const,
	),
]);

/** A tag, with its name and its attributes; a declaration; text. Each character is looked at once, whatever is not closed. */
const TOKEN = /<(\/?[a-z]\w*)\b([^<>]*)>|<[!?/][^<>]*>|[^<]+|</gi;
const BLOCK =
	/^\/?(p|div|tr|table|li|ul|ol|h\d|hr|blockquote|section|article|center|pre|address)$/i;

/**
 * The text of an HTML body, quotes marked with ">" as in plain text, in time that grows with its length alone.
 *
 * @param isShown which addresses of links are written beside their text
 */
export function htmlToText(html: string, isShown: (address: string) => boolean): string {
	let depth = 0;
	let isLineStart = true;
	const read = (token: string, tag?: string, attributes = ''): string => {
		if (tag === undefined) return /^<[!?/]/.test(token) ? '' : write(token);
		if (/^\/?blockquote$/i.test(tag)) depth += tag.startsWith('/') ? -1 : 1;
		if (/^br$/i.test(tag) || (BLOCK.test(tag) && !isLineStart)) {
			isLineStart = true;
			return '\n';
		}
		const link = /^a$/i.test(tag) && /\bhref\s*=\s*["']?([^"'\s]{1,4000})/i.exec(attributes);
		const address = decodeEntities((link || [])[1] ?? '');
		return isShown(address) ? write(` ${address} `) : /^t[dh]$/i.test(tag) ? ' ' : '';
	};
	const write = (text: string): string => {
		if (text === ' ') return text;
		const mark = isLineStart && depth > 0 ? '> ' : '';
		isLineStart = false;
		return mark + text;
	};
	const seen = without(
		without(html, /<!--/, /-->/),
		/<(?:style|script|title)\b/i,
		/<\/(?:style|script|title)[^<>]*>?/i,
	);
	return decodeEntities(seen.replace(/[ \t\r\n\f]+/g, ' ').replace(TOKEN, read));
}

/** A text without all that stands between a beginning and the next end. What never ends stays: it may be the email itself. */
function without(html: string, beginning: RegExp, end: RegExp): string {
	const [first, ...parts] = html.split(beginning);
	const kept = parts.map((part) => {
		const found = end.exec(part);
		return found ? part.slice(found.index + found[0].length) : part;
	});
	return [first, ...kept].join('');
}

/** Characters for their entities. What is none stays; one that is no character is U+FFFD (HTML 5, section 13.2.5.80). */
function decodeEntities(text: string): string {
	return text.replace(
		/&(?:#(\d{1,9})|#x([\da-f]{1,8})|(\w{1,10}));/gi,
		(entity, decimal, hex, name: string) => {
			const code = name ? CODES.get(name) : Number(decimal ?? `0x${hex}`);
			if (code === undefined) return entity;
			// Those of Windows-1252 stand for its characters.
			if (code > 127 && code < 160)
				return new TextDecoder('windows-1252').decode(Uint8Array.of(code));
			return code > 0x10ffff || (code > 0xd7ff && code < 0xe000)
				? '\ufffd'
				: String.fromCodePoint(code);
		},
	);
}

/** The characters of HTML 4.01 (section 24) by their names, as far as mail programs write them. */
const ENTITIES = new Map(
	'nbsp=160 iexcl=161 cent=162 pound=163 curren=164 yen=165 brvbar=166 sect=167 uml=168 copy=169 ordf=170 laquo=171 not=172 shy=173 reg=174 macr=175 deg=176 plusmn=177 sup2=178 sup3=179 acute=180 micro=181 para=182 middot=183 cedil=184 sup1=185 ordm=186 raquo=187 frac14=188 frac12=189 frac34=190 iquest=191 Agrave=192 Aacute=193 Acirc=194 Atilde=195 Auml=196 Aring=197 AElig=198 Ccedil=199 Egrave=200 Eacute=201 Ecirc=202 Euml=203 Igrave=204 Iacute=205 Icirc=206 Iuml=207 ETH=208 Ntilde=209 Ograve=210 Oacute=211 Ocirc=212 Otilde=213 Ouml=214 times=215 Oslash=216 Ugrave=217 Uacute=218 Ucirc=219 Uuml=220 Yacute=221 THORN=222 szlig=223 agrave=224 aacute=225 acirc=226 atilde=227 auml=228 aring=229 aelig=230 ccedil=231 egrave=232 eacute=233 ecirc=234 euml=235 igrave=236 iacute=237 icirc=238 iuml=239 eth=240 ntilde=241 ograve=242 oacute=243 ocirc=244 otilde=245 ouml=246 divide=247 oslash=248 ugrave=249 uacute=250 ucirc=251 uuml=252 yacute=253 thorn=254 yuml=255 quot=34 amp=38 apos=39 lt=60 gt=62 OElig=338 oelig=339 Scaron=352 scaron=353 Yuml=376 ndash=8211 mdash=8212 lsquo=8216 rsquo=8217 sbquo=8218 ldquo=8220 rdquo=8221 bdquo=8222 bull=8226 hellip=8230 lsaquo=8249 rsaquo=8250 euro=8364 trade=8482 rarr=8594'
		.split(' ')
		.map((entry) => entry.split('=') as [string, string]),
);

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
	const shown = without(
		without(html, /<!--/, /-->/),
		/<(?:style|script|title)\b/i,
		/<\/(?:style|script|title)[^<>]*>?/i,
	);
	let depth = 0;
	let isLineStart = true;
	const read = (token: string, tag = '', attributes = ''): string => {
		const isBreak = /^br$/i.test(tag) || (BLOCK.test(tag) && !isLineStart);
		if (/^\/?blockquote$/i.test(tag)) depth += tag.startsWith('/') ? -1 : 1;
		const [, link = ''] =
			(/^a$/i.test(tag) && /\bhref\s*=\s*["']?([^"'\s]{1,4000})/i.exec(attributes)) || [];
		const address = decodeEntities(link);
		const text = isShown(address)
			? ` ${address} `
			: /^<[!?/a-z]/i.test(token)
				? ' '.repeat(Number(/^t[dh]$/i.test(tag)))
				: token;
		const mark = isLineStart && depth > 0 && text.trim() ? '> ' : '';
		isLineStart = isBreak || (isLineStart && text.trim() === '');
		return isBreak ? '\n' : mark + text;
	};
	return decodeEntities(shown.replace(/[ \t\r\n\f]+/g, ' ').replace(TOKEN, read));
}

/** A text without all that stands between a beginning and the next end. What never ends stays: it may be the email itself. */
function without(html: string, beginning: RegExp, end: RegExp): string {
	const parts = html.split(beginning).map((part, index) => {
		const found = index > 0 && end.exec(part);
		return found ? part.slice(found.index + found[0].length) : part;
	});
	return parts.join('');
}

/** Characters for their entities. What is none stays as it is, half of a character (a surrogate) too. */
function decodeEntities(text: string): string {
	return text.replace(
		/&(?:#(\d{1,7})|#(x[\da-f]{1,6})|(\w{1,10}));/gi,
		(entity, decimal?: string, hex?: string, name = '') => {
			const code = Number(decimal ?? ENTITIES.get(String(name)) ?? `0${hex}`);
			const isCharacter = code < 0xd800 || (code > 0xdfff && code <= 0x10ffff);
			return isCharacter ? String.fromCodePoint(code) : entity;
		},
	);
}

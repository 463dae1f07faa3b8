import { DRIVES, withoutWrapping } from './links';

/** Of a longer text, what comes later is not read. */
export const MOST_READ = 1_000_000;
/** The characters of HTML 4.01 (section 24) by their names, as far as mail programs write them. */
const ENTITIES = new Map(
	'nbsp=160 iexcl=161 cent=162 pound=163 curren=164 yen=165 brvbar=166 sect=167 uml=168 copy=169 ordf=170 laquo=171 not=172 shy=173 reg=174 macr=175 deg=176 plusmn=177 sup2=178 sup3=179 acute=180 micro=181 para=182 middot=183 cedil=184 sup1=185 ordm=186 raquo=187 frac14=188 frac12=189 frac34=190 iquest=191 Agrave=192 Aacute=193 Acirc=194 Atilde=195 Auml=196 Aring=197 AElig=198 Ccedil=199 Egrave=200 Eacute=201 Ecirc=202 Euml=203 Igrave=204 Iacute=205 Icirc=206 Iuml=207 ETH=208 Ntilde=209 Ograve=210 Oacute=211 Ocirc=212 Otilde=213 Ouml=214 times=215 Oslash=216 Ugrave=217 Uacute=218 Ucirc=219 Uuml=220 Yacute=221 THORN=222 szlig=223 agrave=224 aacute=225 acirc=226 atilde=227 auml=228 aring=229 aelig=230 ccedil=231 egrave=232 eacute=233 ecirc=234 euml=235 igrave=236 iacute=237 icirc=238 iuml=239 eth=240 ntilde=241 ograve=242 oacute=243 ocirc=244 otilde=245 ouml=246 divide=247 oslash=248 ugrave=249 uacute=250 ucirc=251 uuml=252 yacute=253 thorn=254 yuml=255 quot=34 amp=38 apos=39 lt=60 gt=62 OElig=338 oelig=339 Scaron=352 scaron=353 Yuml=376 ndash=8211 mdash=8212 lsquo=8216 rsquo=8217 sbquo=8218 ldquo=8220 rdquo=8221 bdquo=8222 bull=8226 hellip=8230 lsaquo=8249 rsaquo=8250 euro=8364 trade=8482 rarr=8594'
		.split(' ')
		.map((entry) => entry.split('=') as [string, string]),
);

/** What is not shown. What never ends stays: it may be the email itself. */
const HIDDEN = /<!--(?:(?!<!--)[^])*?-->|<(style|script|title)\b(?:(?!<\1\b)[^])*?<\/\1\b[^<>]*>/gi;
/** A tag, with its name; a declaration; text. Each character is looked at once, whatever is not closed. */
const TOKEN = /<(\/?[a-z]\w*)\b[^<>]*>|<[!?/][^<>]*>|[^<]+|</gi;
const BREAK =
	/^\/?(br|p|div|tr|table|li|ul|ol|h\d|hr|blockquote|section|article|center|pre|address)$/i;

/** The text of an HTML body, quotes marked with ">" as in plain text, in time that grows with its length alone. */
export function htmlToText(html: string): string {
	let [text, line, depth] = ['', '', 0];
	for (const [token, tag = ''] of withoutWrapping(html).replace(HIDDEN, '').matchAll(TOKEN)) {
		if (text.length + line.length > MOST_READ) break;
		if (BREAK.test(tag)) {
			if (line.trim()) text += `${depth > 0 ? '> ' : ''}${line}\n`;
			else if (/^br$/i.test(tag)) text += '\n';
			line = '';
		}
		if (/^\/?blockquote$/i.test(tag)) depth += tag.startsWith('/') ? -1 : 1;
		const [, link = ''] = /^<a\b[^]*?\bhref\s*=\s*["']?([^"'\s>]{1,4000})/i.exec(token) ?? [];
		line += DRIVES.test(link)
			? ` ${link} `
			: token.replace(/^<t[dh]\b[^]+|[ \t\r\n\f]+/gi, ' ').replace(/^<[!?/a-z][^]*/i, '');
	}
	return decodeEntities(text + line);
}

/** Characters for their entities. What is none stays as it is, half of a character (a surrogate) too. */
function decodeEntities(text: string): string {
	return text.replace(
		/&(?:#0*(\d{1,6}|x0*[\da-f]{1,5})|(\w{1,10}));/gi,
		(entity, number?: string, name = '') => {
			const code = Number(ENTITIES.get(String(name)) ?? `0${number}`);
			const isCharacter = code < 0xd800 || code > 0xdfff;
			return isCharacter ? String.fromCodePoint(code) : entity;
		},
	);
}

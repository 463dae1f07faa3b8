/** The characters of HTML 4.01 (section 24) and others that mail programs write, by their names. */
const NAMED =
	'nbsp=160 iexcl=161 cent=162 pound=163 curren=164 yen=165 brvbar=166 sect=167 uml=168 copy=169 ordf=170 laquo=171 not=172 shy=173 reg=174 macr=175 deg=176 plusmn=177 sup2=178 sup3=179 acute=180 micro=181 para=182 middot=183 cedil=184 sup1=185 ordm=186 raquo=187 frac14=188 frac12=189 frac34=190 iquest=191 Agrave=192 Aacute=193 Acirc=194 Atilde=195 Auml=196 Aring=197 AElig=198 Ccedil=199 Egrave=200 Eacute=201 Ecirc=202 Euml=203 Igrave=204 Iacute=205 Icirc=206 Iuml=207 ETH=208 Ntilde=209 Ograve=210 Oacute=211 Ocirc=212 Otilde=213 Ouml=214 times=215 Oslash=216 Ugrave=217 Uacute=218 Ucirc=219 Uuml=220 Yacute=221 THORN=222 szlig=223 agrave=224 aacute=225 acirc=226 atilde=227 auml=228 aring=229 aelig=230 ccedil=231 egrave=232 eacute=233 ecirc=234 euml=235 igrave=236 iacute=237 icirc=238 iuml=239 eth=240 ntilde=241 ograve=242 oacute=243 ocirc=244 otilde=245 ouml=246 divide=247 oslash=248 ugrave=249 uacute=250 ucirc=251 uuml=252 yacute=253 thorn=254 yuml=255 quot=34 amp=38 apos=39 lt=60 gt=62 OElig=338 oelig=339 Scaron=352 scaron=353 Yuml=376 fnof=402 circ=710 tilde=732 Alpha=913 Beta=914 Gamma=915 Delta=916 Epsilon=917 Zeta=918 Eta=919 Theta=920 Iota=921 Kappa=922 Lambda=923 Mu=924 Nu=925 Xi=926 Omicron=927 Pi=928 Rho=929 Sigma=931 Tau=932 Upsilon=933 Phi=934 Chi=935 Psi=936 Omega=937 alpha=945 beta=946 gamma=947 delta=948 epsilon=949 zeta=950 eta=951 theta=952 iota=953 kappa=954 lambda=955 mu=956 nu=957 xi=958 omicron=959 pi=960 rho=961 sigmaf=962 sigma=963 tau=964 upsilon=965 phi=966 chi=967 psi=968 omega=969 ensp=8194 emsp=8195 thinsp=8201 zwnj=8204 zwj=8205 lrm=8206 rlm=8207 ndash=8211 mdash=8212 lsquo=8216 rsquo=8217 sbquo=8218 ldquo=8220 rdquo=8221 bdquo=8222 dagger=8224 Dagger=8225 bull=8226 hellip=8230 permil=8240 prime=8242 Prime=8243 lsaquo=8249 rsaquo=8250 oline=8254 frasl=8260 euro=8364 numero=8470 trade=8482 larr=8592 uarr=8593 rarr=8594 darr=8595 harr=8596 lArr=8656 rArr=8658 hArr=8660 minus=8722 radic=8730 infin=8734 cap=8745 cup=8746 asymp=8776 ne=8800 equiv=8801 le=8804 ge=8805 check=10003 Tab=9 NewLine=10 excl=33 num=35 dollar=36 percnt=37 lpar=40 rpar=41 ast=42 plus=43 comma=44 period=46 sol=47 colon=58 semi=59 equals=61 quest=63 commat=64 lsqb=91 lbrack=91 bsol=92 rsqb=93 rbrack=93 lowbar=95 lcub=123 vert=124 rcub=125 Abreve=258 abreve=259 Aogon=260 aogon=261 Cacute=262 cacute=263 Ccaron=268 ccaron=269 Dcaron=270 dcaron=271 Eogon=280 eogon=281 Ecaron=282 ecaron=283 Lstrok=321 lstrok=322 Nacute=323 nacute=324 Ncaron=327 ncaron=328 Odblac=336 odblac=337 Rcaron=344 rcaron=345 Sacute=346 sacute=347 Scedil=350 scedil=351 Tcaron=356 tcaron=357 Uring=366 uring=367 Udblac=368 udblac=369 Zacute=377 zacute=378 Zdot=379 zdot=380 Zcaron=381 zcaron=382';

/** Characters for their entities. What is none stays as it is. */
export function decodeEntities(text: string): string {
	return text.replace(
		/&(?:#0*(\d{1,7}|x0*[\da-f]{1,6});?|(\w{1,10});)/gi,
		(entity, number?: string, name?: string) => {
			const named = new RegExp(`\\b${name}=(\\d+)`).exec(NAMED)?.[1];
			const code = Number(number ? `0${number}` : named);
			// Browsers read these numbers as Windows' characters.
			if (code > 127 && code < 160)
				return new TextDecoder('windows-1252').decode(Uint8Array.of(code));
			return code < 0x110000 ? String.fromCodePoint(code) : entity;
		},
	);
}

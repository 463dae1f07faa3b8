import fc from 'fast-check';

import { quoteFinder } from '../../../nodes/LegalAi/resources/question/quotes.ts';

const isIn = (document: string, quote: string) => quoteFinder(document)(quote);

/** What a document has, and the quote as a model writes it. */
test.each<[how: string, document: string, quote: string]>([
	['as it stands', 'The Buyer shall pay within ten days of receipt.', 'shall pay within ten days'],
	['at its beginning', 'The Buyer shall pay.', 'The Buyer shall'],
	['with all of it', 'The Buyer shall pay.', 'The Buyer shall pay.'],
	['in another case', 'THE BUYER SHALL PAY', 'The Buyer shall pay'],
	['over lines', 'The Buyer\n   shall\r\npay promptly', 'The Buyer shall pay'],
	['over pages', 'The Buyer\fshall\u2028pay', 'The Buyer shall pay'],
	['with other spaces', 'The\u00a0Buyer\u2009shall \t pay', 'The Buyer  shall\u202fpay'],
	['with a space before a comma', 'The Buyer , if any , shall', 'The Buyer, if any, shall'],
	['without a space behind a comma', 'The Buyer,if any,shall', 'The Buyer, if any, shall'],
	['with spaces in brackets', 'ten ( 10 ) days of', 'ten (10) days of'],
	[
		'with soft hyphens',
		'the indem\u00adni\u00adfi\u00adca\u00adtion shall',
		'the indemnification shall',
	],
	[
		'with a soft hyphen at a line end',
		'the indem\u00ad\nnification shall',
		'the indemnification shall',
	],
	['with invisible marks', 'the\u200b Buyer\u2060 sh\u200dall', 'the Buyer shall'],
	['hyphenated at a line end', 'limits the lia-\nbility of', 'limits the liability of'],
	['hyphenated twice', 'the indem-\nnifi-\n  cation shall', 'the indemnification shall'],
	[
		'with a word that has a hyphen, at a line end',
		'a non-\nexclusive license',
		'a non-exclusive license',
	],
	['as it is hyphenated', 'limits the liability of', 'limits the lia-\nbility of'],
	['with a hyphen that does not break', 'a non\u2011exclusive license', 'a non-exclusive license'],
	['with typographic quotation marks', 'the “Term” means the', 'the "Term" means the'],
	['with single quotation marks', "the 'Term' means the", 'the "Term" means the'],
	['with German quotation marks', 'die „Laufzeit“ bedeutet die', 'die "Laufzeit" bedeutet die'],
	['with French quotation marks', 'la « durée » signifie la', 'la "durée" signifie la'],
	['with two apostrophes as a quotation mark', "the ''Term'' means", 'the "Term" means'],
	['with a typographic apostrophe', 'the Buyer’s duty to', "the Buyer's duty to"],
	['with an accent as an apostrophe', 'the Buyer´s duty to', "the Buyer's duty to"],
	['with an en dash', 'from 2024–2026, inclusive', 'from 2024-2026, inclusive'],
	['with an em dash', 'the Term—unless extended', 'the Term - unless extended'],
	['with an em dash and no spaces', 'the Term — unless extended', 'the Term-unless extended'],
	['with two hyphens as a dash', 'the Term -- unless extended', 'the Term – unless extended'],
	['up to an em dash', 'during the whole Term—unless', 'during the whole Term'],
	['behind an em dash', 'Term—unless it is extended', 'unless it is'],
	['with a minus', 'a rate of −5 percent', 'a rate of -5 percent'],
	['with ligatures', 'the ﬁnal oﬃcer ﬂoor', 'the final officer floor'],
	['in full width', 'Ｔｈｅ　Ｂｕｙｅｒ　ｓｈａｌｌ　ｐａｙ', 'The Buyer shall pay'],
	['with letters of two characters', 'the re\u0301sume\u0301 of Zoë', 'the résumé of Zoë'],
	['with ß', 'gemäß Straße und Größe', 'GEMÄSS STRASSE UND GRÖSSE'],
	['with a capital ß', 'DIE GROẞE STRAẞE', 'die große Straße'],
	['with a Turkish i', 'İSTANBUL ve İZMİR şubesi', 'istanbul ve izmir şubesi'],
	['with a Turkish ı', 'Kapalı Çarşı altında', 'KAPALI ÇARŞI ALTINDA'],
	[
		'with a Greek sigma',
		'ΟΡΟΣ ΤΗΣ ΣΥΜΒΑΣΗΣ',
		'όρος της σύμβασης'.normalize('NFD').replace(/\u0301/g, ''),
	],
	['with money', 'a fee of $500,000.00 per year', 'fee of $500,000.00 per'],
	['with a space beside its sign', 'a fee of € 500 per year', 'fee of €500 per'],
	['with a percentage', 'interest of 5 % per year', 'interest of 5% per'],
	['with a section', 'under § 5 of the Act', 'under §5 of the'],
	['with an ellipsis at both ends', 'The Buyer shall pay within', '… Buyer shall pay ...'],
	['with quotation marks around it', 'The Buyer shall pay within', '"Buyer shall pay"'],
	['with Markdown around it', 'The Buyer shall pay within', '**Buyer shall pay**'],
	[
		'with a period where the sentence goes on',
		'The Buyer shall pay within',
		'The Buyer shall pay.',
	],
	['that begins with its sign', 'for $500 per year', '$500 per year'],
	['that ends with its sign', 'a rate of 5% per year', 'a rate of 5%'],
	['that ends before a comma', 'no more than 10, or as agreed', 'no more than 10'],
	['that ends with its sentence', 'no more than 10. Otherwise', 'no more than 10.'],
	['that begins in a bracket', 'fees (the annual fees only)', 'the annual fees'],
	[
		'with signs of regular expressions',
		'a cap (of [x] $5.00 + 3|4?) applies',
		'a cap (of [x] $5.00 + 3|4?) applies',
	],
	['in Cyrillic', 'Покупатель обязан оплатить товар', 'покупатель обязан оплатить'],
	[
		'that stands there first as a part of others',
		'in 110 days; within 10 days after',
		'10 days after',
	],
])('a quote counts %s', (_how, document, quote) => {
	expect(isIn(document, quote)).toBe(true);
});

test.each<[why: string, document: string, quote: string]>([
	[
		'its words are others',
		'The Buyer shall pay within ten days',
		'The Buyer must pay within ten days',
	],
	['a word is left out', 'The Buyer shall not pay', 'The Buyer shall pay'],
	['a word is added', 'The Buyer shall pay', 'The Buyer shall not pay'],
	['its words have another order', 'The Buyer shall pay', 'The Buyer pay shall'],
	['it leaves a part out', 'The Buyer shall, if asked to, pay', 'The Buyer shall … pay'],
	[
		'it is of two places',
		'The Buyer shall pay. The Seller shall deliver.',
		'The Buyer shall deliver',
	],
	['it is empty', 'The Buyer shall pay', ' '],
	['it has no word', 'a – b — c ... d', '– — ...'],
	['it has two words', 'The Buyer shall pay', 'Buyer shall'],
	['it has two words and a sign', 'under § 5 applies here', '§ 5 applies'],
	['it has two words, one with a hyphen', 'a non-exclusive license is', 'non-exclusive license'],
	['it begins inside a word', 'unlimited liability of the Buyer', 'limited liability of'],
	['it ends inside a word', 'the Buyer shall payable', 'the Buyer shall pay'],
	['it begins behind a hyphen', 'a non-exclusive license is granted', 'exclusive license is'],
	[
		'it begins behind a hyphen that does not break',
		'a non\u2011exclusive license is',
		'exclusive license is',
	],
	['it begins behind a hyphen at a line end', 'is in-\nvalid under the law', 'valid under the'],
	['it ends before a hyphen at a line end', 'of the whole liabil-\nity', 'of the whole liabil'],
	['it ends before a hyphen', 'of the whole sub-license', 'of the whole sub'],
	['it ends before an apostrophe', 'of the whole Buyer’s duty', 'of the whole Buyer'],
	['it begins behind a slash', 'and/or the Buyer shall', 'or the Buyer'],
	['a hyphen makes another word of it', 'the Employee may resign at once', 'may re-sign at once'],
	['a space makes another word of it', 'it is now here for', 'it is nowhere for'],
	['a space is missing', 'they may be paid', 'they maybe paid'],
	['its number is a part of one', 'within 110 days after', '10 days after'],
	['its number ends inside one', 'no more than 100 days', 'no more than 10'],
	['its number is a part of one with a comma', 'a fee of 1,500 per year', '500 per year'],
	['its number ends before a comma', 'no more than 10,000', 'no more than 10'],
	['its number ends before a point', 'no more than 10.5', 'no more than 10'],
	['its number is behind a point', 'for 2.5 days after', '5 days after'],
	['its number is a part of one with spaces', 'a fee of 10 500 per year', '500 per year'],
	['its number is a part of one with an apostrophe', 'a fee of 10’500 per year', '500 per year'],
	['its number is the end of a range', 'within 5–10 days after', '10 days after'],
	['its number is the beginning of a range', 'no more than 5-10', 'no more than 5'],
	['its number is negative there', 'at -5 degrees or', '5 degrees or'],
	['its point is a comma', 'a fee of 1.500 per year', 'fee of 1,500 per'],
	['its number has a comma less', 'a fee of 1,500 per year', 'fee of 1500 per'],
	['its comma is one of a list there', 'items 5, 10 days after', 'items 5,10 days after'],
	['its numbers are one there', 'items 510 days after', 'items 5 10 days after'],
	['its number is two there', 'items 5 10 days after', 'items 510 days after'],
	['its money is another', 'a fee of €500,000 per year', 'fee of $500,000 per'],
	['it leaves out its sign of money', 'a fee of €500,000 per year', '500,000 per year'],
	['it leaves out its sign of money before a space', 'a fee of € 500 per year', '500 per year'],
	['it leaves out its sign of money behind it', 'a fee of 500 €', 'fee of 500'],
	['its dollars are of another country', 'a fee of US$500 per year', '$500 per year'],
	['it leaves out its percent', 'interest of 5% for', 'interest of 5 for'],
	['it ends before its percent', 'at a rate of 5%', 'at a rate of 5'],
	['it ends before its percent and a space', 'at a rate of 5 %', 'at a rate of 5'],
	['its percent is made up', 'at a rate of 5 for', 'at a rate of 5% for'],
	['it leaves out its section', 'under § 5 of the Act', '5 of the Act'],
	['its section is made up', 'under 5 of the Act', 'under § 5 of the Act'],
	['its section is one of another law', 'under §15 of the Act', '§5 of the Act'],
	['its accent is another', 'the résumé of Zoë', 'the resume of Zoë'],
	['its letters look alike', 'the Buyer shall pay', 'the Вuyer shall pay'],
	['a sign of a regular expression would match', 'The Buyer shall pay', 'The B.yer shall pay'],
	['the document is empty', '', 'The Buyer shall pay'],
	['the document is blank', ' \n', 'The Buyer shall pay'],
])('a quote does not count if %s', (_why, document, quote) => {
	expect(isIn(document, quote)).toBe(false);
});

const word = fc.stringMatching(/^[a-zäß]{1,9}$/);
const words = fc.array(word, { minLength: 3, maxLength: 12 });

test('whole words of a document are found, however it is set', () => {
	const gap = fc.constantFrom(' ', '\n', ' \u00ad', '\u00a0', '\t\r\n', ' \u200b ');
	fc.assert(
		fc.property(words, words, words, gap, fc.nat(), (before, said, after, space, at) => {
			const set = said.map((each) => {
				const cut = at % each.length;
				return `${each.slice(0, cut)}\u00ad${each.slice(cut)}`.toUpperCase();
			});
			const document = `${before.join(' ')}, ${set.join(space)} (${after.join(' ')})`;
			expect(isIn(document, said.join(' ')), document).toBe(true);
		}),
	);
});

test('a quote with a character more, less or changed does not count', () => {
	fc.assert(
		fc.property(
			words,
			fc.nat(),
			fc.constantFrom('', 'q', '7', '$'),
			fc.nat(1),
			(said, at, put, less) => {
				const text = said.join(' ');
				const place = at % text.length;
				const changed = text.slice(0, place) + put + text.slice(place + less);
				fc.pre(
					changed !== text && !text.includes(changed.trim()) && /[a-zß]/.test(text.charAt(place)),
				);
				expect(isIn(text, changed), `${changed} of ${text}`).toBe(false);
			},
		),
	);
});

test('a long quote, and a document of signs, take no longer than others', () => {
	const before = process.cpuUsage();
	const document = `${'a- '.repeat(300_000)}${'-\n'.repeat(100_000)}${' '.repeat(300_000)}b `;
	const sentence = 'The Buyer shall pay the Seller (each of them) $5.00. ';
	for (const quote of ['a- b '.repeat(1_000), '-'.repeat(10_000), `b ${'(a) '.repeat(2_000)}`])
		expect(isIn(document, quote)).toBe(false);
	expect(isIn(document + sentence.repeat(2_000), sentence.repeat(2_000))).toBe(true);
	expect(process.cpuUsage(before).user / 1_000).toBeLessThan(3_000);
});

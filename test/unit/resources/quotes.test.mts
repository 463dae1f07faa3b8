import fc from 'fast-check';

import { quoteFinder } from '../../../nodes/LegalAi/resources/question/quotes.ts';

const isIn = (document: string, quote: string) => quoteFinder(document)(quote);

/** What a document has, the quote as a model writes it, and whether it counts: typography is aside, words and numbers are not. */
test.each<[what: string, document: string, quote: string, counts: boolean]>([
	['as it stands', 'The Buyer shall pay within ten days.', 'shall pay within ten days', true],
	['in another case', 'THE BUYER SHALL PAY', 'The Buyer shall pay', true],
	['over lines', 'The Buyer\n   shall\r\npay promptly', 'The Buyer shall pay', true],
	['with other spaces', 'The\u00a0Buyer\u2009shall \t pay', 'The Buyer  shall\u202fpay', true],
	['with a space before a comma', 'The Buyer , if any , shall', 'The Buyer, if any, shall', true],
	['with spaces in brackets', 'ten ( 10 ) days of', 'ten (10) days of', true],
	[
		'with soft hyphens',
		'the indem\u00adni\u00adfi\u00ad\ncation shall',
		'the indemnification shall',
		true,
	],
	['with invisible marks', 'the\u200b Buyer\u2060 sh\u200dall', 'the Buyer shall', true],
	[
		'hyphenated at line ends',
		'the indem-\nnifi-\n  cation shall',
		'the indemnification shall',
		true,
	],
	['with a hyphen at a line end', 'a non-\nexclusive license', 'a non-exclusive license', true],
	['as it is hyphenated', 'limits the liability of', 'limits the lia-\nbility of', true],
	[
		'with a hyphen that does not break',
		'a non\u2011exclusive license',
		'a non-exclusive license',
		true,
	],
	['with typographic quotation marks', 'the “Term” means the', 'the "Term" means the', true],
	['with French quotation marks', 'la « durée » signifie la', 'la "durée" signifie la', true],
	['with a typographic apostrophe', 'the Buyer’s duty to', "the Buyer's duty to", true],
	['with an en dash', 'from 2024–2026, inclusive', 'from 2024-2026, inclusive', true],
	['with an em dash', 'the Term — unless extended', 'the Term-unless extended', true],
	['with two hyphens as a dash', 'the Term -- unless extended', 'the Term – unless extended', true],
	['up to an em dash', 'during the whole Term—unless', 'during the whole Term', true],
	['with a minus', 'a rate of −5 percent', 'a rate of -5 percent', true],
	['with ligatures', 'the ﬁnal oﬃcer ﬂoor', 'the final officer floor', true],
	['in full width', 'Ｔｈｅ　Ｂｕｙｅｒ　ｓｈａｌｌ　ｐａｙ', 'The Buyer shall pay', true],
	['with letters of two characters', 'the re\u0301sume\u0301 of Zoë', 'the résumé of Zoë', true],
	['with ß', 'gemäß Straße und GROẞE', 'GEMÄSS STRASSE UND große', true],
	['with a Turkish i', 'İSTANBUL ve İZMİR şubesi', 'istanbul ve izmir şubesi', true],
	['with money', 'a fee of € 500,000.00 per year', 'fee of €500,000.00 per', true],
	['with a section', 'under § 5 of the Act', 'under §5 of the', true],
	['with ellipses around it', 'The Buyer shall pay within', '… Buyer shall pay ...', true],
	['with Markdown around it', 'The Buyer shall pay within', '**Buyer shall pay**', true],
	['that begins with its sign', 'for $500 per year', '$500 per year', true],
	['that ends with its sign', 'a rate of 5% per year', 'a rate of 5%', true],
	['that ends before a comma', 'no more than 10, or as agreed', 'no more than 10', true],
	[
		'with signs of regular expressions',
		'a cap (of [x] $5.00 + 3|4?)',
		'a cap (of [x] $5.00 + 3|4?)',
		true,
	],
	['in Cyrillic', 'Покупатель обязан оплатить товар', 'покупатель обязан оплатить', true],
	['first a part of others', 'in 110 days; within 10 days after', '10 days after', true],

	['of other words', 'The Buyer shall pay within', 'The Buyer must pay within', false],
	['with a word left out', 'The Buyer shall not pay', 'The Buyer shall pay', false],
	['that leaves a part out', 'The Buyer shall, if asked to, pay', 'The Buyer shall … pay', false],
	['of two places', 'Buyers shall pay. Sellers shall deliver.', 'Buyers shall deliver', false],
	['without a word', 'a – b — c ... d', '– — ...', false],
	['of two words and a sign', 'under § 5 applies here', '§ 5 applies', false],
	['of two words, one with a hyphen', 'a non-exclusive license is', 'non-exclusive license', false],
	['that begins inside a word', 'unlimited liability of the', 'limited liability of', false],
	['that ends inside a word', 'the Buyer shall payable', 'the Buyer shall pay', false],
	['that begins behind a hyphen', 'a non\u2011exclusive license is', 'exclusive license is', false],
	['that begins behind a line end', 'is in-\nvalid under the law', 'valid under the', false],
	['that ends before a line end', 'of the whole liabil-\nity', 'of the whole liabil', false],
	['that ends before a hyphen', 'of the whole sub-license', 'of the whole sub', false],
	['that ends before an apostrophe', 'of the whole Buyer’s duty', 'of the whole Buyer', false],
	['that begins behind a slash', 'and/or the Buyer shall', 'or the Buyer', false],
	['with another word by a hyphen', 'he may resign at once', 'may re-sign at once', false],
	['with another word by a space', 'it is now here for', 'it is nowhere for', false],
	['with a part of a number', 'within 110 days after', '10 days after', false],
	['that ends inside a number', 'no more than 100 days', 'no more than 10', false],
	['that begins behind a comma', 'a fee of 1,500 per year', '500 per year', false],
	['that ends before a decimal point', 'no more than 10.5', 'no more than 10', false],
	['that begins behind a thousand', 'a fee of 10 500 per year', '500 per year', false],
	['with the end of a range', 'within 5–10 days after', '10 days after', false],
	['with the beginning of a range', 'no more than 5-10', 'no more than 5', false],
	['without a minus', 'at -5 degrees or', '5 degrees or', false],
	['with a comma for a point', 'a fee of 1.500 per year', 'fee of 1,500 per', false],
	['with a comma less', 'a fee of 1,500 per year', 'fee of 1500 per', false],
	['with a comma of a list', 'items 5, 10 days after', 'items 5,10 days after', false],
	['with two numbers for one', 'items 510 days after', 'items 5 10 days after', false],
	['of other money', 'a fee of €500,000 per year', 'fee of $500,000 per', false],
	['without its money', 'a fee of € 500 per year', '500 per year', false],
	['without its money behind', 'a fee of 500 €', 'fee of 500', false],
	["of another country's money", 'a fee of US$500 per year', '$500 per year', false],
	['without its percent', 'at a rate of 5 %', 'at a rate of 5', false],
	['with percent made up', 'at a rate of 5 for', 'at a rate of 5% for', false],
	['without its section', 'under § 5 of the Act', '5 of the Act', false],
	['with a part of a section', 'under §15 of the Act', '§5 of the Act', false],
	['with another accent', 'the résumé of Zoë', 'the resume of Zoë', false],
	['with a letter that looks alike', 'the Buyer shall pay', 'the Вuyer shall pay', false],
	['of an empty document', '', 'The Buyer shall pay', false],
])('a quote %s counts or not', (_what, document, quote, counts) => {
	expect(isIn(document, quote)).toBe(counts);
});

const word = fc.stringMatching(/^[a-zäß]{1,9}$/);
const words = fc.array(word, { minLength: 3, maxLength: 12 });

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

import fc from 'fast-check';

import { quoteFinder } from '../../../nodes/LegalAi/resources/question/quotes.ts';

const isIn = (document: string, quote: string) => quoteFinder(document)(quote);

/** What a document has, and the quote as a model writes it: typography is aside, words and numbers are not. */
test.each([
	['as it stands', 'The Buyer shall pay within ten days.', 'shall pay within ten days'],
	['in another case', 'THE BUYER SHALL PAY', 'The Buyer shall pay'],
	['over lines', 'The Buyer\n   shall\r\npay promptly', 'The Buyer shall pay'],
	['with other spaces', 'The\u00a0Buyer\u2009shall \t pay', 'The Buyer  shall\u202fpay'],
	['with a space before a comma', 'The Buyer , if any , shall', 'The Buyer, if any, shall'],
	['with spaces in brackets', 'ten ( 10 ) days of', 'ten (10) days of'],
	[
		'with soft hyphens',
		'the indem\u00adni\u00adfi\u00ad\ncation shall',
		'the indemnification shall',
	],
	['with invisible marks', 'the\u200b Buyer\u2060 sh\u200dall', 'the Buyer shall'],
	['hyphenated at line ends', 'the indem-\nnifi-\n  cation shall', 'the indemnification shall'],
	['with a hyphen at a line end', 'a non-\nexclusive license', 'a non-exclusive license'],
	['as it is hyphenated', 'limits the liability of', 'limits the lia-\nbility of'],
	['broken at its hyphen', 'a non-exclusive license', 'a non-\nexclusive license'],
	['with a hyphen that does not break', 'a non\u2011exclusive license', 'a non-exclusive license'],
	['with two marks for one', "the ``Term'' means the", 'the "Term" means the'],
	['with typographic quotation marks', 'the “Term” means the', 'the "Term" means the'],
	['with French quotation marks', 'la « durée » signifie la', 'la "durée" signifie la'],
	['with a typographic apostrophe', 'the Buyer’s duty to', "the Buyer's duty to"],
	['with an en dash', 'from 2024–2026, inclusive', 'from 2024-2026, inclusive'],
	['with an em dash', 'the Term — unless extended', 'the Term-unless extended'],
	['with two hyphens as a dash', 'the Term -- unless extended', 'the Term – unless extended'],
	['up to an em dash', 'during the whole Term—unless', 'during the whole Term'],
	['with a minus', 'a rate of −5 percent', 'a rate of -5 percent'],
	['with ligatures', 'the ﬁnal oﬃcer ﬂoor', 'the final officer floor'],
	['in full width', 'Ｔｈｅ　Ｂｕｙｅｒ　ｓｈａｌｌ　ｐａｙ', 'The Buyer shall pay'],
	['with letters of two characters', 'the re\u0301sume\u0301 of Zoë', 'the résumé of Zoë'],
	['with ß', 'gemäß Straße und GROẞE', 'GEMÄSS STRASSE UND große'],
	['with Turkish letters', 'İSTANBUL ve IĞDIR şubesi', 'istanbul ve ığdır şubesi'],
	['with money', 'a fee of € 500,000.00 per year', 'fee of €500,000.00 per'],
	['with a section', 'under § 5 of the Act', 'under §5 of the'],
	['with ellipses around it', 'The Buyer shall pay within', '… Buyer shall pay ...'],
	['with Markdown around it', 'The Buyer shall pay within', '**Buyer shall pay**'],
	['that begins with its sign', 'for $500 per year', '$500 per year'],
	['that ends with its sign', 'a rate of 5% per year', 'a rate of 5%'],
	['that ends before a comma', 'no more than 10, or as agreed', 'no more than 10'],
	[
		'with signs of regular expressions',
		'a cap (of [x] $5.00 + 3|4?)',
		'a cap (of [x] $5.00 + 3|4?)',
	],
	['in Cyrillic', 'Покупатель обязан оплатить товар', 'покупатель обязан оплатить'],
	[
		'in Chinese',
		'第七条　责任限制。乙方的赔偿责任不超过合同总金额的百分之二十五。',
		'乙方的赔偿责任不超过合同总金额',
	],
	['in Chinese, over lines', '乙方的赔偿责\n任不超过 合同总金额', '乙方的赔偿责任不超过合同总金额'],
	['in Chinese, of three words', '甲方负责交付全部货物', '甲方负责交付'],
	['in Chinese behind quotation marks', '本合同所称“服务”是指乙方提供的', '是指乙方提供的'],
	['in traditional Chinese', '乙方之賠償責任不超過契約總金額。', '賠償責任不超過契約總金額'],
	['in Chinese with Latin words', '乙方应向 ABC Ltd 支付 25% 的违约金', '向ABC Ltd支付25%的违约金'],
	['in Chinese with a whole number', '不超过合同金额的百分之二十五。', '合同金额的百分之二十五'],
	['in Chinese up to a Latin word', '乙方应当立即支付ABC公司', '乙方应当立即支付'],
	['in Chinese up to a rare character', '本合同由甲方与𠮷ABC公司签订', '本合同由甲方与𠮷'],
	[
		'in Chinese before a number further on',
		'合同金额的百分之二十五，即三万',
		'合同金额的百分之二十五',
	],
	['in Chinese behind a number further back', '第七条应支付二十五万元违约金', '二十五万元违约金'],
	['in Chinese up to a unit', '应在10日内支付全部价款', '应在10日内支付'],
	[
		'in Japanese',
		'受託者の損害賠償責任は、契約金額を上限とする。',
		'損害賠償責任は、契約金額を上限とする',
	],
	['in Katakana', 'ライセンサーはソフトウェアを提供する。', 'ライセンサーはソフトウェアを提供'],
	['in Thai', 'ผู้ซื้อต้องชำระเงินภายในสิบวัน', 'ผู้ซื้อต้องชำระเงิน'],
	['in Lao', 'ຜູ້ຊື້ຕ້ອງຊໍາລະເງິນພາຍໃນສິບມື້', 'ຜູ້ຊື້ຕ້ອງຊໍາລະເງິນ'],
	['in Khmer', 'អ្នកទិញត្រូវបង់ប្រាក់ក្នុងរយៈពេលដប់ថ្ងៃ។', 'អ្នកទិញត្រូវបង់ប្រាក់'],
	['in Burmese', 'ဝယ်သူသည် ဆယ်ရက်အတွင်း ငွေပေးချေရမည်။', 'ဆယ်ရက်အတွင်း ငွေပေးချေရမည်'],
	['first a part of others', 'in 110 days; within 10 days after', '10 days after'],
	['above a numbered line', 'ends on 31 December 2026\n5. Fees', 'ends on 31 December 2026'],
	['above a page number', 'ends on 1 June 2026\n\n112\f Fees', 'ends on 1 June 2026'],
	['below a number', 'Clause 12\n300 days after receipt', '300 days after receipt'],
	['beside a number in a table', 'Clause 12\t300 days after', '300 days after'],
	['behind the number of its clause', '5.2 30 days after receipt', '30 days after receipt'],
	['before a number', 'ends in March 2026 12 months after', 'ends in March 2026'],
	['above a section', 'endet am 31. Mai 2026\n§ 6 Fees', 'endet am 31. Mai 2026'],
	['above money', 'ends in March 2026\n$500 are due', 'ends in March 2026'],
	['below a percentage', 'at a rate of 5 %\n30 days after', '30 days after'],
	[
		'at the end of a long document',
		`${'Then the Seller attends to it. '.repeat(500)}The Buyer shall pay`,
		'The Buyer shall pay',
	],
	[
		'that begins as 999 others',
		`${'Each Buyer shall pay within ten days. '.repeat(999)}Each Buyer shall pay within ten weeks.`,
		'Each Buyer shall pay within ten weeks',
	],
	['below a percentage without a blank', 'at a rate of 5%\n30 days after', '30 days after'],
	[
		'that begins with a number in its line',
		'The Term\n30 days after receipt',
		'30 days after receipt',
	],
	['below a number, in another line of Word', 'Clause 12\v300 days after', '300 days after'],
	['before a number of four digits', 'ends on 1 March 2026 2500 days', 'ends on 1 March 2026'],
	['in quotation marks', 'it says "Buyer shall pay" (so)', 'Buyer shall pay'],
	[
		'between words that signs join',
		'for and/or of the Buyer shall pay sub-fees',
		'Buyer shall pay',
	],
	['over lines, with numbers', 'within 30\ndays (of\n2026)', 'within 30 days (of 2026)'],
])('a quote %s counts', (_what, document, quote) => {
	expect(isIn(document, quote)).toBe(true);
});

test.each([
	['of other words', 'The Buyer shall pay within', 'The Buyer must pay within'],
	['with a word left out', 'The Buyer shall not pay', 'The Buyer shall pay'],
	['that leaves a part out', 'The Buyer shall, if asked to, pay', 'The Buyer shall … pay'],
	['of two places', 'Buyers shall pay. Sellers shall deliver.', 'Buyers shall deliver'],
	['without a word', 'a – b — c ... d', '– — ...'],
	['of two words and a sign', 'under § 5 applies here', '§ 5 applies'],
	['of two words, one with a hyphen', 'a non-exclusive license is', 'non-exclusive license'],
	['that begins inside a word', 'unlimited liability of the', 'limited liability of'],
	['that ends inside a word', 'the Buyer shall payable', 'the Buyer shall pay'],
	['that begins behind a hyphen', 'a non\u2011exclusive license is', 'exclusive license is'],
	['with a letter made up at a line end', 'the indem-\nnity shall', 'the indemxnity shall'],
	['that begins behind a line end', 'is in-\nvalid under the law', 'valid under the'],
	['that ends before a line end', 'of the whole liabil-\nity', 'of the whole liabil'],
	['that ends before a hyphen', 'of the whole sub-license', 'of the whole sub'],
	['that ends before an apostrophe', 'of the whole Buyer’s duty', 'of the whole Buyer'],
	['that begins behind a slash', 'and/or the Buyer shall', 'or the Buyer'],
	['with another word by a hyphen', 'he may resign at once', 'may re-sign at once'],
	['with a letter for a hyphen', 'a non-exclusive license is', 'a nonxexclusive license is'],
	['with another word by a space', 'it is now here for', 'it is nowhere for'],
	['with a part of a number', 'within 110 days after', '10 days after'],
	['that ends inside a number', 'no more than 100 days', 'no more than 10'],
	['that begins behind a comma', 'a fee of 1,500 per year', '500 per year'],
	['that ends before a decimal point', 'no more than 10.5', 'no more than 10'],
	['that begins behind a thousand', 'a fee of 10 500 per year', '500 per year'],
	['that ends before a thousand', 'shares worth EUR 1 000', 'shares worth EUR 1'],
	['that begins within a million', 'in all 1 500 000 shares are', '500 000 shares are'],
	['with the end of a range', 'within 5–10 days after', '10 days after'],
	['with the beginning of a range', 'no more than 5-10', 'no more than 5'],
	['without a minus', 'at -5 degrees or', '5 degrees or'],
	['with a comma for a point', 'a fee of 1.500 per year', 'fee of 1,500 per'],
	['with a comma less', 'a fee of 1,500 per year', 'fee of 1500 per'],
	['with a comma of a list', 'items 5, 10 days after', 'items 5,10 days after'],
	['with two numbers for one', 'items 510 days after', 'items 5 10 days after'],
	['of other money', 'a fee of €500,000 per year', 'fee of $500,000 per'],
	['without its money', 'a fee of € 500 per year', '500 per year'],
	['without its money directly before', 'a fee of $500 per year', '500 per year'],
	['without its money behind', 'a fee of 500 €', 'fee of 500'],
	["of another country's money", 'a fee of US$500 per year', '$500 per year'],
	['without its percent', 'at a rate of 5 %', 'at a rate of 5'],
	['with percent made up', 'at a rate of 5 for', 'at a rate of 5% for'],
	['without its money, a line below', 'a fee of 500\n€ per year', 'a fee of 500'],
	['without its section, a line above', 'under §\n5 of the Act', '5 of the Act'],
	['without its section', 'under § 5 of the Act', '5 of the Act'],
	['with a part of a section', 'under §15 of the Act', '§5 of the Act'],
	['with another accent', 'the résumé of Zoë', 'the resume of Zoë'],
	['with a letter that looks alike', 'the Buyer shall pay', 'the Вuyer shall pay'],
	[
		'made up, in Chinese',
		'乙方的赔偿责任不超过合同总金额',
		'乙方的赔偿责任没有任何上限，应当全额赔偿',
	],
	['of two characters', '乙方的赔偿责任不超过', '责任'],
	['of five characters', '乙方的赔偿责任不超过合同', '赔偿责任不'],
	['of a word and two characters', '应向 ABC 支付违约金', 'ABC 支付'],
	[
		'in Chinese that ends inside a number',
		'赔偿责任不超过合同总金额的百分之二十五。',
		'赔偿责任不超过合同总金额的百分之二十',
	],
	['in Chinese that begins inside a number', '甲方应支付二十五万元违约金', '五万元违约金'],
	['in Chinese without its ten thousand', '甲方应支付违约金25万元', '甲方应支付违约金25'],
	['in Chinese without its percent', '违约金为合同金额的25％，', '违约金为合同金额的25'],
	['in Chinese that ends inside a word', '乙方不得承担违约责任的情形', '乙方不得承担违约责'],
	['in Chinese with a Latin word cut off', '乙方应向 ABCDE 支付违约金', 'DE 支付违约金'],
	['in Katakana that ends inside a word', '当社はソフトウェアを提供する', '当社はソフトウェ'],
	['in Thai that ends inside a word', 'ผู้ซื้อต้องชำระเงินภายในสิบวัน', 'ผู้ซื้อต้องชำ'],
	[
		'that begins as 1,000 others',
		`${'Each Buyer shall pay within ten days. '.repeat(1_000)}Each Buyer shall pay within ten weeks.`,
		'Each Buyer shall pay within ten weeks',
	],
	['of an empty document', '', 'The Buyer shall pay'],
])('a quote %s does not count', (_what, document, quote) => {
	expect(isIn(document, quote)).toBe(false);
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

test('a quote of 100,000 characters is found', () => {
	const sentences = 'The Buyer shall pay the Seller (each of them) $5.00. '.repeat(2_000);
	expect(isIn(`b ${sentences}`, sentences)).toBe(true);
});

test.each([
	['of words and dashes', 'a- '.repeat(300_000), 'a- b '.repeat(1_000)],
	['of dashes', '-\n'.repeat(100_000), '-'.repeat(10_000)],
	['of brackets', '(a) '.repeat(100_000), `b ${'(a) '.repeat(2_000)}`],
	['of one word over and over', 'a '.repeat(50_000), `${'a '.repeat(5_000)}b`],
	['of words without blanks', '责任'.repeat(50_000), `任${'责任'.repeat(5_000)}责乙`],
	['of numbers and lines', '1\n'.repeat(100_000), `1\n${'1\n'.repeat(5_000)}2`],
	['of halves of words without blanks', '责任'.repeat(50_000), '任责任责任责任责'],
])('a document %s does not have a quote that is nearly all of it', (_, document, quote) => {
	expect(isIn(document, quote)).toBe(false);
});

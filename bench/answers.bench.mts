import { fitExtension } from '../nodes/LegalAi/files/names.ts';
import { quoteFinder } from '../nodes/LegalAi/resources/question/quotes.ts';
import { readAnswerFields } from '../nodes/LegalAi/resources/question/readAnswer.ts';
import { readSavedAnswerFields } from '../test/support/reading.mts';
import { OURS } from './support/figures.mts';
import {
	compareSizes,
	findWorst,
	type Growth,
	measureShortest,
	printWorst,
} from './support/growth.mts';
import { openResults } from './support/results.mts';
import { isQuick } from './support/rounds.mts';

/** Lengths of the texts that are compared, in characters. */
const LENGTHS = isQuick ? [250_000, 500_000] : [1_000_000, 2_000_000, 4_000_000];

const results = openResults('answers', 'Answers, quotes and names that are hostile');

const WANTED = readSavedAnswerFields({ field: [{ name: 'Risk', required: false }] });

const repeat = (piece: string, length: number) => piece.repeat(Math.ceil(length / piece.length));

/** Texts that cost much if a reader goes back over what it has read, by what reads them. */
const readers: Record<string, Record<string, (length: number) => () => unknown>> = {
	'answer fields': Object.fromEntries(
		[
			...['{"Risk":', '{"a":{"Risk":"low"},', '[[]', '["",{"', '{"a":"b\\'],
			...['`', '\\"', '{"Risk": "high"}', ' '],
		]
			.flatMap((piece) => [
				[piece, (length: number) => repeat(piece, length)] as const,
				[
					`an open object, then ${piece}`,
					(length: number) => `{"a": "${repeat(piece, length)}`,
				] as const,
			])
			.map(([what, make]) => [
				what,
				(length) => {
					const answer = make(length);
					return () => readAnswerFields(answer, WANTED);
				},
			]),
	),
	quotes: {
		'signs, and a quote that nearly fits': (length) =>
			findQuote(
				`${repeat('a- ', length / 3)}${repeat('-\n', length / 3)}${repeat(' ', length / 3)}b `,
				'a- b '.repeat(1_000),
			),
		'signs, and a quote of them': (length) => findQuote(repeat('a- ', length), '-'.repeat(10_000)),
		'brackets, and a quote of them': (length) =>
			findQuote(repeat('(a) ', length), `b ${'(a) '.repeat(2_000)}`),
		'a quote as long as the document': (length) => {
			const sentences = repeat('The Buyer shall pay the Seller (each of them) $5.00. ', length / 2);
			return findQuote(sentences, sentences);
		},
		'one word, over and over': (length) =>
			findQuote(repeat('a ', length), `${'a '.repeat(5_000)}b`),
		'words without blanks': (length) =>
			findQuote(repeat('责任', length), `任${'责任'.repeat(5_000)}责乙`),
		'halves of words without blanks': (length) =>
			findQuote(repeat('责任', length), '任责任责任责任责'),
	},
	'file names': {
		'spaces before the extension': (length) => () =>
			fitExtension(`${repeat(' ', length)}.pdf`, PDF),
		'slashes and spaces': (length) => () => fitExtension(`${repeat('/ ', length)}NDA.pdf`, PDF),
	},
};

const PDF = 'application/pdf';

function findQuote(document: string, quote: string) {
	return () => quoteFinder(document)(quote);
}

const rows: Growth[] = [];

test.each(Object.entries(readers))('hostile %s', async (reader, pieces) => {
	for (const [what, make] of Object.entries(pieces)) {
		const times: number[] = [];
		for (const length of LENGTHS) times.push(await measureShortest(make(length)));
		rows.push({ what: `${reader}: ${what}`, times });
	}
	expect(rows.length).toBeGreaterThan(0);
});

test('time grows with the length alone', () => {
	const ratios = compareSizes(rows);
	const [slowest, ratio] = findWorst(ratios);
	const [dearest, time] = findWorst(rows.map(({ what, times }) => [what, times.at(-1) ?? 0]));
	results.figure({
		what: 'hostile answers, quotes and names: time of a processor for twice the length',
		unit: '×',
		contenders: { [OURS]: [ratio] },
		targets: [{ atMost: 2.5 }],
		note: `Texts of 1, 2 and 4 million characters, each compared with the one before: it would be 4 if the time grew with the square of the length. The worst of ${rows.length}: \`${JSON.stringify(slowest)}\`. Longest of all took \`${JSON.stringify(dearest)}\`: ${Math.round(time)} ms for 4 million characters.`,
		meaning: 'An answer or a document that is hard to read holds n8n up no longer than its size.',
	});
	printWorst(ratios, 8);
	printWorst(
		rows.map(({ what, times }) => [what, times.at(-1) ?? 0]),
		8,
	);
});

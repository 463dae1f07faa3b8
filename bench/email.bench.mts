import type { INodeExecutionData } from 'n8n-workflow';

import { prepare } from '../test/support/email/emails.mts';
import { OURS } from './support/figures.mts';
import { resultsOf } from './support/results.mts';
import { isQuick } from './support/rounds.mts';

const MEGABYTE = 1024 * 1024;
const ROUNDS = isQuick ? 1 : 3;
/** Of emails that are compared, in megabytes. */
const SIZES = [0.5, 1, 2];

const results = resultsOf('email', 'Emails that are hostile');

const repeated = (piece: string, megabytes: number) =>
	piece.repeat(Math.ceil((megabytes * MEGABYTE) / piece.length));

const email = (contentType: string, content: string): INodeExecutionData => ({
	json: {
		internetMessageId: '<bench@example.com>',
		internetMessageHeaders: [{ name: 'From', value: 'dana.ortiz@example.com' }],
		subject: 'Hostile',
		from: { emailAddress: { address: 'dana.ortiz@example.com' } },
		toRecipients: [{ emailAddress: { address: 'legal@example.com' } }],
		body: { contentType, content },
	},
});

/** Pieces that cost more than their length if a reader goes back over what it has read. */
const pieces = {
	html: [
		...[
			'<',
			'<a href="',
			"<a href='",
			'<a href=https://',
			'<a =',
			'<!--',
			'<style>',
			'</style',
			'<p',
		],
		...[
			'<div>',
			'<div ',
			'</',
			'</x>',
			'<x>',
			'&#',
			'&#x',
			'&',
			'&amp',
			' ',
			'\n',
			'<br>\n',
			'<td>',
		],
		...[
			'<p>&nbsp;</p>',
			'<blockquote>',
			'<li>',
			'<ol><li>',
			'<table><tr><td>',
			'<s>x',
			'<sup>',
			'<s> ',
		],
		...['<p style="font-size:1px">', '<a href="????">?', '<p style=";;;; ', '<img alt="'],
	],
	text: [
		...['>', '> > \n', '\n', ' \n', ' ', '\t', 'x@', '[', '<', '\u202b', '.', 'a.pdf <', '~~ '],
		...[
			'https://',
			'https://x.sharepoint.com/',
			'https://www.dropbox.com/',
			'https://a/?u=https%3A%2F%2F',
		],
		...['https://x/__', '=aHR0cHM6Ly8', '/https-3A__', 'https://....\n'],
	],
};

/** The shortest of several times that a processor took, in milliseconds: what else the machine does makes them longer, never shorter. */
async function shortest(run: () => Promise<unknown>) {
	const times: number[] = [];
	for (let round = 0; round < ROUNDS; round += 1) {
		const start = process.cpuUsage();
		await run();
		const { user, system } = process.cpuUsage(start);
		times.push((user + system) / 1_000);
	}
	return Math.min(...times);
}

const timesOf = async (contentType: string, piece: string) => {
	const times: number[] = [];
	for (const size of SIZES) {
		const item = email(contentType, repeated(piece, size));
		times.push(await shortest(async () => await prepare([item])));
	}
	return times;
};

test.each(Object.entries(pieces))('hostile %s', async (contentType, hostile) => {
	const ratios = new Map<string, number>();
	for (const piece of hostile) {
		const [half = 0, one = 0, two = 0] = await timesOf(contentType, piece);
		ratios.set(piece, Math.min(one / half, two / one));
	}
	const [[worst, ratio] = ['', 0]] = [...ratios].sort(([, a], [, b]) => b - a);
	results.figure({
		what: `Hostile ${contentType}: processor time for twice the length`,
		unit: '×',
		contenders: { [OURS]: [ratio] },
		targets: [{ atMost: 3 }],
		note: `Emails of 0.5, 1 and 2 MB, each compared with the one of half its size. The result would be 4 if the time grew with the square of the size. This is the worst of ${hostile.length} repeated pieces that would cost much if a reader went back over them: \`${JSON.stringify(worst)}\`.`,
		meaning:
			'The time to read an email grows only with its size, even if somebody has made it hard to read.',
	});
});

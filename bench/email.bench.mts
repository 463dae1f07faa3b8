import type { INodeExecutionData } from 'n8n-workflow';

import { memoryGrowth } from '../harness/memory.mts';
import { emails, prepare } from '../test/support/email/emails.mts';
import { programs } from '../test/support/email/programs.mts';
import { OURS, resultsOf } from './support/results.mts';
import { isQuick } from './support/rounds.mts';

const PARSER = 'n8n’s Email Trigger (IMAP)';
const MEGABYTE = 1024 * 1024;
const ROUNDS = isQuick ? 1 : 5;
/** Of emails that are compared, in megabytes. */
const SIZES = [0.25, 1, 8];

const results = resultsOf('email', 'Emails that are hostile or large');

const repeated = (piece: string, megabytes: number): string =>
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
const hostile = {
	html: [
		'<',
		'<a href="',
		'<a href=https://',
		'<!--',
		'<style>',
		'<div>',
		'<div ',
		'</',
		'&#',
		'&#x',
		'&',
		'&amp',
		' ',
		'\n',
		'<br>\n',
		'<p>&nbsp;</p>',
		'<blockquote>',
		'https://',
		'https://x.sharepoint.com/',
		'<b>From:</b> x<br>',
		'On Monday, ',
		'<img alt="',
	],
	text: [
		'>',
		'> ',
		'>\n',
		'> >\n',
		'\n',
		' \n',
		'\t',
		'On Mon, 2026 at ',
		'On 2026\n',
		'On 2026 a wrote:\n',
		'From: x\n',
		'From: x\nSent: y\n',
		'*From:',
		'-',
		'_',
		'-----',
		'---------- Forwarded message\n',
		'https://',
		'https://www.dropbox.com/',
		'https://x.safelinks.protection.outlook.com/?url=',
		'[',
		'<',
		'x@',
		'Von: ',
		'Re: ',
		'\u202b',
		'差出人: ',
	],
};

/** The shortest of several times, in milliseconds: what the machine does besides makes times longer, never shorter. */
async function shortest(run: () => Promise<unknown>): Promise<number> {
	const times: number[] = [];
	for (let round = 0; round < ROUNDS; round += 1) {
		const start = performance.now();
		await run();
		times.push(performance.now() - start);
	}
	return Math.min(...times);
}

test.each(Object.entries(hostile))('hostile %s', async (contentType, pieces) => {
	const ratios: number[] = [];
	for (const piece of pieces) {
		const times: number[] = [];
		for (const size of SIZES) {
			const hostileEmail = email(contentType, repeated(piece, size));
			times.push((await shortest(async () => await prepare([hostileEmail]))) / size);
		}
		const [quarter = 0, one = 0, eight = 0] = times;
		ratios.push(Math.max(one / quarter, eight / one));
	}
	const worst = pieces[ratios.indexOf(Math.max(...ratios))];
	results.figure({
		what: `hostile ${contentType} of 1 MB and 8 MB: time for each megabyte`,
		unit: '× that of a smaller email',
		contenders: { [OURS]: [Math.max(...ratios)] },
		targets: [{ atMost: 2 }],
		note: `Emails of 0.25, 1 and 8 MB, each compared with the one before: it would be 4 or more if the time grew with the square of the size. The worst of ${pieces.length} pieces, repeated, that cost much if a reader goes back: \`${JSON.stringify(worst)}\`.`,
		meaning: 'An email that is made to be hard to read costs no more than its size.',
	});
});

test('an email of 25 MB', async () => {
	const message = emails.get('outlook-reply-german')?.toString('latin1') ?? '';
	const large = message
		.replace('anbei unser', `${repeated('<p>As agreed.</p>\n', 1)} anbei unser`)
		.replace(/UEsDB\S+/, repeated(`${'JVBERi0x'.repeat(9)}\r\n`, 24));
	let items: INodeExecutionData[] = [];
	const parser = await shortest(async () => {
		items = await programs.IMAP(Buffer.from(large, 'latin1'));
	});
	const ours = await shortest(async () => await prepare(items));
	results.figure({
		what: 'an email of 25 MB with a file of 18 MB: time',
		unit: 'ms',
		contenders: { [OURS]: [ours], [PARSER]: [parser] },
		targets: [{ against: PARSER, atMost: 1 }],
		meaning: 'Reading an email costs less than receiving it.',
	});
	globalThis.gc?.();
	const growth = await memoryGrowth(process.pid, async () => await prepare(items));
	results.figure({
		what: 'an email of 25 MB with a file of 18 MB: growth of memory',
		unit: 'MB',
		contenders: { [OURS]: [growth / MEGABYTE] },
		targets: [{ atMost: 100 }],
	});
});

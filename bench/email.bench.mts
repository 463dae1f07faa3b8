import type { INodeExecutionData } from 'n8n-workflow';
import { test } from 'vitest';

import { memoryGrowth } from '../harness/memory.mts';
import { emails, prepare } from '../test/support/email/emails.mts';
import { programs } from '../test/support/email/programs.mts';
import { OURS, resultsOf } from './support/results.mts';
import { MANY_ROUNDS } from './support/rounds.mts';

const PARSER = 'n8n’s Email Trigger (IMAP)';
const MEGABYTE = 1024 * 1024;

const results = resultsOf('email', 'Emails that are hostile or large');

const repeated = (piece: string, megabytes: number): string =>
	piece.repeat(Math.ceil((megabytes * MEGABYTE) / piece.length));

const email = (body: object): INodeExecutionData => ({
	json: {
		internetMessageId: '<bench@example.com>',
		internetMessageHeaders: [{ name: 'From', value: 'dana.ortiz@example.com' }],
		subject: 'Hostile',
		from: { emailAddress: { address: 'dana.ortiz@example.com' } },
		toRecipients: [{ emailAddress: { address: 'legal@example.com' } }],
		body,
	},
});

/** Pieces that cost more than their length if a reader goes back over what it has read. */
const hostile = {
	html: [
		'<', '<a href="', '<a href=https://', '<!--', '<style>', '<div>', '<div ', '</', '&#', '&#x', '&', '&amp', ' ', '\n', '<br>\n', '<p>&nbsp;</p>',
		'<blockquote>', 'https://', 'https://x.sharepoint.com/', '<b>From:</b> x<br>', 'On Monday, ', '<img alt="',
	],
	text: [
		'>', '> ', '>\n', '> >\n', '\n', ' \n', '\t', 'On Mon, 2026 at ', 'On 2026\n', 'On 2026 a wrote:\n', 'From: x\n', 'From: x\nSent: y\n', '*From:', '-', '_', '-----', '---------- Forwarded message\n',
		'https://', 'https://www.dropbox.com/', 'https://x.safelinks.protection.outlook.com/?url=', '[', '<', 'x@', 'Von: ', 'Re: ', '\u202b', '差出人: ',
	],
};

async function milliseconds(run: () => Promise<unknown>): Promise<number> {
	const start = performance.now();
	await run();
	return performance.now() - start;
}

test('a megabyte of an email of 8 MB costs what that of an email of 1 MB does', async () => {
	for (const [contentType, pieces] of Object.entries(hostile)) {
		const ratios: number[] = [];
		for (const piece of pieces) {
			const time = async (megabytes: number): Promise<number> => {
				const item = email({ contentType, content: repeated(piece, megabytes) });
				const times: number[] = [];
				for (let round = 0; round < 3; round++)
					times.push(await milliseconds(async () => await prepare([item])));
				return Math.min(...times) / megabytes;
			};
			const ratio = (await time(8)) / (await time(1));
			ratios.push(ratio);
			console.log(contentType, JSON.stringify(piece), ratio.toFixed(2), (await time(1)).toFixed(1));
		}
	}
});

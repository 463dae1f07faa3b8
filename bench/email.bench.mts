import type { INodeExecutionData } from 'n8n-workflow';

import { emails, prepare } from '../test/support/email/emails.mts';
import { programs } from '../test/support/email/programs.mts';
import {
	hostileEmail,
	hostileFiles,
	hostileHeaders,
	hostileHtml,
	hostileText,
} from './support/hostileEmails.mts';
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

const MEGABYTE = 1024 * 1024;
/** Sizes of the emails that are compared, in megabytes. */
const SIZES = isQuick ? [0.25, 0.5] : [0.5, 1, 2];

const results = openResults('email', 'Emails that are hostile');

/** The HTML of the emails that tests read, over and over. */
async function usualHtml(length: number) {
	const bodies: string[] = [];
	for (const raw of emails.values()) {
		const [item] = await programs.Gmail(raw);
		if (typeof item?.json.html === 'string') bodies.push(item.json.html);
	}
	const all = bodies.join('\n');
	return all.repeat(Math.ceil(length / all.length));
}

const rows: Growth[] = [];

async function measure(what: string, make: (length: number) => INodeExecutionData) {
	const times: number[] = [];
	for (const size of SIZES) {
		const item = make(size * MEGABYTE);
		times.push(await measureShortest(async () => await prepare([item])));
	}
	rows.push({ what, times });
}

const makers: Record<string, [what: string, make: (length: number) => INodeExecutionData][]> = {
	html: Object.entries(hostileHtml).map(([what, make]) => [
		what,
		(length) => hostileEmail('html', make(length)),
	]),
	text: Object.entries(hostileText).map(([what, make]) => [
		what,
		(length) => hostileEmail('text', make(length)),
	]),
	headers: Object.entries(hostileHeaders).map(([what, make]) => [
		what,
		(length) => {
			const named = ['Resent-To', 'List-ID', 'X-Original-Sender', 'References', 'Content-Type'];
			const headers = named.map((name) => ({ name, value: make(length / 10) }));
			const many = make(length / 2).match(/[^]{1,16}/g) ?? [];
			const all = [...headers, ...many.map((value) => ({ name: 'Received', value }))];
			return hostileEmail('text', 'x', { headers: all });
		},
	]),
	files: Object.entries(hostileFiles).map(([what, { fileName, make }]) => [
		what,
		(length) => {
			const data = make(length).toString('base64');
			return hostileEmail('text', 'x', { binary: { file: { data, fileName, mimeType: '' } } });
		},
	]),
	pictures: [
		[
			'small pictures, and HTML that shows none of them',
			(length) => {
				const picture = Buffer.alloc(700, 1).toString('base64');
				const count = Math.ceil(length / 2 / picture.length);
				const binary = Object.fromEntries(
					Array.from({ length: count }, (_, index) => [
						`file_${index}`,
						{ data: picture, fileName: `p${index}.png`, mimeType: 'image/png' },
					]),
				);
				return hostileEmail('html', 'cid:a '.repeat(length / 12), { binary });
			},
		],
	],
};

test.each(Object.entries(makers))('hostile %s', async (_, pieces) => {
	for (const [what, make] of pieces) await measure(`${_}: ${what}`, make);
	expect(rows.length).toBeGreaterThan(0);
});

test('time grows with the length alone, and hostile emails take little more than others', async () => {
	const html = new Map<number, string>();
	for (const size of SIZES) html.set(size, await usualHtml(size * MEGABYTE));
	const usual: number[] = [];
	for (const size of SIZES)
		usual.push(
			await measureShortest(
				async () => await prepare([hostileEmail('html', html.get(size) ?? '')]),
			),
		);
	const ratios = compareSizes(rows);
	const costs = rows.map(({ what, times }) => [what, (times[0] ?? 0) / (usual[0] ?? 1)] as const);
	const [slowest, ratio] = findWorst(ratios);
	const [dearest, cost] = findWorst(costs);
	results.figure({
		what: 'hostile emails: time of a processor for twice the length',
		unit: '×',
		contenders: { [OURS]: [ratio] },
		targets: [{ atMost: 2.5 }],
		note: `Emails of ${SIZES.join(', ')} MB, each compared with the one before: it would be 4 if the time grew with the square of the size. The worst of ${rows.length} pieces of HTML, text, headers and files that cost much if a reader goes back: \`${JSON.stringify(slowest)}\`.`,
		meaning: 'An email that is made to be hard to read costs no more than its size.',
	});
	results.figure({
		what: 'a hostile megabyte: time of a processor, beside a megabyte of usual HTML',
		unit: '×',
		contenders: { [OURS]: [cost] },
		targets: [{ atMost: 5 }],
		note: `A megabyte of the HTML of the tests' emails takes ${Math.round((usual[0] ?? 0) / (SIZES[0] ?? 1))} ms. The worst of the same pieces: \`${JSON.stringify(dearest)}\`.`,
		meaning: 'Nobody who can write to the mailbox can stop n8n with it.',
	});
	printWorst(costs, 12);
	printWorst(ratios, 8);
});

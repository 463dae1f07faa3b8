import fc from 'fast-check';
import type { INodeExecutionData } from 'n8n-workflow';

import { emails, prepare } from '../../support/email/emails.mts';
import { programs } from '../../support/email/programs.mts';

const MOST_HISTORY = 10_000;

/** Pieces of an email, one of them left out or doubled. */
const repeat = (pieces: string[], at: number, times: number) =>
	pieces
		.map((piece, index) => (index === Math.floor(at * pieces.length) ? piece.repeat(times) : piece))
		.join('');

/** What becomes of an email on its way, at a place between 0 and 1. */
const changes: Readonly<Record<string, (email: string, at: number) => string>> = {
	'a header is dropped': (email, at) => {
		const end = email.search(/\r?\n\r?\n/);
		return repeat(email.slice(0, end).split(/(?<=\n)(?![ \t])/), at, 0) + email.slice(end);
	},
	'a part is doubled': (email, at) => repeat(email.split(/^(?=--part-\S+\s*$)/m), at, 2),
	'a byte is lost': (email, at) => repeat(email.split(''), at, 0),
	'lines end with a line feed': (email) => email.replaceAll(/\r?\n/g, '\n'),
	'lines end with a carriage return and a line feed': (email) => email.replaceAll(/\r?\n/g, '\r\n'),
};

/** Holds that one email comes out of items, and that each contract in them is attached, or named among what is not. */
async function expectNothingLost(items: INodeExecutionData[]) {
	const [prepared, ...others] = await prepare(items);
	expect(others).toEqual([]);
	// Half of a character, as in a text that was cut, is refused by who reads UTF-8.
	expect(JSON.stringify(prepared?.item.json)).not.toMatch(/\\ud[89a-f]/);
	const named = [prepared?.item.json.attached, prepared?.item.json.unread].flat();
	const contracts = items
		.flatMap(({ binary = {} }) => Object.values(binary))
		.map(({ fileName }) => fileName)
		.filter((name) => /\.(docx?|pdf|zip)$/i.test(name ?? ''));
	expect(named).toEqual(expect.arrayContaining(contracts));
	const attached = Object.values(prepared?.item.binary ?? {}).map(({ fileName }) => fileName);
	expect(attached.sort()).toEqual([prepared?.item.json.attached].flat().sort());
}

test.each(Object.keys(changes))('%s: nothing throws, and no contract is lost', async (change) => {
	await fc.assert(
		fc.asyncProperty(
			fc.constantFrom(...emails.keys()),
			fc.constantFrom(...Object.values(programs)),
			fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
			async (name, give, at) => {
				const email = emails.get(name)?.toString('latin1') ?? '';
				await expectNothingLost(
					await give(Buffer.from(changes[change]?.(email, at) ?? '', 'latin1')),
				);
			},
		),
	);
});

test.each([
	['text', 'thunderbird-reply', programs.Gmail, '> As agreed.\n'],
	[
		'HTML',
		'outlook-reply-german',
		programs.Outlook,
		'<p>The parties have agreed on all of this, and signed it in two copies.</p>\n',
	],
])(
	'of 10 MB of history as %s, as much is read as goes with a question',
	async (_, name, give, quoted) => {
		const items = JSON.stringify(await give(emails.get(name) ?? Buffer.of()));
		const [before] = await prepare(JSON.parse(items) as INodeExecutionData[]);
		const end = JSON.stringify(quoted.repeat(10_000_000 / quoted.length)).slice(1, -1);
		const longer = items.replaceAll(/(?<=Rahmenvertrag\.|50,000\.)(?=\\n|<)/g, end);
		const [prepared] = await prepare(JSON.parse(longer) as INodeExecutionData[]);
		const { history } = prepared?.item.json ?? {};
		expect(prepared?.item).toEqual({ ...before?.item, json: { ...before?.item.json, history } });
		expect(JSON.stringify(history).length).toBeLessThan(MOST_HISTORY);
	},
);

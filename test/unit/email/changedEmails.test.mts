import fc from 'fast-check';
import type { INodeExecutionData } from 'n8n-workflow';

import { emails, prepare } from '../../support/email/emails.mts';
import { programs } from '../../support/email/programs.mts';

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
	expect(JSON.stringify(prepared?.json)).not.toMatch(/\\ud[89a-f]/);
	const { attached: names, unread } = prepared?.json ?? {};
	const named = [names, unread].flat().map((name) => (name as string).replace(/ \([^()]*\)$/, ''));
	const contracts = items
		.flatMap(({ binary = {} }) => Object.values(binary))
		.map(({ fileName }) => fileName)
		.filter((name) => /^(?!\._).*\.(docx?|pdf|zip)$/i.test(name ?? ''));
	expect(named).toEqual(expect.arrayContaining(contracts));
	const attached = Object.values(prepared?.binary ?? {}).map(({ fileName }) => fileName);
	expect(attached.sort()).toEqual([prepared?.json.attached].flat().sort());
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
	['HTML', 'outlook-reply-german', programs.Outlook, '<p>As agreed by both parties.</p>\n'],
])(
	'of 10 MB of %s, beginning and end are there, and all of it is attached',
	async (_, name, give, quoted) => {
		const items = JSON.stringify(await give(emails.get(name) ?? Buffer.of()));
		const end = JSON.stringify(quoted.repeat(10_000_000 / quoted.length)).slice(1, -1);
		const longer = items.replaceAll(/(?<=Rahmenvertrag\.|50,000\.)(?=\\n|<)/g, `${end}The end.`);
		const [prepared] = await prepare(JSON.parse(longer) as INodeExecutionData[]);
		const { kind, text = '', attached } = prepared?.json ?? {};
		const shown = text as string;
		expect({ kind, attached: [attached].flat()[0], length: shown.length < 7_100 }).toEqual({
			...{ kind: 'question', attached: 'email.txt', length: true },
		});
		const whole = String(prepared?.binary?.attachment_0?.data);
		expect([shown.slice(0, 5_000), shown.slice(-2_000)]).toEqual([
			whole.slice(0, 5_000),
			whole.slice(-2_000),
		]);
		expect(shown).toMatch(
			/^From Dana Ortiz <dana.ortiz@example.com>, [^]*\n\n\[.*email\.txt\]\n\n[^]*The end\./,
		);
	},
);

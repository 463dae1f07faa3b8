import fc from 'fast-check';
import type { INodeExecutionData } from 'n8n-workflow';

import { emails, prepare } from '../../support/email/emails.mts';
import { programs } from '../../support/email/programs.mts';

/** Pieces of an email, one of them left out or doubled. */
const repeat = (pieces: string[], at: number, times: number) =>
	pieces
		.map((piece, index) => (index === Math.floor(at * pieces.length) ? piece.repeat(times) : piece))
		.join('');

/** The names of the files of items. */
const listFileNames = (items: INodeExecutionData[]) =>
	items.flatMap(({ binary = {} }) => Object.values(binary)).map(({ fileName }) => fileName);

/** Damage that an email takes on its way, at a place between 0 and 1. */
const changes: Record<string, (email: string, at: number) => string> = {
	'a header is dropped': (email, at) => {
		const end = email.search(/\r?\n\r?\n/);
		return repeat(email.slice(0, end).split(/(?<=\n)(?![ \t])/), at, 0) + email.slice(end);
	},
	'a part is doubled': (email, at) => repeat(email.split(/^(?=--part-\S+\s*$)/m), at, 2),
	'a byte is lost': (email, at) => repeat(email.split(''), at, 0),
	'lines end with a line feed': (email) => email.replaceAll(/\r?\n/g, '\n'),
	'lines end with a carriage return and a line feed': (email) => email.replaceAll(/\r?\n/g, '\r\n'),
};

test.each(Object.entries(changes))(
	'%s: nothing throws, and no contract is lost',
	async (_what, change) => {
		await fc.assert(
			fc.asyncProperty(
				fc.constantFrom(...emails.keys()),
				fc.constantFrom(...Object.values(programs)),
				fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
				async (name, give, at) => {
					const email = emails.get(name)?.toString('latin1') ?? '';
					const items = await give(Buffer.from(change(email, at), 'latin1'));
					const prepared = await prepare(items);
					expect(prepared).toHaveLength(1);
					const { json = {} } = prepared[0] ?? {};
					// Half of a character, as in a text that was cut, is refused by who reads UTF-8.
					expect(JSON.stringify(json)).not.toMatch(/\\ud[89a-f]/);
					const { attached, unread } = json;
					const named = [attached, unread]
						.flat()
						.map((each) => (each as string).replace(/ \([^()]*\)$/, ''));
					// Each is attached, or named among what is not.
					const contracts = listFileNames(items).filter((each) =>
						/^(?!\._).*\.(docx?|pdf|zip)$/i.test(each ?? ''),
					);
					expect(named).toEqual(expect.arrayContaining(contracts));
					expect(listFileNames(prepared).sort()).toEqual([attached].flat().sort());
				},
			),
		);
	},
);

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
		const { kind, text, attached } = prepared?.json ?? {};
		const shown = text as string;
		expect([kind, [attached].flat()[0]]).toEqual(['question', 'email.txt']);
		expect(shown.length).toBeLessThan(7_100);
		const whole = String(prepared?.binary?.attachment_0?.data);
		const parts = [whole, shown].map((each) => [each.slice(0, 5_000), each.slice(-2_000)]);
		expect(parts[1]).toEqual(parts[0]);
		expect(shown).toMatch(
			/^From Dana Ortiz <dana.ortiz@example.com>, [^]*\n\n\[.*email\.txt\]\n\n[^]*The end\./,
		);
	},
);

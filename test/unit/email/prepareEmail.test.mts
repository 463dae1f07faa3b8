import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { emails, prepare } from '../../support/email/emails.mts';
import { programs } from '../../support/email/programs.mts';
import expected from './expected.json' with { type: 'json' };

/** The line below a text. */
const NOT_ATTACHED = /\n\n\[Not attached: [^\n]*\]$/;

/** Picks out what the table has: the beginning of the text, and only the values that differ between emails. */
function summary({ json }: INodeExecutionData) {
	const { kind, subject, text, sender, is_colleague, attached, unread, message_id } = json;
	const [title = '', ...body] = (text as string).replace(NOT_ATTACHED, '').split('\n\n');
	return {
		...{ kind, subject, text: Array.from(body.join('\n\n')).slice(0, 300).join('') },
		...(sender !== 'dana.ortiz@example.com' && { sender }),
		...(is_colleague !== true && { is_colleague }),
		...{ attached, unread, message_id },
		isSaid:
			title.includes(sender as string) && title.includes('(not a colleague)') === !is_colleague,
	};
}

test('the emails that are read here are those of which it is said what becomes of them', () => {
	expect([...emails.keys()].sort()).toEqual(Object.keys(expected).sort());
});

test.each(Object.entries(programs))(
	'%s: how an email reads, what becomes of it, and what goes with it',
	async (program, give) => {
		const made: Record<string, unknown> = {};
		const wanted: Record<string, unknown> = {};
		for (const [name, { in: differences, ...common }] of Object.entries<Expected>(expected)) {
			const prepared = await prepare(await give(emails.get(name) ?? Buffer.of()));
			made[name] = prepared.map(summary);
			const message_id = `<${name}@mail.example>`;
			wanted[name] = [{ message_id, isSaid: true, ...common, ...differences?.[program] }];
		}
		expect(made).toEqual(wanted);
	},
);

test.each(Object.entries(programs))(
	'%s: of several emails, a file goes with its own, or with none',
	async (_, give) => {
		const [ann, bob] = await Promise.all(
			['gmail-question', 'words-like-a-banner'].map(
				async (name) => await give(emails.get(name) ?? Buffer.of()),
			),
		);
		const prepareFiles = async (items: typeof ann = []) =>
			(await prepare(items)).map(({ pairedItem, json }) => [pairedItem, json.attached]);
		expect(await prepareFiles([...(ann ?? []), ...(bob ?? [])])).toEqual([
			[{ item: 0 }, ['Mutual NDA.pdf']],
			[{ item: ann?.length }, []],
		]);
	},
);

const recipient = (address: string) => ({ emailAddress: { address } });

/** The text of an email as Microsoft Outlook gives it, to these addresses. */
async function readText(to: string[], more: IDataObject = {}) {
	const json = {
		body: { contentType: 'text', content: 'May we sign?' },
		...{ from: recipient('dana@example.com'), toRecipients: to.map(recipient), ...more },
	};
	const [item] = await prepare([{ json }]);
	return item?.json.text;
}

const others = (count: number) =>
	Array.from({ length: count }, (_, index) => `colleague.${index}@example.com`);

test.each([
	['ten', 10, /^From <dana@example\.com>, to (colleague\.\d@example\.com(, |:)){10}\n\nMay/],
	['eleven', 11, /, colleague\.9@example\.com and 1 more:\n\nMay we sign\?$/],
	['hundreds', 900, /, colleague\.9@example\.com and 890 more:\n\nMay we sign\?$/],
])('the title names at most ten recipients: of %s', async (_, count, text) => {
	expect(await readText(others(count))).toMatch(text);
});

const latin = 'The cap is "12" months. '.repeat(1_000);
const cyrillic = 'Срок действия договора. '.repeat(1_000);

test.each([
	['no file, in Base64', latin, 2 * 1.4 * latin.length, []],
	['no file, in letters of three bytes each', cyrillic, 6 * Buffer.byteLength(cyrillic), []],
	['a file of 40 kB', latin, 2 * 1.1 * latin.length + 55_000, ['attachments (not downloaded)']],
])('Gmail says how large an email is: %s', async (_, text, sizeEstimate, unread) => {
	const html = `<p>${text}</p>`;
	const json = { html, text, textAsHtml: html, sizeEstimate };
	expect((await prepare([{ json }]))[0]?.json.unread).toEqual(unread);
});

const receivedDateTime = '2026-11-26T14:59:12Z';

test.each<[string, string[], IDataObject, string]>([
	['date', ['legal@example.com'], {}, 'From <dana@example.com>, to legal@example.com:'],
	['recipient', [], { receivedDateTime }, 'From <dana@example.com>, Thu, 26 Nov 2026, 14:59:'],
	['recipient with an address', [''], {}, 'From <dana@example.com>:'],
	['date and no recipient', [], {}, 'From <dana@example.com>:'],
])('the title of an email without a %s leaves it out', async (_, to, more, title) => {
	expect(await readText(to, more)).toBe(`${title}\n\nMay we sign?`);
});

interface Expected {
	kind: string;
	/** Differences with some of n8n's nodes. */
	in?: Record<string, object | undefined>;
}

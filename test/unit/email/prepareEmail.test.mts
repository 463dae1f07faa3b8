import type { PreparedEmail } from '../../../nodes/LegalAi/email/prepareEmail.ts';
import { emails, prepare } from '../../support/email/emails.mts';
import { programs } from '../../support/email/programs.mts';
import expected from './expected.json' with { type: 'json' };

/** What the table says of an email: lines and long texts cut, and of what is the same in most of them nothing. */
function summary({ kind, item: { json } }: PreparedEmail) {
	const { subject, text, history, sender, is_colleague, answers_us, attached, unread } = json;
	const { message_id } = json;
	const short = (value: unknown, length: number) =>
		String(value).replaceAll(/\s+/g, ' ').slice(0, length);
	return {
		kind,
		subject,
		text: short(text, 300),
		...(history !== '' && { history: short(history, 60) }),
		...(sender !== 'dana.ortiz@example.com' && { sender }),
		...(is_colleague !== true && { is_colleague }),
		...(answers_us !== false && { answers_us }),
		attached,
		unread,
		message_id,
	};
}

test('the emails that are read here are those of which it is said what becomes of them', () => {
	expect([...emails.keys()].sort()).toEqual(Object.keys(expected).sort());
});

test.each(Object.entries(programs))(
	'%s: what an email asks, and what goes with it',
	async (program, give) => {
		const made: Record<string, unknown> = {};
		const wanted: Record<string, unknown> = {};
		for (const [name, { in: differences, ...common }] of Object.entries<Expected>(expected)) {
			const prepared = await prepare(await give(emails.get(name) ?? Buffer.of()));
			made[name] = prepared.map(summary);
			const message_id = `<${name}@mail.example>`;
			wanted[name] = [{ message_id, ...common, ...differences?.[program] }];
		}
		expect(made).toEqual(wanted);
	},
);

test('a name is no address, and files that were not downloaded are missed: what IMAP gives as texts', async () => {
	const [email] = await prepare([
		{
			json: {
				metadata: { 'content-type': 'multipart/mixed' },
				...{ textPlain: 'May we sign?', to: 'legal@example.com' },
				from: '"legal@example.com, Dana" dana@example.com <mallory@meridian.example>',
			},
		},
	]);
	expect(email?.item.json).toMatchObject({
		kind: 'unreadable',
		...{ sender: 'mallory@meridian.example', is_colleague: false },
		unread: ['attachments (not downloaded)'],
	});
});

interface Expected {
	kind: string;
	/** What is different with some of n8n's nodes. */
	in?: Record<string, object | undefined>;
}

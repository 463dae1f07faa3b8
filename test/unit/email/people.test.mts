import type { IDataObject } from 'n8n-workflow';

import { emails, prepare } from '../../support/email/emails.mts';
import { programs } from '../../support/email/programs.mts';

interface Given {
	from?: string;
	name?: string;
	replyTo?: string;
	to?: string;
	cc?: string;
	headers?: Record<string, string>;
}

const recipient = (address: string, name = '') => ({ emailAddress: { address, name } });

/** An email as Microsoft Outlook gives it. */
const email = ({ from = 'dana@example.com', name, replyTo, to, cc, headers = {} }: Given) => ({
	json: {
		body: { contentType: 'text', content: 'May we sign?' },
		from: recipient(from, name),
		replyTo: replyTo ? [recipient(replyTo, 'Vic Vendor')] : [],
		toRecipients: [recipient(to ?? 'legal@example.com')],
		ccRecipients: cc ? [recipient(cc)] : [],
		internetMessageHeaders: Object.entries(headers).map(([key, value]) => ({ name: key, value })),
	} as IDataObject,
});

async function read(given: Given, settings: Parameters<typeof prepare>[1] = {}) {
	const [item] = await prepare([email(given)], settings);
	return item?.json ?? {};
}

describe('an email is to us, in whatever form our address is', () => {
	test.each([
		['legal@example.com', 'Legal@EXAMPLE.com'],
		['legal@localhost', 'legal@localhost'],
		['legal@example.com', 'legal+nda@example.com'],
		['legal+nda@example.com', 'legal+nda@example.com'],
		['Legal <legal+NDA@example.com>', 'legal+nda@example.com'],
		['legal@example.com', '"legal"@example.com'],
		['legal@example.com', "'legal@example.com'"],
		['legal@example.com', 'legal@example.com.'],
		['legal@example.com.', 'legal@example.com'],
		['legal@münchen.example', 'legal@xn--mnchen-3ya.example'],
		['legal@xn--mnchen-3ya.example', 'Legal@München.example'],
		['"Lee, Ann" <ann@example.com>, <legal@example.com>', 'legal@example.com'],
		['=?UTF-8?Q?Recht_=26_Compliance?= <legal@example.com>', 'legal@example.com'],
		['mailto:legal@example.com', 'legal@example.com'],
		['contracts@example.com; legal@example.com', 'legal@example.com'],
		['["contracts@example.com", "legal@example.com"]', 'legal@example.com'],
	])('%s in the settings, %s in the email', async (ourAddresses, to) => {
		expect((await read({ to }, { ourAddresses })).kind).toBe('question');
		expect((await read({ from: to }, { ourAddresses })).kind).toBe('own');
	});
});

test.each([
	['legal+nda@example.com', 'legal@example.com'],
	['legal+nda@example.com', 'legal+dpa@example.com'],
	['legal@example.com', 'paralegal@example.com'],
	['legal@example.com', 'legal@mail.example.com'],
	['legal@example.com', 'legal@example.com.evil.example'],
])('%s in the settings is not %s', async (ourAddresses, to) => {
	expect((await read({ to }, { ourAddresses })).kind).toBe('copy');
});

test('the line above the text says nothing of a time or of recipients that an email does not have', async () => {
	expect((await read({ to: '' })).text).toBe('From <dana@example.com>:\n\nMay we sign?');
});

test.each([
	['a long name is cut', 'Vic '.repeat(2_000), `${'Vic '.repeat(25)}…`],
	['a name is on one line', 'Vic\n\nPlease sign', 'Vic Please sign'],
])('in the line above the text, %s', async (_, name, shown) => {
	const { text } = await read({ name });
	expect(text).toBe(`From ${shown} <dana@example.com>, to legal@example.com:\n\nMay we sign?`);
});

test.each(Object.entries(programs))(
	'%s: an address of ours that has a tag stands for itself, as recipient and as sender',
	async (_, give) => {
		const kinds = await Promise.all(
			['to-our-tag', 'from-our-tag', 'gmail-question'].map(async (name) => {
				const items = await give(emails.get(name) ?? Buffer.of());
				const [item] = await prepare(items, { ourAddresses: 'legal+nda@example.com' });
				return item?.json.kind;
			}),
		);
		expect(kinds).toEqual(['question', 'own', 'copy']);
	},
);

test.each([
	['*@example.com', '"*@example.com", which is not a full email address'],
	['legal@*.example.com', '"legal@*.example.com", which is not a full email address'],
	['@example.com', '"@example.com", which is not a full email address'],
	['legal@', '"legal@", which is not a full email address'],
	['legal@example.com, example.com', '"example.com", which is not a full email address'],
	['legal(at)example.com', '"legal(at)example.com", which is not a full email address'],
])('"Our Addresses" that can match nothing are an error: %s', async (ourAddresses, message) => {
	await expect(read({}, { ourAddresses })).rejects.toMatchObject({
		message: `"Our Addresses" has ${message}`,
		description: expect.stringContaining('e.g. legal@example.com') as string,
	});
});

test.each(['*@example.com', '*.example.com', '*', 'Example', 'legal@', '@', 'ann@*.example.com'])(
	'"Colleagues" that can match nobody are an error: %s',
	async (colleagues) => {
		await expect(read({}, { colleagues })).rejects.toMatchObject({
			message: `"Colleagues" has "${colleagues}", which is not a domain`,
			description: expect.stringContaining('e.g. example.com') as string,
		});
	},
);

test.each([',', ';\n,', '""'])(
	'"Colleagues" without a domain are an error: %j',
	async (colleagues) => {
		await expect(read({}, { colleagues })).rejects.toMatchObject({
			message: `"Colleagues" has "${colleagues}", which is not a domain`,
		});
	},
);

test.each([
	['', true],
	[' \n', true],
	['example.com', true],
	['@example.com', true],
	['dana@example.com', true],
	['EXAMPLE.com.', true],
	['example.de, example.com', true],
	['Dana <dana@example.com>', true],
	['example.de', false],
	['mail.example.com', false],
])('colleagues in %s: %s', async (colleagues, isColleague) => {
	expect((await read({}, { colleagues })).is_colleague).toBe(isColleague);
});

describe('an email that somebody redirects to us is one to us', () => {
	const vendor = { from: 'vic@vendor.example', to: 'ann@example.com' };
	test.each<[string, Given, string]>([
		[
			'Apple Mail, Thunderbird',
			{ headers: { 'Resent-To': 'Legal <legal@example.com>' } },
			'question',
		],
		[
			'to several',
			{ headers: { 'Resent-To': '"Lee, Bo" <bo@example.com>,\r\n legal+nda@example.com' } },
			'question',
		],
		['Gmail', { headers: { 'X-Forwarded-To': 'legal@example.com' } }, 'question'],
		[
			'Exchange',
			{
				headers: {
					'Resent-From': '<ann@example.com>',
					'Auto-Submitted': 'auto-generated',
					'X-MS-Exchange-Generated-Message-Source': 'Mailbox Rules Agent',
				},
			},
			'question',
		],
		[
			'to somebody else',
			{ headers: { 'Resent-From': 'ann@example.com', 'Resent-To': 'bo@example.com' } },
			'copy',
		],
		['as a copy', { cc: 'legal@example.com' }, 'copy'],
		['never', {}, 'copy'],
		[
			'an internal address of Exchange',
			{ to: 'IMCEAEX-_o=Ex_cn=legal@eurprd01.prod.outlook.com' },
			'question',
		],
	])('%s', async (_, given, kind) => {
		const { kind: found, sender } = await read({ ...vendor, ...given });
		expect({ kind: found, sender }).toEqual({ kind, sender: 'vic@vendor.example' });
	});
});

test.each([
	['vic@vendor.example', false],
	['dana@example.com', true],
])(
	'what another group of the company passes on to us is from who has written it: %s',
	async (author, isColleague) => {
		const given = {
			...{ from: 'intake@example.com', name: "'Vic Vendor' via Intake", replyTo: author },
			headers: { 'X-Original-Sender': author, 'List-ID': '<intake.example.com>' },
		};
		const { kind, sender, is_colleague } = await read(given);
		expect(kind).toBe('question');
		expect({ sender, is_colleague }).toEqual({ sender: author, is_colleague: isColleague });
	},
);

describe('what our own group writes into From is not us', () => {
	const group = { from: 'legal@example.com', name: "'Vic Vendor' via Legal" };
	test.each<[string, Given, string]>([
		[
			'Google',
			{ headers: { 'X-Original-Sender': 'vic@vendor.example' } },
			'From Vic Vendor <vic@vendor.example> (not a colleague), ',
		],
		[
			'Mailman',
			{ replyTo: 'vic@vendor.example' },
			'From Vic Vendor <vic@vendor.example> (not a colleague), ',
		],
		[
			'Google, a colleague',
			{ name: "'Dana' via Legal", headers: { 'X-Original-Sender': 'dana@example.com' } },
			'From Dana <dana@example.com>, ',
		],
	])('%s: the question of who has written it, by name', async (_, given, title) => {
		const { kind, text } = await read({ ...group, ...given });
		expect(kind).toBe('question');
		expect(text).toMatch(title);
	});

	test.each<[string, Given, string]>([
		['our own email through it', { headers: { 'X-Original-Sender': 'legal@example.com' } }, 'own'],
		[
			'a program that takes no replies',
			{ headers: { 'X-Original-Sender': 'no-reply@vendor.example' } },
			'automatic',
		],
		['our own email, to whose sender nobody can reply', { replyTo: 'no-reply@example.com' }, 'own'],
		[
			'our own email through it, to which a vendor is to be answered',
			{ replyTo: 'vic@vendor.example', headers: { 'X-Original-Sender': 'legal@example.com' } },
			'own',
		],
		[
			'what a list in another language passes on',
			{
				...{ name: 'Vic Vendor über Legal', replyTo: 'vic@vendor.example' },
				headers: { 'List-Id': '<legal.example.com>' },
			},
			'question',
		],
	])('%s', async (_, given, kind) => {
		expect((await read({ ...group, ...given })).kind).toBe(kind);
	});
});

test('what a form on our website sends is from who has filled it in, and no colleague', async () => {
	const form = {
		from: 'wordpress@example.com',
		name: 'Our website',
		replyTo: 'vic@vendor.example',
	};
	expect(await read(form)).toMatchObject({
		...{ kind: 'question', sender: 'vic@vendor.example', is_colleague: false },
	});
});

test('an email without a sender is from an unknown one', async () => {
	const { text } = await read({ from: '' });
	expect(text).toMatch(/^From an unknown sender \(not a colleague\), to legal/);
});

test.each(['Legal', '', 'Contract forms'])(
	'what we have sent ourselves is our own, whoever is to be answered: %j',
	async (name) => {
		const own = { from: 'legal@example.com', name, replyTo: 'vic@vendor.example' };
		expect(await read(own)).toMatchObject({ kind: 'own', sender: 'legal@example.com' });
	},
);

test.each([
	['Precedence', 'auto_reply'],
	['Precedence', 'auto-reply'],
	['Auto-Submitted', 'auto-replied; owner-email="dana@example.com"'],
	['X-Autoreply', 'yes'],
	['X-Autogenerated', 'Reply'],
	['X-Precedence', 'auto_reply'],
	['X-POST-MessageClass', '9; Autoresponder'],
])("a colleague's automatic reply is told by its header: %s: %s", async (name, value) => {
	expect((await read({ headers: { [name]: value } })).kind).toBe('automatic');
});

test.each([
	['Precedence', 'bulk'],
	['Auto-Submitted', 'no'],
	['Auto-Submitted', 'auto-generated'],
	['X-Auto-Response-Suppress', 'All'],
])("a colleague's question stays one with %s: %s", async (name, value) => {
	expect((await read({ headers: { [name]: value } })).kind).toBe('question');
});

import { prepare } from '../../support/email/emails.mts';
import { programs } from '../../support/email/programs.mts';

interface Given {
	from?: string;
	to?: string;
	/** More lines of the header. */
	headers?: string[];
	text?: string;
	html?: string;
	files?: [name: string, type: string, content?: string][];
}

interface Wanted {
	kind: string;
	/** Its text without the line above it. */
	text?: string;
	attached?: string[];
	unread?: string[];
}

const PDF = '%PDF-1.4\ntrailer << /Root 1 0 R >>\n%%EOF';

/** An email as a mail server stores it. */
function write({ from, to, headers = [], text, html, files = [] }: Given) {
	const body = [
		`Content-Type: ${html === undefined ? 'text/plain' : 'text/html'}; charset=utf-8`,
		'Content-Transfer-Encoding: 8bit',
		'',
		html ?? text ?? 'May we sign?',
	];
	const head = [
		...headers,
		`From: ${from ?? 'Noor Haddad <noor.haddad@example.com>'}`,
		`To: ${to ?? 'Legal <legal@example.com>'}`,
		...['Subject: Supply agreement', 'Date: Mon, 09 Nov 2026 08:12:00 +0000'],
		...['Message-ID: <many@mail.example>', 'MIME-Version: 1.0'],
	];
	if (files.length === 0) return Buffer.from([...head, ...body].join('\r\n'));
	const parts = files.map(([name, type, content = PDF]) => [
		'--part',
		`Content-Type: ${type}; name="${name}"`,
		`Content-Disposition: attachment; filename="${name}"`,
		...['Content-Transfer-Encoding: base64', '', Buffer.from(content).toString('base64')],
	]);
	return Buffer.from(
		[
			...head,
			...['Content-Type: multipart/mixed; boundary="part"', '', '--part', ...body],
			...parts.flat(),
			...['--part--', ''],
		].join('\r\n'),
	);
}

const VENDOR = 'Iris Vos <iris@polder.example>';
const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

const rows: [what: string, given: Given, wanted: Wanted][] = [
	['a colleague, in one line', {}, { kind: 'question', text: 'May we sign?' }],
	[
		'a colleague, from a phone',
		{ text: 'ok to sign?\n\nSent from my iPhone' },
		{ kind: 'question', text: 'ok to sign?\n\nSent from my iPhone' },
	],
	[
		'Outlook: paragraphs of Word',
		{
			html: '<div class=WordSection1><p class=MsoNormal>Hi team,<o:p></o:p></p><p class=MsoNormal><o:p>&nbsp;</o:p></p><p class=MsoNormal>Is 7.2 fine?<o:p></o:p></p></div>',
		},
		{ kind: 'question', text: 'Hi team,\n\nIs 7.2 fine?' },
	],
	[
		'Outlook: a numbered list as Word writes it',
		{
			html: '<p class=MsoListParagraph><![if !supportLists]><span>(a)<span style="font:7.0pt">&nbsp;&nbsp; </span></span><![endif]>Cap</p><p class=MsoListParagraph><![if !supportLists]><span>(b)<span>&nbsp;&nbsp; </span></span><![endif]>Law</p>',
		},
		{ kind: 'question', text: '(a)   Cap\n(b)   Law' },
	],
	[
		'Gmail: an answer above a quotation',
		{
			html: '<div dir="ltr">Fine for me.</div><br><div class="gmail_quote"><div dir="ltr" class="gmail_attr">On Mon, Iris wrote:<br></div><blockquote class="gmail_quote" style="margin:0 0 0 .8ex"><div>Cap of 12 months?</div></blockquote></div>',
		},
		{ kind: 'question', text: 'Fine for me.\n\nOn Mon, Iris wrote:\n> Cap of 12 months?' },
	],
	[
		'Apple Mail: divs and empty lines',
		{
			html: '<body style="overflow-wrap: break-word;"><div>Dear all,</div><div><br></div><div>Please check the <b>term</b>.</div></body>',
		},
		{ kind: 'question', text: 'Dear all,\n\nPlease check the term.' },
	],
	[
		'Thunderbird: plain text as HTML',
		{
			html: '<div class="moz-text-flowed"><pre class="moz-quote-pre" wrap="">Term:   3 years\nCap:    12 months</pre></div>',
		},
		{ kind: 'question', text: 'Term:   3 years\nCap:    12 months' },
	],
	[
		'Google Docs: a list with letters on its items',
		{
			html: '<ol style="margin:0"><li dir="ltr" style="list-style-type:lower-alpha">Cap</li><li dir="ltr" style="list-style-type:lower-alpha">Law</li></ol>',
		},
		{ kind: 'question', text: 'a. Cap\nb. Law' },
	],
	[
		'a table of terms',
		{
			html: '<table><tr><th>Clause</th><th>Ours</th></tr><tr><td>7</td><td>12 months</td></tr></table>',
		},
		{ kind: 'question', text: 'Clause | Ours\n7 | 12 months' },
	],
	[
		'a change that is struck out',
		{ html: '<p>Notice: <s>30</s> <u>60</u> days</p>' },
		{ kind: 'question', text: 'Notice: ~~30~~ 60 days' },
	],
	[
		'a preview text that nobody sees',
		{ html: '<div style="display:none;max-height:0">View in browser</div><p>Can we end it?</p>' },
		{ kind: 'question', text: 'Can we end it?' },
	],
	[
		'an answer in Finnish',
		{ text: 'Voimmeko allekirjoittaa?\n\nYstävällisin terveisin\nNoor' },
		{ kind: 'question', text: 'Voimmeko allekirjoittaa?\n\nYstävällisin terveisin\nNoor' },
	],
	[
		'an answer in Arabic',
		{ text: 'هل يمكننا التوقيع؟' },
		{ kind: 'question', text: 'هل يمكننا التوقيع؟' },
	],
	[
		'nothing but a file',
		{ text: '', files: [['Supply.docx', DOCX, 'PK']] },
		{ kind: 'question', text: '', attached: ['Supply.docx'] },
	],
	[
		'a file by its extension alone',
		{ files: [['Supply.pdf', 'application/octet-stream']] },
		{ kind: 'question', attached: ['Supply.pdf'] },
	],
	[
		'contracts before a spreadsheet and a picture',
		{
			files: [
				['plan.jpg', 'image/jpeg', 'x'.repeat(30_000)],
				['prices.csv', 'text/csv', 'a,b'],
				['Supply.pdf', 'application/pdf'],
			],
		},
		{ kind: 'question', attached: ['Supply.pdf', 'prices.csv', 'plan.jpg'] },
	],
	[
		'a card beside a contract',
		{
			files: [
				['Noor.vcf', 'text/vcard', 'BEGIN:VCARD'],
				['Supply.pdf', 'application/pdf'],
			],
		},
		{ kind: 'question', attached: ['Supply.pdf'] },
	],
	[
		'a footer of Exchange beside a contract',
		{
			files: [
				['ATT00001.txt', 'text/plain', 'Confidential.'],
				['Supply.pdf', 'application/pdf'],
			],
		},
		{ kind: 'question', attached: ['Supply.pdf', 'ATT00001.txt'] },
	],
	[
		'a file of Pages',
		{ files: [['Supply.pages', 'application/vnd.apple.pages', 'PK']] },
		{ kind: 'unreadable', unread: ['Supply.pages (a file of an unknown type)'] },
	],
	[
		'an empty file',
		{ files: [['Supply.docx', DOCX, '']] },
		{ kind: 'unreadable', unread: ['Supply.docx (an empty file)'] },
	],
	[
		'an attached email of Outlook',
		{ files: [['Offer.msg', 'application/vnd.ms-outlook', 'x']] },
		{ kind: 'unreadable', unread: ['Offer.msg (an attached email)'] },
	],
	[
		'a link to a folder in SharePoint',
		{ text: 'All drafts: https://acme.sharepoint.com/:f:/s/legal/EpQ' },
		{
			kind: 'unreadable',
			unread: ['https://acme.sharepoint.com/:f:/s/legal/EpQ (a link to a file)'],
		},
	],
	[
		'a link to a page of rules',
		{ text: 'As in https://law.example/act/12?' },
		{ kind: 'question', text: 'As in https://law.example/act/12?' },
	],
	[
		'a link that a gateway has rewritten',
		{
			html: '<a href="https://nam02.safelinks.protection.outlook.com/?url=https%3A%2F%2Flaw.example%2Fact&amp;data=05">the act</a>',
		},
		{ kind: 'question', text: 'the act <https://law.example/act>' },
	],
	[
		'a page of an archive',
		{ text: 'https://archive.ph/2021/https://polder.example/terms' },
		{ kind: 'question', text: 'https://archive.ph/2021/https://polder.example/terms' },
	],
	[
		'to a tag of ours, among others',
		{ to: 'Bo <bo@example.com>, "Legal, NDA" <Legal+NDA@Example.com>' },
		{ kind: 'question' },
	],
	[
		'to us in a group of addresses',
		{ to: 'Team: bo@example.com, legal@example.com;' },
		{ kind: 'question' },
	],
	[
		'to us between quotation marks',
		{ to: '"legal@example.com" <legal@example.com>' },
		{ kind: 'question' },
	],
	[
		'to others, we are in Cc',
		{ to: 'bo@example.com', headers: ['Cc: legal@example.com'] },
		{ kind: 'copy' },
	],
	['to others, we are in Bcc', { to: 'bo@example.com' }, { kind: 'copy' }],
	[
		'redirected by Apple Mail',
		{
			from: VENDOR,
			to: 'bo@example.com',
			headers: ['Resent-From: Bo <bo@example.com>', 'Resent-To: Legal <legal@example.com>'],
		},
		{ kind: 'question' },
	],
	[
		'forwarded by a rule of Gmail',
		{
			from: VENDOR,
			to: 'bo@example.com',
			headers: [
				'X-Forwarded-To: legal@example.com',
				'X-Forwarded-For: bo@example.com legal@example.com',
			],
		},
		{ kind: 'question' },
	],
	['our own, in Sent', { from: 'Legal <legal@example.com>', to: VENDOR }, { kind: 'own' }],
	['our own, from a tag', { from: 'legal+nda@example.com', to: VENDOR }, { kind: 'own' }],
	[
		'through our group, which writes its address',
		{
			from: `"'Iris Vos' via Legal" <legal@example.com>`,
			headers: ['X-Original-Sender: iris@polder.example', 'List-ID: <legal.example.com>'],
		},
		{ kind: 'question' },
	],
	[
		'through our list in Mailman',
		{
			from: 'Iris Vos via Legal <legal@example.com>',
			headers: [
				'Reply-To: Iris Vos <iris@polder.example>',
				'List-Id: Legal <legal.example.com>',
				'Precedence: list',
			],
		},
		{ kind: 'question' },
	],
	[
		'an absence note of Gmail',
		{ headers: ['Auto-Submitted: auto-replied', 'Precedence: bulk', 'X-Autoreply: yes'] },
		{ kind: 'automatic' },
	],
	[
		'an absence note of Exchange',
		{ headers: ['X-Auto-Response-Suppress: All', 'Auto-Submitted: auto-generated'] },
		{ kind: 'automatic' },
	],
	[
		'an absence note of Sieve',
		{ headers: ['Auto-Submitted: auto-replied (vacation)'] },
		{ kind: 'automatic' },
	],
	[
		'an absence note of cPanel',
		{ headers: ['X-Autorespond: Supply agreement', 'Precedence: auto_reply'] },
		{ kind: 'automatic' },
	],
	[
		'a newsletter',
		{
			from: 'News <hello@news.example>',
			headers: ['List-Unsubscribe: <https://news.example/u>', 'Precedence: bulk'],
		},
		{ kind: 'automatic' },
	],
	[
		'a ticket system, from a colleague',
		{ headers: ['Auto-Submitted: auto-generated', 'X-Zammad-Ticket: 12'] },
		{ kind: 'question' },
	],
	[
		'a ticket system of others',
		{ from: 'Support <support@desk.example>', headers: ['Auto-Submitted: auto-generated'] },
		{ kind: 'automatic' },
	],
	[
		'a scanner with a contract',
		{
			from: 'scanner@print.example',
			headers: ['Auto-Submitted: auto-generated'],
			files: [['Scan.pdf', 'application/pdf']],
		},
		{
			kind: 'unreadable',
			attached: ['Scan.pdf'],
			unread: ['scanner@print.example (an automatic email)'],
		},
	],
	[
		'a bounce',
		{ from: 'Mail Delivery System <MAILER-DAEMON@mx.example>', headers: ['Return-Path: <>'] },
		{ kind: 'automatic' },
	],
	[
		'DocuSign',
		{ from: 'DocuSign <dse@eumail.docusign.net>', files: [['Supply.pdf', 'application/pdf']] },
		{ kind: 'automatic', attached: ['Supply.pdf'] },
	],
	['a code to log in', { from: 'no-reply@bank.example' }, { kind: 'automatic' }],
	['a vendor asks', { from: VENDOR }, { kind: 'question' }],
	[
		'a vendor through a form on our website',
		{
			from: 'Website <no-reply@example.com>',
			headers: ['Reply-To: Iris Vos <iris@polder.example>'],
		},
		{ kind: 'question' },
	],
	[
		'a name in other letters',
		{ from: '=?UTF-8?B?5L2Q6Jek?= <sato@example.com>' },
		{ kind: 'question' },
	],
];

test.each(rows)('%s', async (_, given, { kind, text, attached = [], unread = [] }) => {
	for (const [program, give] of Object.entries(programs)) {
		const [item] = await prepare(await give(write(given)));
		const { json = {} } = item ?? {};
		const [, ...body] = (json.text as string)
			.replace(/\n\n\[Not attached: .*\]$/, '')
			.split('\n\n');
		expect({ program, kind: json.kind, attached: json.attached, unread: json.unread }).toEqual({
			...{ program, kind, attached, unread },
		});
		if (text !== undefined) expect(body.join('\n\n')).toBe(text);
	}
});

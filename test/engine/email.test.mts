import type { IDataObject, INode, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { LEGAL_AI_EMAIL, runNode, textWith } from '../support/fixtures.mts';

/** An email as the Gmail node gives it. */
const email = (more: IDataObject = {}, headers: IDataObject = {}) => ({
	json: {
		...{ id: '18f2', html: false, text: 'May we sign?', subject: 'NDA' },
		headers: { 'message-id': 'Message-ID: <1@example.com>', ...headers },
		from: { value: [{ address: 'dana@example.com', name: 'Dana' }] },
		to: { value: [{ address: 'legal@example.com', name: 'Legal' }] },
		...more,
	},
});
const link = email({ text: 'May we sign https://we.tl/t-AbC123?' });
const away = email(
	{ subject: 'Automatic reply: NDA' },
	{ 'auto-submitted': 'Auto-Submitted: auto-replied' },
);
const ourGroup = email({}, { 'list-id': 'List-ID: Legal <legal.example.com>' });

async function run(
	items: INodeExecutionData[],
	{ onError, ...parameters }: IDataObject & Pick<INode, 'onError'> = {},
) {
	const type = { type: LEGAL_AI_EMAIL, typeVersion: 1, credentials: undefined };
	return await runNode({
		// It sends no request.
		service: { baseUrl: '', apiKey: '', webhookSecret: '' },
		items,
		parameters: { ourAddresses: 'legal@example.com', ...parameters } as INodeParameters,
		node: { ...type, onError },
	});
}

test('each email comes out where it belongs, by a list of addresses', async () => {
	const ourAddresses = '={{ ["contracts@example.com", "Legal@example.com"] }}';
	const { outputs } = await run([email(), link, away, ourGroup], { ourAddresses });
	expect(
		outputs.map((items) => items.map(({ json, pairedItem }) => [json.kind, pairedItem])),
	).toEqual([
		[
			['question', { item: 0 }],
			['question', { item: 3 }],
		],
		[['unreadable', { item: 1 }]],
		[['automatic', { item: 2 }]],
	]);
});

test('one line says whose email it is, when it was sent, and to whom; those of others may need a person', async () => {
	const vic = email(
		{ from: { value: [{ address: 'Vic@vendor.example', name: 'Vic Vendor' }] } },
		{ date: 'Date: Thu, 26 Nov 2026 15:59:12 +0100' },
	);
	const { items } = await run([vic], { emailsFromOthers: 'question' });
	expect(items[0]?.json).toMatchObject({
		...{ sender: 'vic@vendor.example', is_colleague: false, subject: 'NDA', unread: [] },
		text: 'From Vic Vendor <vic@vendor.example> (not a colleague), Thu, 26 Nov 2026, 15:59, to legal@example.com:\n\nMay we sign?',
	});
	const { outputs } = await run([vic, email()], { emailsFromOthers: 'person' });
	expect(outputs.map((each) => each.map(({ json }) => [json.kind, json.unread]))).toEqual([
		[['question', []]],
		[['unreadable', ['vic@vendor.example (not a colleague)']]],
		[],
	]);
});

test.for([
	['Gmail, simplified', { id: '18f2', snippet: 'May we sign?', From: 'dana@example.com' }],
	['Outlook, simplified', { id: 'AAMk', bodyPreview: 'May we sign?', from: 'dana@example.com' }],
	['IMAP, raw', { raw: 'May we sign?' }],
	['IMAP, simple, which leaves out files', { textPlain: 'May we sign?', metadata: {} }],
	['a webhook', { headers: { host: 'n8n.example.com' }, body: { text: 'May we sign?' } }],
] as const)(
	'what is no whole email is an error that says how to get one, or needs a person: %s',
	async ([, json]) => {
		const message = 'The input is not a complete email';
		const { error } = await run([email(), { json }]);
		expect(error).toMatchObject({
			message: `${message} [item 1]`,
			description: textWith('"Resolved"'),
		});

		const continued = await run([{ json }, email()], { onError: 'continueRegularOutput' });
		expect(continued.outputs).toMatchObject([
			[{ json: { kind: 'question' } }],
			[{ json: { ...json, error: `${message} [item 0]` }, pairedItem: { item: 0 } }],
			[],
		]);
	},
);

test('with an error output, what is no whole email comes out there, as it came, and no other output has it', async () => {
	const json = { id: '18f2', snippet: 'May we sign?' };
	const { outputs } = await run([{ json, binary: file.binary }, email(), link], {
		onError: 'continueErrorOutput',
	});
	expect(outputs).toMatchObject([
		[{ json: { kind: 'question' } }],
		[{ json: { kind: 'unreadable' } }],
		[],
		[
			{
				json: { ...json, error: 'The input is not a complete email [item 0]' },
				...{ binary: { data: { fileName: 'NDA.pdf' } }, pairedItem: { item: 0 } },
			},
		],
	]);
});

/** An email as Outlook gives it, without headers. */
const outlook = (hasAttachments: boolean) => ({
	json: {
		...{ hasAttachments, id: 'AAMk' },
		body: { contentType: 'text', content: 'May we sign?' },
	},
});
const file = {
	json: { id: 'AAQk', name: 'NDA.pdf' },
	binary: { data: { data: 'JVBERi0x', mimeType: 'application/pdf', fileName: 'NDA.pdf' } },
};

test.for([
	['behind the only email', [outlook(true), file], ['NDA.pdf'], []],
	['behind its email', [outlook(true), file, outlook(false)], ['NDA.pdf'], []],
	['behind another email', [outlook(true), outlook(false), file], [], [2]],
	['behind both', [outlook(true), outlook(true), file, file], [], [2, 3]],
	[
		'behind an email with files of its own',
		[{ ...outlook(true), binary: file.binary }, file],
		['NDA.pdf'],
		[1],
	],
	[
		'behind an email, after another file of it',
		[outlook(true), file, file],
		['NDA.pdf', 'NDA.pdf'],
		[],
	],
	['before its email', [file, outlook(true)], [], [0]],
] as const)('a file %s', async ([, items, attached, errors]) => {
	const { outputs } = await run([...items], { onError: 'continueRegularOutput' });
	const out = outputs.flat();
	expect(out.flatMap(({ json }) => json.attached ?? [])).toEqual(attached);
	const failed = out.filter(({ json }) => json.error !== undefined);
	expect(failed).toMatchObject(
		errors.map((item) => ({
			json: {
				...{ error: `A file is not directly behind its email [item ${item}]`, name: 'NDA.pdf' },
				details: { description: textWith('"NDA.pdf"') },
			},
			...{ binary: { data: { fileName: 'NDA.pdf' } }, pairedItem: { item } },
		})),
	);
});

test.for([
	['Outlook', { id: 'AAMl', subject: 'Lease', bodyPreview: 'Is it fine?', from: 'bo@example.com' }],
	['Gmail', { id: '18f3', Subject: 'Lease', snippet: 'Is it fine?', threadId: '18f3' }],
	['IMAP', { subject: 'Lease', textPlain: 'Is it fine?', metadata: {} }],
] as const)(
	'a simplified email behind a whole one is named, and keeps its file: %s',
	async ([, json]) => {
		const items = [outlook(true), { json, binary: file.binary }];
		const { outputs } = await run(items, { onError: 'continueRegularOutput' });
		expect(outputs[1]?.map(({ json: { attached, error } }) => [attached, error])).toEqual([
			[[], undefined],
			[undefined, 'The input is not a complete email [item 1]'],
		]);
		expect(outputs[1]?.[1]).toMatchObject({
			json: { details: { description: textWith('"Lease"') } },
			binary: { data: { fileName: 'NDA.pdf' } },
		});
	},
);

test('a file without a type is told by its name, and stops no other email', async () => {
	const data = { data: 'JVBERi0x', fileName: 'NDA.pdf' };
	const untyped = { ...email(), binary: { data } } as unknown as INodeExecutionData;
	const { items } = await run([untyped, email()]);
	expect(items.map(({ json }) => json.attached)).toEqual([['NDA.pdf'], []]);
	expect(items[0]?.binary?.attachment_0).toMatchObject({ mimeType: 'application/pdf' });
});

test('a hint says that no email of a run is addressed to "Our Addresses"', async () => {
	const vendor = { from: { value: [{ address: 'vic@vendor.example', name: 'Vic' }] } };
	const cc = { cc: { value: [{ address: 'legal@example.com', name: '' }] } };
	const toOthers = { to: { value: [{ address: 'bo@example.com', name: '' }] } };
	const hint = textWith('"Our Addresses"');
	expect((await run([email(toOthers), email({ ...vendor, ...toOthers })])).hints).toEqual([hint]);
	expect((await run([email(toOthers), email()])).hints).toEqual([]);
	expect((await run([email({ ...toOthers, ...cc })])).hints).toEqual([]);
	expect((await run([email({ to: undefined })])).hints).toEqual([]);
	const own = { from: { value: [{ address: 'legal@example.com', name: '' }] }, ...toOthers };
	expect((await run([email(own)])).hints).toEqual([]);
});

test('emails of people who are no colleagues need a person, unless the node says otherwise', async () => {
	const vic = email({ from: { value: [{ address: 'vic@vendor.example', name: 'Vic' }] } });
	const { outputs } = await run([vic, email()]);
	expect(outputs.map((items) => items.map(({ json }) => json.unread))).toEqual([
		[[]],
		[['vic@vendor.example (not a colleague)']],
		[],
	]);
});

test('files that were not downloaded need a person; a hint says how to get headers', async () => {
	const gmail = (sizeEstimate: number) =>
		email({ sizeEstimate }, { 'content-type': 'Content-Type: multipart/mixed' });
	const { outputs, hints } = await run([outlook(true), gmail(90_000), gmail(9_000)], {
		emailsFromOthers: 'question',
	});
	expect(outputs.map((items) => items.map(({ json }) => json.unread))).toEqual([
		[[]],
		[['attachments (not downloaded)'], ['attachments (not downloaded)']],
		[],
	]);
	expect(hints).toEqual([textWith('"internetMessageHeaders"')]);
	expect((await run([gmail(9_000)])).hints).toEqual([]);
});

test.for([
	['={{ " " }}', '"Our Addresses" is empty'],
	['*@example.com', '"Our Addresses" has "*@example.com", which is not a full email address'],
])('"Our Addresses" must have an address: %s', async ([ourAddresses, message]) => {
	const { error } = await run([email()], { ourAddresses });
	expect(error).toMatchObject({ message: `${message}`, description: textWith('Enter') });
});

import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { emailMessages } from '../../nodes/LegalAi/messages/emailMessages.ts';
import { LEGAL_AI_EMAIL, runNode, sandboxTest, textLike, textWith } from '../support/fixtures.mts';

const test = sandboxTest();

/** An email as the Gmail node gives it. */
const email = (more: IDataObject = {}, headers: IDataObject = {}) => ({
	json: {
		...{ id: '18f2', html: false, text: 'May we sign?', subject: 'NDA', headers },
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
	sandbox: Parameters<typeof runNode>[0]['sandbox'],
	items: INodeExecutionData[],
	{
		ourAddresses = 'legal@example.com',
		...node
	}: { ourAddresses?: string; onError?: 'continueRegularOutput' } = {},
) {
	const type = { type: LEGAL_AI_EMAIL, typeVersion: 1, credentials: undefined };
	return await runNode({
		sandbox,
		items,
		parameters: { ourAddresses },
		node: { ...type, ...node },
	});
}

test('each email comes out where it belongs, and a hint says how many are what, and why', async ({
	sandbox,
}) => {
	const { outputs, hints } = await run(sandbox, [email(), link, away, ourGroup]);
	expect(
		outputs.map((items) => items.map(({ json, pairedItem }) => [json.kind, pairedItem])),
	).toEqual([
		[
			['question', [{ item: 0 }]],
			['question', [{ item: 3 }]],
		],
		[['unreadable', [{ item: 1 }]]],
		[['automatic', [{ item: 2 }]]],
	]);
	expect(hints).toEqual([
		'Question: 2. Needs a Person: 1 (a link to a drive). No Question: 1 (out of office).',
	]);
	expect((await run(sandbox, [email()])).hints).toEqual(['Question: 1.']);
});

test('a text that is too long for a question goes along as a file, and is cut', async ({
	sandbox,
}) => {
	const { items } = await run(sandbox, [email({ text: 'May we sign? '.repeat(1000) })]);
	expect(items[0]?.json).toMatchObject({
		attached: ['Message.txt'],
		text: textLike(/^[^(]{9000}\s+\(The message continues in the attached file Message.txt.\)$/),
	});
	expect(items[0]?.binary?.attachment_0).toMatchObject({ fileName: 'Message.txt', bytes: 12_999 });
});

test.for([
	['Gmail, simplified', { id: '18f2', snippet: 'May we sign?', From: 'dana@example.com' }],
	['Outlook, simplified', { id: 'AAMk', bodyPreview: 'May we sign?', from: 'dana@example.com' }],
	['IMAP, raw', { raw: 'May we sign?' }],
	['a webhook', { headers: { host: 'n8n.example.com' }, body: { text: 'May we sign?' } }],
] as const)(
	'what is no whole email is an error that says how to get one: %s',
	async ([, json], { sandbox }) => {
		const { message, description } = emailMessages.noEmail;
		const { error } = await run(sandbox, [email(), { json }]);
		expect(error).toMatchObject({ message: `${message} [item 1]`, description });

		const continued = await run(sandbox, [{ json }, email()], { onError: 'continueRegularOutput' });
		expect(
			continued.outputs.map((items) =>
				items.map(({ json: { kind, error: words } }) => words ?? kind),
			),
		).toEqual([['question'], [`${message} [item 0]`], []]);
	},
);

test('"Our Addresses" must have an address: no email counts as a question without', async ({
	sandbox,
}) => {
	const message = '"Our Addresses" is empty [item 0]';
	const { error } = await run(sandbox, [email()], { ourAddresses: '={{ " " }}' });
	expect(error).toMatchObject({ message, description: textWith('Enter') });

	const settings = { ourAddresses: '={{ " " }}', onError: 'continueRegularOutput' } as const;
	const { outputs } = await run(sandbox, [email()], settings);
	expect(outputs.map((items) => items.map(({ json }) => json.error))).toEqual([[], [message], []]);
});

import { runInNewContext } from 'node:vm';

import { expect, test } from 'vitest';

import { asRecord, asText } from '../../../harness/unknownJson.mts';
import { readExamples } from './workflowFile.mts';

const example = readExamples().find(({ file }) => file === 'mailbox-intake.json');
const code = asText(
	example?.nodes.find(({ name }) => name === 'Prepare Message')?.parameters.jsCode,
	'The code of Prepare Message',
);

const from = 'Sales <Sales@example.com>';

/** What the Code node of that example makes of a message. */
function prepare(
	json: Readonly<Record<string, unknown>>,
	binary?: object,
): { json: Record<string, unknown>; binary: Record<string, unknown> } {
	const prepared = asRecord(
		runInNewContext(`(() => {${code}\n})()`, { $input: { item: { json: { from, mailbox: 'legal@example.com', ...json }, binary } }, Buffer }),
		'The item',
	);
	return { json: asRecord(prepared.json, 'Its JSON'), binary: asRecord(prepared.binary, 'Its files') };
}

test.each([
	['Gmail', 'May we sign?\n\nOn Mon, Nov 2, 2026 at 9:00 AM Vendor <v@meridian.example> wrote:\n\n> Please sign.\n>\n> Vendor'],
	[
		'Gmail, wrapped',
		'May we sign?\r\n\r\nOn Mon, Nov 2, 2026 at 9:00 AM Vendor <v@meridian.example>\r\nwrote:\r\n\r\n> Please sign.',
	],
	[
		'Outlook',
		'May we sign?\r\n\r\nFrom: Vendor <v@meridian.example>\r\nSent: Monday, November 2, 2026 9:00\r\nTo: Sales\r\n\r\nPlease sign.',
	],
	['Outlook with a line', 'May we sign?\n________________________________\nFrom: Vendor\nSent: Monday\n\nPlease sign.'],
	['Outlook as plain text', 'May we sign?\n\n-----Original Message-----\nFrom: Vendor\n\nPlease sign.'],
	['a program that only marks quoted lines', 'May we sign?\n\n> Please sign.\n> > Before.\n'],
	['a message without a thread', 'May we sign?'],
])('mailbox-intake.json cuts the thread below a message: %s', (_program, textPlain) => {
	expect(prepare({ textPlain }).json.text).toBe('May we sign?');
});

test.each([
	['a message that only forwards something', 'From: Vendor\nSent: Monday\n\nPlease sign.'],
	['answers below what they answer', 'On Monday, Vendor wrote:\n> Is 30 days fine?\nNo, 60 days.'],
	['a quote with words after it', 'Is this fine?\n> Payment within 30 days.\nI think not.'],
])('mailbox-intake.json keeps %s', (_what, textPlain) => {
	expect(prepare({ textPlain }).json.text).toBe(textPlain);
});

test('mailbox-intake.json reads an email that has HTML only', () => {
	expect(
		String(prepare({ textHtml: '<p>May we <b>sign</b>?</p>' }).json.text)
			.replace(/\s+/g, ' ')
			.trim(),
	).toBe('May we sign ?');
});

test.each([
	['with a name', 'Sales <Sales@example.com>', 'sales@example.com'],
	['alone', 'sales@example.com', 'sales@example.com'],
	['of someone who poses as a colleague', '"me@example.com" <them@meridian.example>', 'them@meridian.example'],
])('mailbox-intake.json knows the address of the sender: %s', (_what, address, sender) => {
	expect(prepare({ from: address, textPlain: 'May we sign?' }).json.sender).toBe(sender);
});

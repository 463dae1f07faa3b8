import { runInNewContext } from 'node:vm';

import { expect, test } from 'vitest';

import { readExample } from '../../../harness/examples.mts';
import { asRecord, asText } from '../../../harness/unknownJson.mts';

const { nodes } = await readExample('mailbox-intake.json');
const code = asText(nodes.find(({ name }) => name === 'Prepare Message')?.parameters.jsCode, 'The code of Prepare Message');

/** What the Code node of that example makes of a message. */
function prepare(message: Readonly<Record<string, string>>): Record<string, unknown> {
	const json = { from: 'Sales <Sales@example.com>', mailbox: 'legal@example.com', ...message };
	const item = asRecord(runInNewContext(`(() => {${code}\n})()`, { $input: { item: { json } }, Buffer }), 'The item');
	return asRecord(item.json, 'Its JSON');
}

test.each([
	['Gmail', 'May we sign?\n\nOn Mon, Nov 2, 2026 at 9:00 AM Vendor <v@meridian.example> wrote:\n\n> Please sign.\n>\n> Vendor'],
	['Gmail, wrapped', 'May we sign?\r\n\r\nOn Mon, Nov 2, 2026 at 9:00 AM Vendor <v@meridian.example>\r\nwrote:\r\n\r\n> Please sign.'],
	['Outlook', 'May we sign?\r\n\r\nFrom: Vendor <v@meridian.example>\r\nSent: Monday, November 2, 2026 9:00\r\nTo: Sales\r\n\r\nPlease sign.'],
	['Outlook with a line', 'May we sign?\n________________________________\nFrom: Vendor\nSent: Monday\n\nPlease sign.'],
	['Outlook as plain text', 'May we sign?\n\n-----Original Message-----\nFrom: Vendor\n\nPlease sign.'],
	['a program that only marks quoted lines', 'May we sign?\n\n> Please sign.\n> > Before.\n'],
	['a message without a thread', 'May we sign?'],
])('mailbox-intake.json cuts the thread below a message: %s', (_program, textPlain) => {
	expect(prepare({ textPlain }).text).toBe('May we sign?');
});

test.each([
	['a message that only forwards something', 'From: Vendor\nSent: Monday\n\nPlease sign.'],
	['answers below what they answer', 'On Monday, Vendor wrote:\n> Is 30 days fine?\nNo, 60 days.'],
	['a quote with words after it', 'Is this fine?\n> Payment within 30 days.\nI think not.'],
])('mailbox-intake.json keeps %s', (_what, textPlain) => {
	expect(prepare({ textPlain }).text).toBe(textPlain);
});

test('mailbox-intake.json reads an email that has HTML only', () => {
	expect(prepare({ textHtml: '<p>May we <b>sign</b>?</p>' }).text).toMatch(/^\s*May we\s+sign\s+\?\s*$/);
});

test.each([
	['with a name', 'Sales <Sales@example.com>', 'sales@example.com'],
	['alone', 'sales@example.com', 'sales@example.com'],
	['of someone who poses as a colleague', '"me@example.com" <them@meridian.example>', 'them@meridian.example'],
])('mailbox-intake.json knows the address of the sender: %s', (_what, address, sender) => {
	expect(prepare({ from: address, textPlain: 'May we sign?' }).sender).toBe(sender);
});

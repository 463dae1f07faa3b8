import { listField, textField, type Field, type Fields } from '../api/fields';
import { list } from '../parameters/list';
import { group, required, withDefault } from '../parameters/parameter';

const SEPARATOR = /[\s,;]+/;

const flag: Field = { type: 'boolean' };
/** What the editor shows of an output item before the first run. */
export const emailOutput = {
	kind: textField,
	subject: textField,
	text: textField,
	history: textField,
	sender: textField,
	is_colleague: flag,
	answers_us: flag,
	attached: listField(textField),
	unread: listField(textField),
	id: textField,
	message_id: textField,
	conversation_id: textField,
	received_at: textField,
} satisfies Fields;

/** The parameters of the Legal AI Email node. */
export const emailParameters = group({
	ourAddresses: required(
		list(
			'ourAddresses',
			'Our Addresses',
			{
				placeholder: 'legal@example.com, contracts@example.com',
				description:
					'The addresses of the mailbox, and of the groups that pass emails on to it, with commas between them. Emails from them, and emails that are not addressed to them, come out at "No Question".',
			},
			SEPARATOR,
		),
	),
	colleagues: withDefault(
		list(
			'colleagues',
			'Colleagues',
			{
				placeholder: 'example.com, example.de',
				description:
					'The domains of your colleagues, with commas between them. Leave empty for the domains of "Our Addresses". Emails from others come out, too: "is_colleague" is false, and "text" begins with a line that says whose words it is.',
			},
			SEPARATOR,
		),
		[],
	),
});

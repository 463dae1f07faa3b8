import { group, list, required, withDefault } from '../parameters';

/** The parameters of the Legal AI Email node. */
export const emailParameters = group({
	ourAddresses: required(
		list(
			'ourAddresses',
			'Our Addresses',
			{
				placeholder: 'e.g. legal@example.com, contracts@example.com',
				description:
					'The addresses of the mailbox, and of the groups that pass emails on to it, with commas between them. Emails from them, and emails that are not addressed to them, come out at "No Question".',
			},
			/[\s,;]+/,
		),
	),
	colleagues: withDefault(
		list(
			'colleagues',
			'Colleagues',
			{
				placeholder: 'e.g. example.com, example.de',
				description:
					'The domains of your colleagues, with commas between them. Leave empty for the domains of "Our Addresses". Emails from others come out, too: "is_colleague" is false, and "text" begins with a line that says whose words it is.',
			},
			/[\s,;]+/,
		),
		[],
	),
});

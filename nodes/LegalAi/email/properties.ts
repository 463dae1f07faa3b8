import { emailMessages } from '../messages/emailMessages';
import { invalidInput } from '../messages/template';
import { list } from '../parameters/list';
import { converted, group, quotedValue, required, withDefault } from '../parameters/parameter';

const SEPARATOR = /[\s,;]+/;
const OUR_ADDRESSES = 'Our Addresses';

/** The parameters of the Legal AI Email node. */
export const emailParameters = group({
	ourAddresses: converted(
		required(
			list(
				'ourAddresses',
				OUR_ADDRESSES,
				{
					placeholder: 'legal@example.com, contracts@example.com',
					description:
						'The addresses of the mailbox, and of the groups that pass emails on to it, with commas between them. Emails from them, and emails that are not addressed to them, come out at "No Question".',
				},
				SEPARATOR,
			),
		),
		(addresses) => {
			const wrong = addresses.find((address) => !/^[^@\s]+@[^@\s]+$/.test(address));
			if (wrong === undefined) return addresses;
			throw invalidInput(emailMessages.noAddress, {
				field: OUR_ADDRESSES,
				value: quotedValue(wrong),
			});
		},
	),
	colleagues: withDefault(
		list(
			'colleagues',
			'Colleagues',
			{
				placeholder: 'example.com, example.de',
				description:
					'The domains of the people who may ask, with commas between them. Leave empty for the domains of "Our Addresses". Emails from others come out, too, with "is_colleague" false and a line that says whose words they are.',
			},
			SEPARATOR,
		),
		[],
	),
});

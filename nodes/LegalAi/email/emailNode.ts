import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { failedItemJson, toNodeError } from '../errors/nodeError';
import { group, list, NO_ITEM, required, withDefault } from '../parameters';
import { readEmails } from './email';
import { prepareEmail, type PreparedEmail } from './prepareEmail';

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

/** The outputs of the node, each with the kinds that come out there. */
export const emailOutputs = [
	{ name: 'Question', kinds: /question/ },
	{ name: 'Needs a Person', kinds: /unreadable/ },
	{ name: 'No Question', kinds: /automatic|meeting|own|copy/ },
];

/** Prepares the emails of the input, and says how many are what, and why. With Continue On Fail, what is no email needs a person. */
export async function prepareItems(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const emails: PreparedEmail[] = [];
	for (const email of readEmails(context.getInputData())) {
		const [[pairedItem]] = email.parts;
		try {
			const settings = emailParameters.read(
				(name) => context.getNodeParameter(name, pairedItem, null),
				NO_ITEM,
			);
			emails.push(await prepareEmail(email, settings, context.helpers));
		} catch (error) {
			const nodeError = toNodeError(context.getNode(), error, pairedItem);
			if (!context.continueOnFail()) throw nodeError;
			const item = { json: failedItemJson(nodeError), pairedItem };
			emails.push({ kind: 'unreadable', why: nodeError.message, item });
		}
	}
	const counts: string[] = [];
	const outputs = emailOutputs.map(({ name, kinds }) => {
		const found = emails.filter(({ kind }) => kinds.test(kind));
		const reasons = [...new Set(found.map(({ why }) => why))].join(', ');
		if (found.length > 0) counts.push(`${name}: ${found.length}${reasons && ` (${reasons})`}`);
		return found.map(({ item }) => item);
	});
	context.addExecutionHints({ message: `${counts.join('. ')}.`, location: 'outputPane' });
	return outputs;
}

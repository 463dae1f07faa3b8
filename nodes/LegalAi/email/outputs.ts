import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { failedItemJson, toNodeError } from '../errors/nodeError';
import { NO_ITEM } from '../parameters';
import { readEmails } from './email';
import { prepareEmail, type PreparedEmail } from './prepareEmail';
import { emailParameters } from './properties';

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

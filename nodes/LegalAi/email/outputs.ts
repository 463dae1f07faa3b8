import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { failedItemJson, toNodeError } from '../execution/nodeError';
import { emailMessages } from '../messages/emailMessages';
import { invalidInput } from '../messages/template';
import { NO_ITEM } from '../parameters/parameter';
import { prepareEmails, type PreparedEmail } from './prepareEmail';
import { emailParameters } from './properties';

/** The outputs of the node in their order: what comes out there, and how a hint counts one and several. */
export const emailOutputs = [
	{ name: 'Question', kinds: /^question/, one: 'question', several: 'questions' },
	{
		name: 'Needs a Person',
		kinds: /^(unreadable|noEmail)/,
		one: 'needs a person',
		several: 'need a person',
	},
	{
		name: 'No Question',
		kinds: /^(automatic|meeting|own|copy)/,
		one: 'no question',
		several: 'no question',
	},
];

/** Prepares the emails of the input, and says how many are what, and why. With Continue On Fail, what is no email needs a person. */
export async function prepareItems(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const { helpers } = context;
	const settings = emailParameters.read((name) => context.getNodeParameter(name, 0, null), NO_ITEM);
	const emails = await prepareEmails(context.getInputData(), settings, {
		read: async (itemIndex, field) => await helpers.getBinaryDataBuffer(itemIndex, field),
		storeText: async (text, name) =>
			await helpers.prepareBinaryData(Buffer.from(text), name, 'text/plain'),
	});
	const counts: string[] = [];
	const outputs = emailOutputs.map(({ kinds, one, several }) => {
		const found = emails.filter(({ kind }) => kinds.test(kind));
		const reasons = [...new Set(found.map(({ why }) => why))].join(', ');
		const count = `${found.length} ${found.length === 1 ? one : several}`;
		if (found.length > 0) counts.push(reasons ? `${count} (${reasons})` : count);
		return found.map((email) => outputItem(context, email));
	});
	const message = `${emails.length} ${emails.length === 1 ? 'email' : 'emails'}: ${counts.join(', ')}`;
	context.addExecutionHints({ message, location: 'outputPane' });
	return outputs;
}

function outputItem(
	context: IExecuteFunctions,
	{ kind, json, binary, itemIndexes }: PreparedEmail,
): INodeExecutionData {
	const pairedItem = itemIndexes.map((item) => ({ item }));
	if (kind !== 'noEmail') return { json, binary, pairedItem };
	const error = toNodeError(context.getNode(), invalidInput(emailMessages.noEmail), itemIndexes[0]);
	if (!context.continueOnFail()) throw error;
	return { json: failedItemJson(error), pairedItem };
}

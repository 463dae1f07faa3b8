import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { failedItemJson, toNodeError } from '../execution/nodeError';
import { emailMessages } from '../messages/emailMessages';
import { invalidInput } from '../messages/template';
import { NO_ITEM } from '../parameters/parameter';
import { prepareEmails, type PreparedEmail } from './prepareEmail';
import { emailParameters } from './properties';

/** The outputs of the node in their order, and how the hint counts what comes out there. */
export const emailOutputs = [
	{ name: 'Question', kinds: ['question'], one: 'question', several: 'questions' },
	{
		name: 'Needs a Person',
		kinds: ['unreadable', 'noEmail'],
		one: 'needs a person',
		several: 'need a person',
	},
	{
		name: 'No Question',
		kinds: ['automatic', 'meeting', 'own', 'copy'],
		one: 'no question',
		several: 'no question',
	},
];

/** Prepares the emails of the input. With Continue On Fail, what is no email needs a person. */
export async function prepareItems(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const { helpers } = context;
	const settings = emailParameters.read((name) => context.getNodeParameter(name, 0, null), NO_ITEM);
	const emails = await prepareEmails(context.getInputData(), settings, {
		read: helpers.getBinaryDataBuffer,
		storeText: async (text, name) =>
			await helpers.prepareBinaryData(Buffer.from(text), name, 'text/plain'),
	});
	const outputs = emailOutputs.map(({ kinds, ...words }) => ({
		...words,
		emails: emails.filter(({ kind }) => kinds.includes(kind)),
	}));
	context.addExecutionHints({ message: summary(emails.length, outputs), location: 'outputPane' });
	return outputs.map((output) => output.emails.map((email) => outputItem(context, email)));
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

/** "3 emails: 1 question, 1 needs a person (a link to a drive), 1 no question (out of office)" */
function summary(
	count: number,
	outputs: Array<{ emails: PreparedEmail[]; one: string; several: string }>,
): string {
	const parts = outputs.flatMap(({ emails, one, several }) => {
		const reasons = new Set(emails.map(({ why }) => why).filter((why) => why !== ''));
		const because = reasons.size === 0 ? '' : ` (${[...reasons].join(', ')})`;
		return emails.length === 0
			? []
			: [`${emails.length} ${emails.length === 1 ? one : several}${because}`];
	});
	return `${count} ${count === 1 ? 'email' : 'emails'}: ${parts.join(', ')}`;
}

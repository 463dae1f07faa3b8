import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { failedItemJson, toNodeError } from '../execution/nodeError';
import { emailMessages, emailTexts } from '../messages/emailMessages';
import { fillText, invalidInput } from '../messages/template';
import { NO_ITEM } from '../parameters/parameter';
import { prepareEmails, type PreparedEmail } from './prepareEmail';
import { emailParameters } from './properties';

/** The outputs of the Legal AI Email node, in their order. */
export const OUTPUTS = [
	{ name: 'Question', one: 'question', several: 'questions', kinds: ['question'] },
	{ name: 'Needs a Person', one: 'needs a person', several: 'need a person', kinds: ['unreadable', 'noEmail'] },
	{ name: 'No Question', one: 'no question', several: 'no question', kinds: ['automatic', 'meeting', 'own', 'copy'] },
];

/** Prepares the emails of the input, and puts each out where it belongs. */
export async function outputEmails(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const { helpers } = context;
	const settings = emailParameters.read((name) => context.getNodeParameter(name, 0, null), NO_ITEM);
	const emails = await prepareEmails(context.getInputData(), settings, {
		read: async (itemIndex, field) => await helpers.getBinaryDataBuffer(itemIndex, field),
		storeText: async (text, fileName) => await helpers.prepareBinaryData(Buffer.from(text), fileName, 'text/plain'),
	});
	context.addExecutionHints({ message: summary(emails), location: 'outputPane' });
	return OUTPUTS.map(({ kinds }) =>
		emails
			.filter(({ kind }) => kinds.includes(kind))
			.map((email) => outputItem(context, email)),
	);
}

function outputItem(context: IExecuteFunctions, email: PreparedEmail): INodeExecutionData {
	const { kind, json, binary, itemIndexes } = email;
	const pairedItem = itemIndexes.map((item) => ({ item }));
	if (kind !== 'noEmail') return { json, binary, pairedItem };
	const error = toNodeError(context.getNode(), invalidInput(emailMessages[email.why]), itemIndexes[0]);
	if (!context.continueOnFail()) throw error;
	return { json: failedItemJson(error), pairedItem };
}

/** "3 emails: 1 question, 1 needs a person (a link to a drive), 1 no question (out of office)" */
function summary(emails: PreparedEmail[]): string {
	const parts = OUTPUTS.flatMap(({ kinds, one, several }) => {
		const ofOutput = emails.filter(({ kind }) => kinds.includes(kind));
		const reasons = [...new Set(ofOutput.flatMap(({ why }) => (why === '' ? [] : [why])))].join(', ');
		if (ofOutput.length === 0) return [];
		return [`${ofOutput.length} ${ofOutput.length === 1 ? one : several}${reasons && ` (${reasons})`}`];
	});
	return fillText(emails.length === 1 ? emailTexts.oneEmail : emailTexts.emails, { count: emails.length, parts: parts.join(', ') });
}

import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { failedItemJson, toNodeError } from '../execution/nodeError';
import { NO_ITEM } from '../parameters/parameter';
import { readEmails } from './email';
import { prepareEmail, type PreparedEmail } from './prepareEmail';
import { emailParameters } from './properties';

/** For each output of the node: the kinds that come out there, and how a hint counts one and several. */
export const emailOutputs = [
	[/question/, 'question', 'questions'],
	[/unreadable/, 'needs a person', 'need a person'],
	[/automatic|meeting|own|copy/, 'no question', 'no question'],
] as const;

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
	const outputs = emailOutputs.map(([kinds, one, several]) => {
		const found = emails.filter(({ kind }) => kinds.test(kind));
		const reasons = [...new Set(found.map(({ why }) => why))].join(', ');
		const count = `${found.length} ${found.length === 1 ? one : several}`;
		if (found.length > 0) counts.push(count + (reasons && ` (${reasons})`));
		return found.map(({ item }) => item);
	});
	const message = `${emails.length} ${emails.length === 1 ? 'email' : 'emails'}: ${counts.join(', ')}`;
	context.addExecutionHints({ message, location: 'outputPane' });
	return outputs;
}

import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { LegalAiClient } from '../api/client';
import { toNodeError } from '../api/errors';
import { generatedFiles, readQuestion } from '../api/question';
import { downloadGeneratedFiles } from '../files/download';

/** A callback does not say which assistant answered; it matters only where a file's address has to be renewed. */
const DEFAULT_ASSISTANT = 'default';

/**
 * A callback's item with the files that came with the answer, where the trigger is to bring them along.
 *
 * @throws {NodeApiError} where one can't be fetched: an answer that lacks its redline must not pass for a whole
 * one. n8n keeps the item as the execution's input, so nothing of it is lost.
 */
export async function attachFiles(context: IExecuteFunctions, item: INodeExecutionData): Promise<INodeExecutionData> {
	const wanted = context.getNodeParameter('options.downloadFiles', 0, false);
	if (wanted !== true) return item;
	const prefix = context.getNodeParameter('options.outputPrefix', 0, 'file_');
	try {
		const question = readQuestion(item.json, DEFAULT_ASSISTANT);
		if (generatedFiles(question).length === 0) return item;
		const client = await LegalAiClient.create(context, { signal: context.getExecutionCancelSignal() });
		return { ...item, binary: await downloadGeneratedFiles(context, client, question, String(prefix)) };
	} catch (error) {
		const nodeError = toNodeError(context.getNode(), error);
		if (context.continueOnFail()) return { ...item, json: { ...item.json, error: nodeError.message } };
		nodeError.description = [
			nodeError.description,
			'This execution keeps the answer: retry it from the list of executions within 24 hours, and the files are fetched anew.',
			typeof item.json.session_url === 'string' ? `The answer is also shown at ${item.json.session_url}.` : '',
		].filter(Boolean).join(' ');
		throw nodeError;
	}
}

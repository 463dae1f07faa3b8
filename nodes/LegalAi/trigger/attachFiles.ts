import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { fetchLatest, generatedFiles, readQuestion, textOrNull, things } from '../api';
import { createClient } from '../connection/createClient';
import { failedItemJson, sessionLinkOf, toNodeError } from '../errors/nodeError';
import { fetchGeneratedFiles } from '../files/download';
import { fillText, triggerFileDetails } from '../messages';

/** Asked for fresh addresses if the callback's own address does not name the assistant. */
const DEFAULT_ASSISTANT = 'default';

/**
 * A callback's item with the files that were generated with the answer. If signatures are not verified, anyone may have
 * written the addresses in it, so the service is asked for those of files, and none is shown.
 *
 * @throws {NodeApiError} if a file can't be downloaded: an answer must not pass for complete without its redline. n8n
 * keeps the item as the execution's input, so nothing is lost.
 */
export async function attachFiles(
	context: IExecuteFunctions,
	item: INodeExecutionData,
	{
		maxFileSize,
		outputPrefix,
		verifySignature,
	}: { maxFileSize: number; outputPrefix: string; verifySignature: boolean },
): Promise<INodeExecutionData> {
	try {
		const assistant = textOrNull(item.json.assistant_id) ?? DEFAULT_ASSISTANT;
		const received = readQuestion(item.json, assistant);
		if (generatedFiles(received).length === 0) return item;
		const client = await createClient(context, { signal: context.getExecutionCancelSignal() });
		const { id, assistant_id } = received;
		const question = verifySignature
			? received
			: await fetchLatest(client, things.question, { id, assistant_id });
		const binary = await fetchGeneratedFiles(
			client,
			context.helpers,
			question,
			outputPrefix,
			maxFileSize,
		);
		return { ...item, binary };
	} catch (error) {
		const nodeError = toNodeError(context.getNode(), error);
		if (context.continueOnFail())
			return { ...item, json: { ...item.json, ...failedItemJson(nodeError) } };
		const url = verifySignature ? sessionLinkOf(item.json) : undefined;
		const link = url === undefined ? '' : fillText(triggerFileDetails.link, { url });
		nodeError.description = [nodeError.description, triggerFileDetails.retry, link]
			.filter(Boolean)
			.join(' ');
		throw nodeError;
	}
}

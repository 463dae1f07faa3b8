import { NodeApiError, type INode, type INodeExecutionData } from 'n8n-workflow';

import type { LegalAiClient } from '../../api/client';
import { toNodeError } from '../../api/errors';
import { isRecord, textOrNull } from '../../api/json';
import { generatedFiles, type Question } from '../../api/question';
import type { FileContext } from '../../files/binaryFields';
import { downloadGeneratedFiles } from '../../files/download';

/** How the user wants answers to come out (the collection `options`). */
export interface AnswerOptions {
	downloadFiles: boolean;
	outputPrefix: string;
	failOnErrorStatus: boolean;
}

/** Reads the options from what the node holds; they take no expressions, so they are the same for all items. */
export function readAnswerOptions(options: unknown): AnswerOptions {
	const chosen = isRecord(options) ? options : {};
	return {
		downloadFiles: chosen.downloadFiles === true,
		outputPrefix: textOrNull(chosen.outputPrefix) ?? 'file_',
		failOnErrorStatus: chosen.onErrorStatus === 'fail',
	};
}

/**
 * The output item of a question: its JSON, and the generated files where they are wanted.
 *
 * @throws {NodeApiError} for the status `error` where the user wants the item to fail, and for a file that
 * can't be fetched; both name the question, whose answer stays at the service
 */
export async function answerItem(
	context: FileContext,
	client: LegalAiClient,
	question: Question,
	options: AnswerOptions,
): Promise<INodeExecutionData> {
	if (question.status === 'error' && options.failOnErrorStatus) throw unanswered(context.getNode(), question);
	if (!options.downloadFiles || generatedFiles(question).length === 0) return { json: question };
	try {
		return { json: question, binary: await downloadGeneratedFiles(context, client, question, options.outputPrefix) };
	} catch (error) {
		throw withWayBack(toNodeError(context.getNode(), error), question);
	}
}

function unanswered(node: INode, question: Question): NodeApiError {
	const error = new NodeApiError(
		node,
		{ message: question.answer ?? '' },
		{ message: `The service could not answer: ${question.answer ?? 'it gave no reason'}`, level: 'warning' },
	);
	return withWayBack(error, question);
}

/** Adds to an error how to get at the question that it belongs to. */
function withWayBack<T extends Error & { description?: string | null }>(error: T, question: Question): T {
	const link = question.session_url === null ? '' : ` It is shown at ${question.session_url}.`;
	error.description = [error.description, `Question ID: ${question.id}, assistant: ${question.assistant_id}.${link}`]
		.filter(Boolean)
		.join(' ');
	return error;
}

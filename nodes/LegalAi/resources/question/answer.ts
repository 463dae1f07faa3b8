import type { INodeExecutionData } from 'n8n-workflow';

import type { LegalAiClient } from '../../api/client';
import { ApiFailure } from '../../api/failure';
import { isRecord, textOrNull } from '../../api/json';
import { aboutQuestion, generatedFiles, type Question } from '../../api/question';
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
 * @throws {ApiFailure} for the status `error` where the user wants the item to fail, and for a file that
 * can't be fetched; both name the question, whose answer stays at the service
 */
export async function answerItem(
	context: FileContext,
	client: LegalAiClient,
	question: Question,
	options: AnswerOptions,
): Promise<INodeExecutionData> {
	if (question.status === 'error' && options.failOnErrorStatus) {
		throw new ApiFailure('unanswered', { serviceMessage: question.answer ?? 'it gave no reason', question });
	}
	if (!options.downloadFiles || generatedFiles(question).length === 0) return { json: question };
	const files = downloadGeneratedFiles(context, client, question, options.outputPrefix);
	return { json: question, binary: await files.catch(aboutQuestion(question)) };
}

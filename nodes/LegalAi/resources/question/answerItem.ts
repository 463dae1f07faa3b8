import type { IBinaryKeyData, IDataObject, INodeExecutionData } from 'n8n-workflow';

import {
	ApiError,
	filesWithoutLink,
	generatedFiles,
	inOutputOrder,
	OPEN_STATUS,
	outcomeOf,
	type Question,
	questionStatuses,
	redactedExcerpt,
} from '../../api';
import type { ItemRun } from '../../execution/itemRun';
import { fetchGeneratedFiles } from '../../files/download';
import { countedHints, fillText, hints } from '../../messages';
import {
	choice,
	filePrefix,
	maxFileSize,
	notForTools,
	number,
	toggle,
	YEAR,
	type ValuesOf,
} from '../../parameters';

const statusesForTools = Object.entries(questionStatuses)
	.map(([status, { description }]) => `"${status}" (${description})`)
	.join(', ');

/** What an AI agent is told about the output of a question. */
export const resultForTools = `"status" is ${statusesForTools} or "in_progress" (there is no answer yet). "attachments" lists files that came with the answer, with download links that work for 24 hours. To continue the conversation, use "session_id". If there is no answer yet, do not ask again: look for it in a minute, with a tool that gets a question by "id" and "assistant_id".`;

/** How answers are output; the same for all operations on questions, in the collection `options`. */
export const answerOptions = {
	downloadFiles: notForTools(
		toggle('downloadFiles', 'Download Files', {
			default: false,
			description: 'Whether to download the files generated with the answer as binary data',
		}),
	),
	onErrorStatus: choice(
		'onErrorStatus',
		"If the Service Can't Answer",
		{
			default: 'output',
			description: 'What to do with a question that ends with the status "error"',
		},
		{
			fail: {
				name: 'Fail the Item',
				description: "The item fails with the service's message",
			},
			output: {
				name: 'Output the Question',
				description: 'The question is output with the status "error" and the message as its answer',
			},
		},
	),
	maxFileSize: notForTools(maxFileSize()),
	outputPrefix: notForTools(filePrefix()),
};

/** How long an answer is waited for, in minutes from when the service accepted the question; 0 checks once. */
export const maxWait = number(
	'maxWait',
	'Max Wait (Minutes)',
	{
		default: 30,
		description:
			'How long to wait for the answer. Most answers take 2 to 5 minutes. If none arrives in time, the question is output without one, with "timed_out" set to true.',
	},
	{ min: 0, max: YEAR },
);

/**
 * The output item of a question: its JSON, the files of the input item, and the generated files if they are wanted.
 *
 * @throws {ApiError} for a file that can't be fetched, and for the status `error` if the user wants the item to fail
 */
export async function answerItem(
	item: ItemRun,
	question: Question,
	options: ValuesOf<typeof answerOptions>,
): Promise<INodeExecutionData> {
	const outcome = outcomeOf(question.status);
	if (outcome?.isFailure && options.onErrorStatus === 'fail')
		throw new ApiError('questionFailed', { serviceMessage: question.answer ?? undefined });
	if (outcome?.hint !== undefined) item.count(outcome.hint);
	if (outcome === undefined && question.status !== OPEN_STATUS)
		item.hint(fillText(hints.unknownStatus, { status: redactedExcerpt(question.status) ?? '' }));
	if (question.skipped_files !== undefined) item.count(countedHints.filesSkipped);
	const json = inOutputOrder(question);
	if (!options.downloadFiles) {
		const names = generatedFiles(question).map(
			(file) => redactedExcerpt(file.file_name ?? '') ?? 'unnamed',
		);
		for (const name of names) item.count(countedHints.notDownloaded, [name]);
		return withFiles(item.item, json);
	}
	if (filesWithoutLink(question) > 0) item.count(countedHints.linkMissing);
	const { client, context } = item;
	const { outputPrefix: prefix, maxFileSize: maxMegabytes } = options;
	return withFiles(
		item.item,
		json,
		await fetchGeneratedFiles(client, context.helpers, question, prefix, maxMegabytes),
	);
}

/** An output item with files, and those of its input item that have other names. The editor shows the first one first. */
export function withFiles(
	{ binary }: INodeExecutionData,
	json: IDataObject,
	more: IBinaryKeyData = {},
): INodeExecutionData {
	const files = { ...more, ...binary, ...more };
	return Object.keys(files).length === 0 ? { json } : { json, binary: files };
}

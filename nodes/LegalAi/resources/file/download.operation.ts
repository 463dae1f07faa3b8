import { fetchLatest, filesWithoutLink, things } from '../../api';
import { defineOperation } from '../../execution/operation';
import { fetchFile, fetchGeneratedFiles } from '../../files/download';
import { countedHints, hints, invalidInput, serviceMessages } from '../../messages';
import { maxFileSize, optionsOf, required, text, variants, webAddress } from '../../parameters';
import { withFiles } from '../question/answerItem';
import { questionReference } from '../question/questionReference';

/** Downloads a file from a presigned or public address, or every file that came with an answer. */
export const download = defineOperation({
	option: {
		name: 'Download',
		action: 'Download file',
		description: 'Get redlines, drafts and other files that came with an answer',
	},
	parameters: {
		from: variants(
			'downloadFrom',
			'Download From',
			{ default: 'url', description: 'Where to download the file from' },
			{
				question: {
					name: 'Question',
					description: 'Every file that came with an answer, with fresh download links',
					parameters: { question: questionReference },
				},
				url: {
					name: 'URL',
					description: 'The address of one file',
					parameters: {
						url: webAddress('url', 'URL', {
							placeholder: 'e.g. {{ $json.attachments[0].url }}',
							description:
								'Address of a generated file (works for 24 hours) or of any public file. Your API key is not sent there.',
						}),
					},
				},
			},
		),
		fieldName: required(
			text('binaryPropertyName', 'Put Output File in Field', {
				default: 'data',
				hint: 'The name of the output binary field to put the file in. For the files of a question, _0, _1 and so on are appended.',
			}),
		),
		options: optionsOf({ maxFileSize: maxFileSize() }),
	},
	execute: async ({ client, context, item, found, hint, count }, { from, fieldName, options }) => {
		if (from.kind === 'url') {
			const binary = await fetchFile(
				client,
				context.helpers,
				{ url: from.url },
				options.maxFileSize,
				'outside',
			);
			return [withFiles(item, item.json, { [fieldName]: binary })];
		}
		const { assistant_id, id } = from.question;
		const question = await fetchLatest(client, things.question, { assistant_id, id });
		found(question);
		if (!things.question.isOver(question)) throw invalidInput(serviceMessages.questionUnanswered);
		const binary = await fetchGeneratedFiles(
			client,
			context.helpers,
			question,
			`${fieldName}_`,
			options.maxFileSize,
		);
		if (filesWithoutLink(question) > 0) count(countedHints.linkMissing);
		else if (Object.keys(binary).length === 0) hint(hints.noGeneratedFiles);
		return [withFiles(item, question, binary)];
	},
});

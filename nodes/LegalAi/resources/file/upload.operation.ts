import { integerField, mapConcurrently, textField } from '../../api';
import { defineOperation } from '../../execution/operation';
import { CONCURRENT_FILES } from '../../files/binaryData';
import { inspectFile, uploadFile } from '../../files/upload';
import { invalidInput, parameterMessages } from '../../messages';
import { allFiles, binaryFields, optionsOf, text, variants } from '../../parameters';

/** POST /files/upload-url, then the file to the address that gives: one output item per file. */
export const upload = defineOperation({
	option: {
		name: 'Upload',
		action: 'Upload file',
		description: 'Send contracts and other files, to attach them to questions later',
	},
	toolDescription:
		'Send contracts and other files to the legal AI service. "job_id" in the result identifies a file, to attach it to a question.',
	parameters: {
		source: variants(
			'fileSource',
			'File Source',
			{
				default: 'binary',
				description: 'Which files of the input item to upload',
			},
			{
				allBinary: {
					name: 'All Binary Fields',
					description: 'Every file of the item, e.g. all attachments of an email',
					parameters: { files: allFiles },
				},
				binary: {
					name: 'Binary Field',
					description: 'One or more files, by the names of their fields',
					parameters: { files: binaryFields },
				},
			},
		),
		options: optionsOf({
			contentType: text('contentType', 'Content Type', {
				placeholder: 'e.g. application/pdf',
				description: 'Content type to send instead of the one in the binary field',
			}),
			fileName: text('fileName', 'File Name', {
				placeholder: 'e.g. contract.pdf',
				description: 'File name to send instead of the one in the binary field',
			}),
		}),
	},
	output: {
		job_id: textField,
		file_name: textField,
		content_type: textField,
		content_length: integerField,
	},
	prepare: async ({ context }, { source: { files }, options }) => {
		const { fileName, contentType } = options;
		if (files.length > 1 && (fileName ?? contentType) !== undefined) {
			const field = fileName === undefined ? 'Content Type' : 'File Name';
			throw invalidInput(parameterMessages.fileNameForSeveral, { field, count: files.length });
		}
		return await Promise.all(
			files.map(async (file) => await inspectFile(context.helpers, file, options)),
		);
	},
	execute: async ({ client, context }, _values, files) =>
		await mapConcurrently(files, CONCURRENT_FILES, async (file) => {
			const job_id = await uploadFile(client, context.helpers, file);
			return {
				json: {
					job_id,
					file_name: file.fileName,
					content_type: file.contentType,
					content_length: file.contentLength,
				},
			};
		}),
});

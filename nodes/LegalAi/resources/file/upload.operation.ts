import type { INodeProperties } from 'n8n-workflow';

import { isRecord, textOrNull } from '../../api/json';
import { binaryFields, fieldNamesIn, INPUT_FIELD } from '../../files/binaryFields';
import { sideBySide } from '../../files/sideBySide';
import { planUpload, upload as uploadFile, type UploadOverrides } from '../../files/upload';
import type { Operation, Run } from '../../operation';
import { refusal } from '../../parameters';

const fileSource: INodeProperties = {
	displayName: 'File Source',
	name: 'fileSource',
	type: 'options',
	default: 'binary',
	description: 'Which files of the input item to send',
	options: [
		{
			name: 'All Binary Fields',
			value: 'allBinary',
			description: 'Every file of the item, e.g. all attachments of an e-mail',
		},
		{ name: 'Binary Field', value: 'binary', description: 'One or several files, by the names of their fields' },
	],
};

const binaryPropertyName: INodeProperties = {
	displayName: INPUT_FIELD,
	name: 'binaryPropertyName',
	type: 'string',
	default: 'data',
	required: true,
	displayOptions: { show: { fileSource: ['binary'] } },
	placeholder: 'e.g. attachment_0, attachment_1',
	hint: 'The name of the input field that holds the file; several are separated by commas',
};

const options: INodeProperties = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add Option',
	default: {},
	options: [
		{
			displayName: 'Content Type',
			name: 'contentType',
			type: 'string',
			default: '',
			placeholder: 'e.g. application/pdf',
			description: 'What to take the file for, in place of what the binary field says',
		},
		{
			displayName: 'File Name',
			name: 'fileName',
			type: 'string',
			default: '',
			placeholder: 'e.g. contract.pdf',
			description: 'What to call the file, in place of what the binary field says',
		},
	],
};

/** POST /files/upload-url, then the file to the address that gives: one output item a file. */
export const upload: Operation = {
	option: {
		name: 'Upload',
		value: 'upload',
		action: 'Upload file',
		description: 'Send contracts and other files, to attach them to questions later',
	},
	fields: [fileSource, binaryPropertyName, options],
	plan: async (run, itemIndex) => {
		const fieldNames = readFieldNames(run, itemIndex);
		const overrides = readOverrides(run, itemIndex, fieldNames.length);
		const planned = await Promise.all(
			fieldNames.map(async (fieldName) => await planUpload(run, itemIndex, fieldName, overrides)),
		);
		return {
			perform: async () => await sideBySide(planned, async (file) => ({ json: await uploadFile(run, file) })),
		};
	},
};

function readFieldNames(run: Run, itemIndex: number): string[] {
	const { context } = run;
	return context.getNodeParameter('fileSource', itemIndex, 'binary') === 'allBinary'
		? Object.keys(binaryFields(run, itemIndex))
		: fieldNamesIn(run, itemIndex, context.getNodeParameter('binaryPropertyName', itemIndex, 'data'));
}

function readOverrides(run: Run, itemIndex: number, fileCount: number): UploadOverrides {
	const chosen: unknown = run.context.getNodeParameter('options', itemIndex, {});
	const { fileName, contentType } = isRecord(chosen) ? chosen : {};
	const overrides = {
		fileName: textOrNull(fileName)?.trim() || undefined,
		contentType: textOrNull(contentType)?.trim() || undefined,
	};
	if (fileCount > 1 && (overrides.fileName ?? overrides.contentType) !== undefined) {
		const option = overrides.fileName === undefined ? 'Content Type' : 'File Name';
		throw refusal(
			run,
			itemIndex,
			`'${option}' can not be the same for ${fileCount} files`,
			`Remove the option, or name one field in '${INPUT_FIELD}': each file then goes by what its field says.`,
		);
	}
	return overrides;
}

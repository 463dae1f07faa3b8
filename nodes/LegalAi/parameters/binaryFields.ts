import type { IBinaryData, INodeProperties } from 'n8n-workflow';

import {
	fillTemplate,
	InvalidInputError,
	parameterDetails,
	parameterMessages,
	type UserMessage,
} from '../messages';
import { number } from './number';
import {
	converted,
	required,
	withDefault,
	type FieldDetails,
	type ItemScope,
	type Parameter,
} from './parameter';
import { list, text } from './text';

/** A file of an input item, and the binary field that it is in. */
export interface InputFile {
	fieldName: string;
	binary: IBinaryData;
}

/** A binary field that the item lacks, although other items of the input have it. */
export interface MissingFile {
	fieldName: string;
	binary?: undefined;
	reason: UserMessage;
}

/** The JSON field with an item's files in a workflow that has `binaryMode: combined` set. n8n 1 has no constant for it. */
export const FILES_IN_JSON = '_files';

/** Files of the item, by the names of their binary fields; those that it lacks are given as missing if other items have them. */
export const binaryFieldsIfAny: Parameter<Array<InputFile | MissingFile>> = converted(
	required(
		list('binaryPropertyName', 'Input Binary Field', {
			default: 'data',
			placeholder: 'e.g. attachment_0, attachment_1',
			hint: 'The name of the input binary field that contains the file. Separate several names with commas.',
		}),
		parameterDetails.enterBinaryField,
	),
	(names, item) => [...new Set(names)].map((fieldName) => findFile(item, fieldName)),
);

/** Files of the item, by the names of their binary fields. */
export const binaryFields: Parameter<InputFile[]> = converted(binaryFieldsIfAny, (files) =>
	files.map((file) => {
		if (file.binary === undefined) throw new InvalidInputError(file.reason);
		return file;
	}),
);

function findFile({ files, isFileField }: ItemScope, fieldName: string): InputFile | MissingFile {
	const name = Object.hasOwn(files, fieldName)
		? fieldName
		: fieldName.replace(`${FILES_IN_JSON}.`, '');
	const binary = Object.hasOwn(files, name) ? files[name] : undefined;
	if (binary !== undefined) return { fieldName, binary };

	const fields = Object.keys(files).join(', ') || 'none';
	const reason = fillTemplate(parameterMessages.noBinaryField, { field: fieldName, fields });
	if (!isFileField(name)) throw new InvalidInputError(reason);
	return { fieldName, reason };
}

/** All files of an item, for sources that need no field of the editor. */
export const allFiles: Parameter<InputFile[]> = {
	properties: [],
	read: (_raw, { files }) =>
		Object.entries(files).map(([fieldName, binary]) => ({ fieldName, binary })),
};

/** What the binary fields of downloaded files are called, before their numbers. */
export function filePrefix(more: FieldDetails = {}): Parameter<string> {
	const preset = 'file_';
	const field = text('outputPrefix', 'File Field Prefix', {
		default: preset,
		placeholder: 'e.g. file_',
		description:
			'Beginning of the names of the binary fields for downloaded files, e.g. file_ for file_0, file_1 and so on. They are added to the files of the input item, and replace those with the same names.',
		...more,
	});
	return withDefault(field, preset);
}

/** How large a downloaded file may be, in MB. */
export function maxFileSize(
	more: Pick<INodeProperties, 'noDataExpression'> = {},
): Parameter<number> {
	return number(
		'maxFileSize',
		'Max File Size (MB)',
		{
			default: 100,
			description:
				'The largest file to download. A larger file is not downloaded, and the item fails.',
			...more,
		},
		{ min: 1, max: 10_000 },
	);
}

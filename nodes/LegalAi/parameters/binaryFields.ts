import type { IBinaryData } from 'n8n-workflow';

import { parameterMessages } from '../messages/parameterMessages';
import { fillTemplate, InvalidInputError } from '../messages/template';
import { parseList } from './list';
import { parameterOf, type ItemScope, type Parameter } from './parameter';

/** A file of an input item, and the binary field that it is in. */
export interface InputFile {
	fieldName: string;
	binary: IBinaryData;
}

/** The JSON field in which a workflow with the setting `binaryMode: combined` has an item's files. n8n 1 has no constant for it. */
export const FILES_IN_JSON = '_files';

/** Files of the item, by the names of their binary fields. */
export function binaryFields(): Parameter<InputFile[]> {
	return parameterOf(
		{
			displayName: 'Input Binary Field',
			name: 'binaryPropertyName',
			type: 'string',
			default: 'data',
			required: true,
			placeholder: 'e.g. attachment_0, attachment_1',
			hint: 'The name of the input binary field that contains the file. Separate several names with commas.',
		},
		(value, item) => {
			const names = parseList(value === undefined ? 'data' : value, 'Input Binary Field') ?? [];
			if (names.length === 0) throw new InvalidInputError(fillTemplate(parameterMessages.binaryFieldEmpty));
			return [...new Set(names)].map((fieldName) => findFile(item, fieldName));
		},
	);
}

function findFile({ files }: ItemScope, fieldName: string): InputFile {
	const name = Object.hasOwn(files, fieldName) ? fieldName : fieldName.replace(`${FILES_IN_JSON}.`, '');
	const binary = Object.hasOwn(files, name) ? files[name] : undefined;
	if (binary !== undefined) return { fieldName, binary };

	const names = Object.keys(files);
	throw new InvalidInputError(
		names.length === 0
			? fillTemplate(parameterMessages.noBinaryField, { field: fieldName })
			: fillTemplate(parameterMessages.noSuchBinaryField, { field: fieldName, fields: names.join(', ') }),
	);
}

/** All files of an item, for sources that need no field of the editor. */
export const allFiles: Parameter<InputFile[]> = {
	properties: [],
	read: (_raw, { files }) => Object.entries(files).map(([fieldName, binary]) => ({ fieldName, binary })),
};

import {
	BINARY_ENCODING,
	isBinaryValue,
	type IBinaryData,
	type IBinaryKeyData,
	type IExecuteFunctions,
	type IWebhookFunctions,
} from 'n8n-workflow';

import { isRecord } from '../api/json';
import type { Run } from '../operation';
import { refusal } from '../parameters';

/** Where a workflow with the setting `binaryMode: combined` has an item's files. n8n 1 has no constants for it. */
const FILES_IN_JSON = '_files';

export const INPUT_FIELD = 'Input Binary Field';

/** The n8n contexts that have binary data. */
export type FileContext = IExecuteFunctions | IWebhookFunctions;

/** A file as a stream: what n8n's own helpers hand out. */
export type FileStream = Awaited<ReturnType<FileContext['helpers']['getBinaryStream']>>;

/** The files of an input item by the names of their fields, wherever the workflow's settings have n8n put them. */
export function binaryFields({ context }: Run, itemIndex: number): IBinaryKeyData {
	const item = context.getInputData()[itemIndex];
	const fields: IBinaryKeyData = { ...item?.binary };
	const inJson: unknown = item?.json[FILES_IN_JSON];
	if (context.getWorkflowSettings().binaryMode === 'combined' && isRecord(inJson)) {
		for (const [name, value] of Object.entries(inJson)) {
			if (isBinaryValue(value)) fields[name] = value;
		}
	}
	return fields;
}

/** The names in a comma-separated 'Input Binary Field', each once. */
export function fieldNamesIn(run: Run, itemIndex: number, value: unknown): string[] {
	const names = String(value ?? '')
		.split(',')
		.map((name) => name.trim())
		.filter((name) => name !== '');
	if (names.length > 0) return [...new Set(names)];
	throw refusal(
		run,
		itemIndex,
		`'${INPUT_FIELD}' is empty`,
		'Enter the name of the binary field that holds the file, e.g. data. Several are separated by commas.',
	);
}

/** The file in one binary field of an input item. */
export function binaryField(run: Run, itemIndex: number, fieldName: string): IBinaryData {
	const fields = binaryFields(run, itemIndex);
	const name = Object.hasOwn(fields, fieldName) ? fieldName : fieldName.replace(`${FILES_IN_JSON}.`, '');
	const binary = Object.hasOwn(fields, name) ? fields[name] : undefined;
	if (binary !== undefined) return binary;

	const names = Object.keys(fields).map((present) => `'${present}'`);
	throw refusal(
		run,
		itemIndex,
		`'${INPUT_FIELD}' names '${fieldName}', but the item has no such binary field`,
		names.length === 0
			? 'The item has no binary field at all. Check that the node before outputs files.'
			: `The item has ${names.join(', ')}. Enter one of them, or several separated by commas.`,
	);
}

/** How many bytes a file has, without reading it. */
export async function contentLengthOf(context: FileContext, binary: IBinaryData): Promise<number> {
	if (binary.id) return (await context.helpers.getBinaryMetadata(binary.id)).fileSize;
	const padding = /={0,2}$/.exec(binary.data)?.[0].length ?? 0;
	return Math.floor(((binary.data.length - padding) * 3) / 4);
}

/** A file from its first byte: a stream of its own each time where n8n stores files, else the bytes in memory. */
export async function openFile(context: FileContext, binary: IBinaryData): Promise<FileStream | Buffer> {
	if (binary.id) return await context.helpers.getBinaryStream(binary.id);
	return Buffer.from(binary.data, BINARY_ENCODING);
}

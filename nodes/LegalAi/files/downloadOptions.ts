import type { INodeProperties } from 'n8n-workflow';

/** Whether an answer's files come along. No expression: it is read for all items at once, when they come out. */
export const downloadFilesOption: INodeProperties = {
	displayName: 'Download Files',
	name: 'downloadFiles',
	type: 'boolean',
	noDataExpression: true,
	default: false,
	description: 'Whether to bring the files generated with the answer along as binary data',
};

/** What the binary fields of downloaded files are called. */
export const outputPrefixOption: INodeProperties = {
	displayName: 'Output Prefix',
	name: 'outputPrefix',
	type: 'string',
	noDataExpression: true,
	default: 'file_',
	placeholder: 'e.g. file_',
	description: 'Name of the binary fields for downloaded files, which are numbered from 0',
};

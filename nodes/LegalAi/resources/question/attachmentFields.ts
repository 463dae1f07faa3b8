import { isRecord, textOrNull } from '../../api/json';
import { type Field, type Fields, type Item, shownIf, type Values } from '../../fields/field';
import { allFiles, fileNamesField } from '../../fields/files';
import { readAddresses, readWords } from '../../fields/readers';

const entry = {
	source: {
		displayName: 'Source',
		type: 'options',
		default: 'allBinary',
		typeOptions: { showEvenWhenOptional: true },
		description: 'Where the file comes from',
		options: {
			allBinary: {
				name: 'All Binary Fields',
				description: 'Every file of the input item, e.g. all attachments of an email',
			},
			binary: { name: 'Binary Field', description: 'One or more files of the input item' },
			uploadJob: {
				name: 'Upload Job',
				description: 'Files that were uploaded earlier with the "File" resource',
			},
			url: { name: 'URL', description: 'Files at public addresses, which the service downloads' },
		},
	},
	binaryPropertyName: { ...fileNamesField, ...shownIf('source', 'binary') },
	uploadJobId: {
		displayName: 'Upload Job ID',
		type: 'string',
		required: true,
		...shownIf('source', 'uploadJob'),
		placeholder: 'e.g. {{ $json.job_id }}',
		description:
			'The job_id from the output of the upload. Separate several with commas, or use a list from an expression. Files are kept for 30 days.',
		advice:
			'Enter the job_id from the output of the "Upload" operation of the "File" resource, or remove the attachment.',
		read: (value, field, { json }) =>
			readWords(value, field).map((jobId) => ({ jobId, fileName: findUploadedName(json, jobId) })),
	},
	url: {
		displayName: 'URL',
		type: 'string',
		required: true,
		...shownIf('source', 'url'),
		placeholder: 'e.g. https://example.com/contract.pdf',
		description:
			'Address of the file. The service must be able to open it without signing in. Separate several with commas, or use a list from an expression.',
		read: readAddresses,
	},
	unzip: {
		displayName: 'Unzip',
		type: 'boolean',
		default: false,
		typeOptions: { showEvenWhenOptional: true },
		description: 'Whether to unpack ZIP archives and read each file in them',
	},
} satisfies Fields;

export type AttachmentEntry = Values<typeof entry>;

/** The name of an uploaded file, if the item is the output of its upload, or has it in a list, e.g. from an Aggregate node. */
function findUploadedName(json: Item['json'], jobId: string) {
	const uploads: unknown[] = [json, ...Object.values(json).flat()];
	const upload = uploads.filter(isRecord).find(({ job_id }) => job_id === jobId);
	return textOrNull(upload?.file_name);
}

/** Attachments of a question: files of the item, earlier uploads, and public addresses. */
export const attachments = {
	displayName: 'Attachments',
	type: 'fixedCollection',
	placeholder: 'Add Attachment',
	description: 'Contracts and other files that the question is about (at most 10)',
	entry: 'Attachment',
	options: entry,
	read: (entries, _field, { files }) =>
		(entries as AttachmentEntry[]).map((each) =>
			each.source === 'allBinary' ? { ...each, binaryPropertyName: allFiles(files) } : each,
		),
} satisfies Field;

const fail = { name: 'Fail the Item', description: 'The item fails before anything is asked' };

/** Options for files that are missing or not supported. */
export const fileOptions = {
	noFileFound: {
		displayName: 'If No File Is Found',
		type: 'options',
		default: 'fail',
		description: 'What to do with an item that lacks a file to attach',
		options: {
			ask: { name: 'Ask Anyway', description: 'Ask the question without a file, and show a hint' },
			fail,
		},
	},
	unsupportedFiles: {
		displayName: "If a File Can't Be Sent",
		type: 'options',
		default: 'fail',
		description:
			"What to do with files that the service can't read, or that are too large or too many",
		options: {
			fail,
			skip: {
				name: 'Skip the File',
				description:
					'Ask without the file, and list it in "skipped_files". If there are more than ten files, documents are sent first.',
			},
		},
	},
} satisfies Fields;

export type FileOptions = Values<typeof fileOptions>;

import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { Attachment } from '../api/question';
import type { Run } from '../operation';
import { refusal } from '../parameters';
import { binaryFields, fieldNamesIn, INPUT_FIELD } from './binaryFields';
import { isWebAddress } from './fileStore';
import { ZIP_CONTENT_TYPE } from './mediaTypes';
import { sideBySide } from './sideBySide';
import { planUpload, upload } from './upload';

/** An item's attachments, checked; `upload` sends those that are files, and gives all of them in their order. */
export interface PlannedAttachments {
	upload: () => Promise<Attachment[]>;
}

type PlannedAttachment = () => Promise<Attachment>;

const MOST_ATTACHMENTS = 10;

const source: INodeProperties = {
	displayName: 'Source',
	name: 'source',
	type: 'options',
	description: 'Where the file comes from',
	options: [
		{
			name: 'All Binary Fields',
			value: 'allBinary',
			description: 'Every file of the input item, e.g. all attachments of an e-mail',
		},
		{
			name: 'Binary Field',
			value: 'binary',
			description: 'One or several files of the input item',
		},
		{
			name: 'Upload Job',
			value: 'uploadJob',
			description: "A file sent before with the resource 'File'",
		},
		{
			name: 'URL',
			value: 'url',
			description: 'A file at a public address, which the service fetches itself',
		},
	],
	default: 'allBinary',
};

const binaryPropertyName: INodeProperties = {
	displayName: INPUT_FIELD,
	name: 'binaryPropertyName',
	type: 'string',
	displayOptions: { show: { source: ['binary'] } },
	placeholder: 'e.g. attachment_0, attachment_1',
	hint: 'The name of the input field that holds the file; several are separated by commas',
	default: 'data',
};

const uploadJobId: INodeProperties = {
	displayName: 'Upload Job ID',
	name: 'uploadJobId',
	type: 'string',
	displayOptions: { show: { source: ['uploadJob'] } },
	placeholder: 'e.g. {{ $json.job_id }}',
	description: 'The job_id that uploading the file gave. Files are kept for 30 days.',
	default: '',
};

const url: INodeProperties = {
	displayName: 'URL',
	name: 'url',
	type: 'string',
	displayOptions: { show: { source: ['url'] } },
	placeholder: 'e.g. https://example.com/contract.pdf',
	description: 'Address of the file; the service must be able to open it without signing in',
	default: '',
};

const unzip: INodeProperties = {
	displayName: 'Unzip',
	name: 'unzip',
	type: 'boolean',
	description: 'Whether to unpack a ZIP archive and read each file in it',
	default: false,
};

/** What goes with a question: files of the item, earlier uploads, and public addresses. */
export const attachmentsField: INodeProperties = {
	displayName: 'Attachments',
	name: 'attachments',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	placeholder: 'Add Attachment',
	description: 'Contracts and other files to answer the question from, at most 10',
	default: {},
	options: [
		{
			displayName: 'Attachment',
			name: 'attachment',
			values: [source, binaryPropertyName, uploadJobId, url, unzip],
		},
	],
};

/** Reads and checks an item's attachments; sends nothing. */
export async function planAttachments(run: Run, itemIndex: number): Promise<PlannedAttachments> {
	const entries = readEntries(run.context.getNodeParameter('attachments.attachment', itemIndex, []));
	const planned: PlannedAttachment[] = [];
	for (const entry of entries) planned.push(...(await planEntry(run, itemIndex, entry)));
	if (planned.length > MOST_ATTACHMENTS) {
		throw refusal(
			run,
			itemIndex,
			`'Attachments' come to ${planned.length} files where a question takes ${MOST_ATTACHMENTS}`,
			"Leave some out, or send them as one ZIP archive with 'Unzip' on.",
		);
	}
	return { upload: async () => await sideBySide(planned, async (attach) => await attach()) };
}

async function planEntry(run: Run, itemIndex: number, entry: IDataObject): Promise<PlannedAttachment[]> {
	const unpacked = entry.unzip === true ? { unzip: true } : {};
	switch (entry.source ?? 'allBinary') {
		case 'allBinary':
			return await planFiles(run, itemIndex, Object.keys(binaryFields(run, itemIndex)), unpacked);
		case 'binary':
			return await planFiles(run, itemIndex, fieldNamesIn(run, itemIndex, entry.binaryPropertyName ?? 'data'), unpacked);
		case 'uploadJob': {
			const jobId = String(entry.uploadJobId ?? '').trim();
			if (jobId === '') {
				throw refusal(
					run,
					itemIndex,
					"'Upload Job ID' of an attachment is empty",
					"Enter the job_id that the 'Upload' operation of the resource 'File' gave, or remove the attachment.",
				);
			}
			return [async () => ({ upload_job_id: jobId, ...unpacked })];
		}
		case 'url': {
			const address = String(entry.url ?? '').trim();
			if (!isWebAddress(address)) {
				throw refusal(
					run,
					itemIndex,
					address === ''
						? "'URL' of an attachment is empty"
						: `'URL' of an attachment is not a web address: ${address.slice(0, 100)}`,
					'Enter an address in full that anybody can open, e.g. https://example.com/contract.pdf.',
				);
			}
			return [async () => ({ url: address, ...unpacked })];
		}
		default:
			throw refusal(
				run,
				itemIndex,
				`'Source' of an attachment is none of its options: ${String(entry.source).slice(0, 100)}`,
				'Use allBinary, binary, uploadJob or url.',
			);
	}
}

async function planFiles(
	run: Run,
	itemIndex: number,
	fieldNames: string[],
	unpacked: { unzip?: boolean },
): Promise<PlannedAttachment[]> {
	const uploads = await Promise.all(fieldNames.map(async (name) => await planUpload(run, itemIndex, name)));
	return uploads.map((planned) => async () => {
		const { job_id: jobId } = await upload(run, planned);
		return { upload_job_id: jobId, ...(planned.contentType === ZIP_CONTENT_TYPE ? unpacked : {}) };
	});
}

function readEntries(value: unknown): IDataObject[] {
	const entries: unknown[] = Array.isArray(value) ? value : [value];
	return entries.filter((entry): entry is IDataObject => typeof entry === 'object' && entry !== null);
}

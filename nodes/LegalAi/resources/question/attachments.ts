import { mapConcurrently } from '../../api/mapConcurrently';
import type { Attachment } from '../../api/questions';
import type { LegalAiClient } from '../../api/client';
import { CONCURRENT_FILES, type BinaryHelpers } from '../../files/binaryData';
import { ZIP_CONTENT_TYPE } from '../../files/mediaTypes';
import { describeFile } from '../../files/fileDescription';
import { inspectFile, uploadFile, type NamedFile, type UploadableFile } from '../../files/upload';
import { fileMessages } from '../../messages/fileMessages';
import { parameterDetails } from '../../messages/parameterMessages';
import { fillTemplate, invalidInput, InvalidInputError, type UserMessage } from '../../messages/template';
import { allFiles, binaryFieldsIfAny } from '../../parameters/binaryFields';
import { toggle, variants } from '../../parameters/choice';
import { repeated } from '../../parameters/collection';
import { list, webAddresses } from '../../parameters/list';
import { required, type ValuesOf } from '../../parameters/parameter';

/** "Attachments" in the API's limits. */
const MAX_ATTACHMENTS = 10;

const entry = {
	source: variants(
		{ displayName: 'Source', name: 'source', default: 'allBinary', description: 'Where the file comes from' },
		{
			allBinary: {
				name: 'All Binary Fields',
				description: 'Every file of the input item, e.g. all attachments of an email',
				parameters: { files: allFiles },
			},
			binary: {
				name: 'Binary Field',
				description: 'One or more files of the input item',
				parameters: { files: binaryFieldsIfAny },
			},
			uploadJob: {
				name: 'Upload Job',
				description: 'Files that were uploaded before with the "File" resource',
				parameters: {
					jobIds: required(
						list({
							displayName: 'Upload Job ID',
							name: 'uploadJobId',
							placeholder: 'e.g. {{ $json.job_id }}',
							description: 'The job_id from the output of the upload. Separate several with commas, or use a list from an expression. Files are kept for 30 days.',
						}),
						parameterDetails.enterUploadJob,
					),
				},
			},
			url: {
				name: 'URL',
				description: 'Files at public addresses, which the service downloads',
				parameters: {
					urls: webAddresses({
						displayName: 'URL',
						name: 'url',
						placeholder: 'e.g. https://example.com/contract.pdf',
						description: 'Address of the file. The service must be able to open it without signing in. Separate several with commas, or use a list from an expression.',
					}),
				},
			},
		},
	),
	unzip: toggle({
		displayName: 'Unzip',
		name: 'unzip',
		default: false,
		description: 'Whether to unpack ZIP archives and read each file in them',
	}),
};

/** What goes with a question: files of the item, earlier uploads, and public addresses. */
export const attachments = repeated(
	{
		displayName: 'Attachments',
		name: 'attachments',
		placeholder: 'Add Attachment',
		description: 'Contracts and other files to answer the question from, at most 10',
	},
	{ displayName: 'Attachment', name: 'attachment' },
	entry,
);

/** A file that is not sent with the question, and why. */
export interface SkippedFile {
	file_name: string;
	reason: string;
}

/** A question's attachments, checked; nothing was sent yet. */
export interface PreparedAttachments {
	attachments: PreparedAttachment[];
	skipped: SkippedFile[];
	/** Whether files were asked for and there were none. */
	isMissingFiles: boolean;
}

type PreparedAttachment = { name: string; send: (client: LegalAiClient, helpers: BinaryHelpers) => Promise<Attachment> };

/** What the user wants to happen to files that can't be sent, and to items without a file. */
export interface AttachmentOptions {
	unsupportedFiles: 'fail' | 'skip';
	noFileFound: 'ask' | 'fail';
}

/**
 * Checks attachments; sends nothing.
 *
 * @throws {InvalidInputError}
 */
export async function prepareAttachments(
	helpers: BinaryHelpers,
	entries: Array<ValuesOf<typeof entry>>,
	{ unsupportedFiles, noFileFound }: AttachmentOptions,
): Promise<PreparedAttachments> {
	const prepared: PreparedAttachments = { attachments: [], skipped: [], isMissingFiles: false };
	const missing: SkippedFile[] = [];
	const fileCounts: number[] = [];
	for (const { source, unzip } of entries) {
		const unpacked = unzip ? { unzip } : {};
		switch (source.kind) {
			case 'uploadJob':
				for (const upload_job_id of source.jobIds) {
					prepared.attachments.push({ name: upload_job_id, send: async () => ({ upload_job_id, ...unpacked }) });
				}
				break;
			case 'url':
				for (const url of source.urls) {
					// An address may be signed: its query is not shown.
					prepared.attachments.push({ name: describeFile({ url }, {}).fileName, send: async () => ({ url, ...unpacked }) });
				}
				break;
			default:
				fileCounts.push(source.files.filter(({ binary }) => binary !== undefined).length);
				for (const file of source.files) {
					if (file.binary === undefined) {
						if (noFileFound === 'fail') throw new InvalidInputError(file.reason);
						missing.push({ file_name: file.fieldName, reason: file.reason.message });
						continue;
					}
					const inspected = await inspectFile(helpers, file).catch((error: unknown) => {
						if (!(error instanceof InvalidInputError)) throw error;
						if (unsupportedFiles === 'fail') throw withAdviceToSkip(error);
						prepared.skipped.push({ file_name: nameOf(file), reason: error.message });
						return undefined;
					});
					if (inspected !== undefined) prepared.attachments.push(fileAttachment(inspected, unpacked));
				}
		}
	}
	prepared.isMissingFiles = fileCounts.length > 0 && fileCounts.every((count) => count === 0);
	if (prepared.isMissingFiles && noFileFound === 'fail') throw invalidInput(fileMessages.noFileFound);
	// A question without any file has a hint of its own.
	if (prepared.attachments.length > 0) prepared.skipped.push(...missing);
	return withinLimit(prepared, unsupportedFiles);
}

/** Uploads the files among the attachments, and returns all attachments in their order. */
export async function sendAttachments(
	client: LegalAiClient,
	helpers: BinaryHelpers,
	{ attachments: prepared }: PreparedAttachments,
): Promise<Attachment[]> {
	return await mapConcurrently(prepared, CONCURRENT_FILES, async ({ send }) => await send(client, helpers));
}

function withinLimit(prepared: PreparedAttachments, unsupportedFiles: AttachmentOptions['unsupportedFiles']): PreparedAttachments {
	const surplus = prepared.attachments.slice(MAX_ATTACHMENTS);
	if (surplus.length === 0) return prepared;
	const tooMany = fillTemplate(fileMessages.tooManyAttachments, { count: prepared.attachments.length, limit: MAX_ATTACHMENTS });
	if (unsupportedFiles === 'fail') throw withAdviceToSkip(tooMany);
	return {
		...prepared,
		attachments: prepared.attachments.slice(0, MAX_ATTACHMENTS),
		skipped: [...prepared.skipped, ...surplus.map(({ name }) => ({ file_name: name, reason: tooMany.message }))],
	};
}

function withAdviceToSkip({ message, description }: UserMessage): InvalidInputError {
	return new InvalidInputError({ message, description: `${description} ${parameterDetails.skipFiles}` });
}

function fileAttachment(file: UploadableFile, unpacked: { unzip?: boolean }): PreparedAttachment {
	return {
		name: file.fileName,
		send: async (client, helpers) => {
			const { job_id } = await uploadFile(client, helpers, file);
			return { upload_job_id: job_id, ...(file.contentType === ZIP_CONTENT_TYPE ? unpacked : {}) };
		},
	};
}

function nameOf({ fieldName, binary }: NamedFile): string {
	return binary.fileName || fieldName;
}

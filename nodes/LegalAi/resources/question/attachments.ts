import { type Attachment, SERVICE_LIMITS } from '../../api';
import type { ItemRun } from '../../execution/itemRun';
import { nameOf, type BinaryHelpers } from '../../files/binaryData';
import { describeFile } from '../../files/fileName';
import { ZIP_CONTENT_TYPE } from '../../files/mediaTypes';
import { inspectFile, uploadFile, type UploadableFile } from '../../files/upload';
import {
	fileMessages,
	fillTemplate,
	invalidInput,
	InvalidInputError,
	parameterDetails,
	type UserMessage,
} from '../../messages';
import {
	allFiles,
	binaryFieldsIfAny,
	list,
	repeated,
	required,
	toggle,
	variants,
	webAddresses,
	type ValuesOf,
} from '../../parameters';

const entry = {
	source: variants(
		'source',
		'Source',
		{
			default: 'allBinary',
			typeOptions: { showEvenWhenOptional: true },
			description: 'Where the file comes from',
		},
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
				description: 'Files that were uploaded earlier with the "File" resource',
				parameters: {
					jobIds: required(
						list('uploadJobId', 'Upload Job ID', {
							placeholder: 'e.g. {{ $json.job_id }}',
							description:
								'The job_id from the output of the upload. Separate several with commas, or use a list from an expression. Files are kept for 30 days.',
						}),
						parameterDetails.enterUploadJob,
					),
				},
			},
			url: {
				name: 'URL',
				description: 'Files at public addresses, which the service downloads',
				parameters: {
					urls: webAddresses('url', 'URL', {
						placeholder: 'e.g. https://example.com/contract.pdf',
						description:
							'Address of the file. The service must be able to open it without signing in. Separate several with commas, or use a list from an expression.',
					}),
				},
			},
		},
	),
	unzip: toggle('unzip', 'Unzip', {
		default: false,
		description: 'Whether to unpack ZIP archives and read each file in them',
	}),
};

/** What goes with a question: files of the item, earlier uploads, and public addresses. */
export const attachments = repeated(
	'attachments',
	'Attachments',
	{
		placeholder: 'Add Attachment',
		description: 'Contracts and other files that the question is about (at most 10)',
	},
	{ displayName: 'Attachment', name: 'attachment' },
	entry,
);

/** A question's attachments, checked; nothing was sent yet. */
export interface PreparedAttachments {
	attachments: PreparedAttachment[];
	/** Files that are not sent with the question, and why. */
	skipped: Array<{ file_name: string; reason: string }>;
	/** Whether files were asked for and there were none. */
	isMissingFiles: boolean;
}

interface PreparedAttachment {
	file: { fileName: string; contentType?: string };
	send: (item: ItemRun) => Promise<Attachment>;
}

/**
 * Checks attachments; sends nothing.
 *
 * @throws {InvalidInputError}
 */
export async function prepareAttachments(
	helpers: BinaryHelpers,
	entries: Array<ValuesOf<typeof entry>>,
	{
		unsupportedFiles,
		noFileFound,
	}: { unsupportedFiles: 'fail' | 'skip'; noFileFound: 'ask' | 'fail' },
): Promise<PreparedAttachments> {
	const sources = entries.flatMap(({ source }) => ('files' in source ? [source.files] : []));
	const files = sources.flat();
	const isMissingFiles = sources.length > 0 && files.every((file) => file.binary === undefined);
	const missing = files.find((file) => file.binary === undefined);
	if (noFileFound === 'fail' && missing !== undefined) throw new InvalidInputError(missing.reason);
	if (noFileFound === 'fail' && isMissingFiles) throw invalidInput(fileMessages.noFileFound);

	const attachments: PreparedAttachment[] = [];
	const skipped: PreparedAttachments['skipped'] = [];
	const skip = (file_name: string, { message, description }: UserMessage): void => {
		const withAdvice = `${description} ${parameterDetails.skipFiles}`;
		if (unsupportedFiles === 'fail')
			throw new InvalidInputError({ message, description: withAdvice });
		skipped.push({ file_name, reason: message });
	};
	for (const { source, unzip } of entries) {
		const unpacked = unzip ? { unzip } : {};
		if (source.kind === 'uploadJob') {
			for (const id of source.jobIds)
				attachments.push({
					file: { fileName: id },
					send: async () => ({ upload_job_id: id, ...unpacked }),
				});
		} else if (source.kind === 'url') {
			// An address may be signed: its query is not shown.
			for (const url of source.urls)
				attachments.push({
					file: describeFile({ url }, {}),
					send: async () => ({ url, ...unpacked }),
				});
		} else {
			for (const file of source.files) {
				if (file.binary === undefined) {
					skipped.push({ file_name: file.fieldName, reason: file.reason.message });
					continue;
				}
				await inspectFile(helpers, file).then(
					(inspected) =>
						attachments.push({
							file: inspected,
							send: async (item) => await upload(item, file.fieldName, inspected, unpacked),
						}),
					(error: unknown) => {
						if (!(error instanceof InvalidInputError)) throw error;
						skip(nameOf(file), error);
					},
				);
			}
		}
	}

	const limit = SERVICE_LIMITS.attachments;
	if (unsupportedFiles === 'skip' && attachments.length > limit) {
		// An email has a contract, and pictures of its signatures.
		const rank = ({ file }: PreparedAttachment): number =>
			Number(/^(image|audio|video)\//.test(file.contentType ?? ''));
		attachments.sort((one, other) => rank(one) - rank(other));
	}
	const tooMany = fillTemplate(fileMessages.tooManyAttachments, {
		count: attachments.length,
		limit,
	});
	for (const { file } of attachments.splice(limit)) skip(file.fileName, tooMany);
	// A question without any file has a hint of its own.
	return {
		attachments,
		skipped: isMissingFiles && attachments.length === 0 ? [] : skipped,
		isMissingFiles,
	};
}

/** Uploads a file unless that was done before. */
async function upload(
	item: ItemRun,
	field: string,
	file: UploadableFile,
	unpacked: { unzip?: boolean },
): Promise<Attachment> {
	const earlier = item.uploads.find((each) => each.field === field);
	const jobId = earlier?.jobId ?? (await uploadFile(item.client, item.context.helpers, file));
	if (earlier === undefined) item.keepUploads([...item.uploads, { field, jobId }]);
	return { upload_job_id: jobId, ...(file.contentType === ZIP_CONTENT_TYPE && unpacked) };
}

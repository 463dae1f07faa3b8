import { mapConcurrently } from '../../api/mapConcurrently';
import type { Attachment } from '../../api/questions';
import type { LegalAiClient } from '../../api/client';
import { CONCURRENT_FILES, type BinaryHelpers } from '../../files/binaryData';
import { ZIP_CONTENT_TYPE } from '../../files/mediaTypes';
import { inspectFile, uploadFile, type NamedFile, type UploadableFile } from '../../files/upload';
import { fileMessages } from '../../messages/fileMessages';
import { parameterMessages } from '../../messages/parameterMessages';
import { fillTemplate, InvalidInputError } from '../../messages/template';
import { allFiles, binaryFields } from '../../parameters/binaryFields';
import { toggle, variants } from '../../parameters/choice';
import { repeated } from '../../parameters/collection';
import { withDefault, type ValuesOf } from '../../parameters/parameter';
import { requiredWord, webAddress } from '../../parameters/text';

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
				parameters: { files: binaryFields() },
			},
			uploadJob: {
				name: 'Upload Job',
				description: 'A file that was uploaded before with the "File" resource',
				parameters: {
					jobId: requiredWord(
						{
							displayName: 'Upload Job ID',
							name: 'uploadJobId',
							placeholder: 'e.g. {{ $json.job_id }}',
							description: 'The job_id from the output of the upload. Files are kept for 30 days.',
						},
						parameterMessages.uploadJobEmpty,
					),
				},
			},
			url: {
				name: 'URL',
				description: 'A file at a public address, which the service downloads',
				parameters: {
					url: webAddress({
						displayName: 'URL',
						name: 'url',
						placeholder: 'e.g. https://example.com/contract.pdf',
						description: 'Address of the file. The service must be able to open it without signing in.',
					}),
				},
			},
		},
	),
	unzip: withDefault(
		toggle({
			displayName: 'Unzip',
			name: 'unzip',
			default: false,
			description: 'Whether to unpack ZIP archives and read each file in them',
		}),
		false,
	),
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

/**
 * Checks attachments; sends nothing.
 *
 * @param skipsUnsupported whether a file that can't be sent is left out rather than an error
 * @throws {InvalidInputError}
 */
export async function prepareAttachments(
	helpers: BinaryHelpers,
	entries: Array<ValuesOf<typeof entry>>,
	skipsUnsupported: boolean,
): Promise<PreparedAttachments> {
	const prepared: PreparedAttachments = { attachments: [], skipped: [], isMissingFiles: false };
	const fileCounts: number[] = [];
	for (const { source, unzip } of entries) {
		const unpacked = unzip ? { unzip } : {};
		switch (source.kind) {
			case 'uploadJob':
				prepared.attachments.push({ name: source.jobId, send: async () => ({ upload_job_id: source.jobId, ...unpacked }) });
				break;
			case 'url':
				prepared.attachments.push({ name: source.url, send: async () => ({ url: source.url, ...unpacked }) });
				break;
			default:
				fileCounts.push(source.files.length);
				for (const file of source.files) {
					const inspected = await inspectFile(helpers, file).catch((error: unknown) => {
						if (!skipsUnsupported || !(error instanceof InvalidInputError)) throw error;
						prepared.skipped.push({ file_name: nameOf(file), reason: error.message });
						return undefined;
					});
					if (inspected !== undefined) prepared.attachments.push(fileAttachment(inspected, unpacked));
				}
		}
	}
	prepared.isMissingFiles = fileCounts.length > 0 && fileCounts.every((count) => count === 0);
	return withinLimit(prepared, skipsUnsupported);
}

/** Sends the files among the attachments, and gives all of them in their order. */
export async function sendAttachments(
	client: LegalAiClient,
	helpers: BinaryHelpers,
	{ attachments: prepared }: PreparedAttachments,
): Promise<Attachment[]> {
	return await mapConcurrently(prepared, CONCURRENT_FILES, async ({ send }) => await send(client, helpers));
}

function withinLimit(prepared: PreparedAttachments, skipsUnsupported: boolean): PreparedAttachments {
	const surplus = prepared.attachments.slice(MAX_ATTACHMENTS);
	if (surplus.length === 0) return prepared;
	const { message, description } = fillTemplate(fileMessages.tooManyAttachments, {
		count: prepared.attachments.length,
		limit: MAX_ATTACHMENTS,
	});
	if (!skipsUnsupported) throw new InvalidInputError({ message, description });
	return {
		...prepared,
		attachments: prepared.attachments.slice(0, MAX_ATTACHMENTS),
		skipped: [...prepared.skipped, ...surplus.map(({ name }) => ({ file_name: name, reason: message }))],
	};
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

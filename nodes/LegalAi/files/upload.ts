import type { IBinaryData, IDataObject } from 'n8n-workflow';

import { ApiFailure } from '../api/failure';
import { isRecord } from '../api/json';
import { withRetries } from '../api/retry';
import type { Run } from '../operation';
import { refusal } from '../parameters';
import { binaryField, contentLengthOf, openFile } from './binaryFields';
import { extensionOf, fileNameToSend } from './fileName';
import { exchangeWithStore, failureOfStore, isAddressGone, presignedAddress } from './fileStore';
import { contentTypeOfFile, supportedContentType, SUPPORTED_KINDS } from './mediaTypes';

/** A file that was found fit for the service, before anything is sent. */
export interface PlannedUpload {
	binary: IBinaryData;
	fieldName: string;
	itemIndex: number;
	fileName: string;
	contentType: string;
	contentLength: number;
}

/** What became of a file that was sent: `content_length` in bytes, name and type as the service was told. */
export interface UploadedFile extends IDataObject {
	job_id: string;
	file_name: string;
	content_type: string;
	content_length: number;
}

/** What a person wants a file to be called, and taken for, in place of what its binary field says. */
export interface UploadOverrides {
	fileName?: string;
	contentType?: string;
}

const LARGEST_FILE = 50 * 1024 * 1024;
/** A line of 1 Mbit/s takes seven minutes for the largest file. */
const UPLOAD_TIMEOUT_MS = 10 * 60_000;
const UPLOAD_PATIENCE_MS = 30 * 60_000;

/**
 * Checks the file in a binary field of an item, and settles its name and type; sends nothing. The type is the
 * one that was asked for, else the file's own where the service reads it, else that of its extension.
 */
export async function planUpload(
	run: Run,
	itemIndex: number,
	fieldName: string,
	overrides: UploadOverrides = {},
): Promise<PlannedUpload> {
	const { context } = run;
	const binary = binaryField(run, itemIndex, fieldName);
	const name = overrides.fileName || binary.fileName || fieldName;
	const refuse = (message: string, description: string): never => {
		throw refusal(run, itemIndex, message, description);
	};

	const contentType = overrides.contentType
		? supportedContentType(overrides.contentType)
		: contentTypeOfFile(binary.mimeType, extensionOf(name) || (binary.fileExtension ?? ''));
	if (contentType === undefined) {
		const declared = overrides.contentType ?? `${binary.mimeType}, named '${name}'`;
		return refuse(
			`The service does not read files like the one in '${fieldName}' (${declared})`,
			`It reads ${SUPPORTED_KINDS}. If the file is one of these, name it with its extension or give its content type.`,
		);
	}

	const contentLength = await contentLengthOf(context, binary).catch(() =>
		refuse(
			`The file in '${fieldName}' is no longer in n8n's storage`,
			'It may have been deleted with the execution it came from. Run the workflow from its start.',
		),
	);
	if (contentLength > LARGEST_FILE) {
		return refuse(
			`The file in '${fieldName}' is too large: ${inMegabytes(contentLength)} MB where the service takes 50 MB`,
			'Split or compress it, or attach it by a public address.',
		);
	}
	return { binary, fieldName, itemIndex, contentType, contentLength, fileName: fileNameToSend(name, contentType) };
}

/**
 * Sends a file to the service. It flows from n8n's storage to the wire; a connection that breaks is tried
 * again from the file's start, and an upload address that is no longer good is renewed once.
 *
 * @throws {ApiFailure}
 */
export async function upload(run: Run, planned: PlannedUpload): Promise<UploadedFile> {
	const jobId = await sendFile(run, planned).catch(async (error: unknown) => {
		return await (isAddressGone(error) ? sendFile(run, planned) : Promise.reject(error));
	});
	return {
		job_id: jobId,
		file_name: planned.fileName,
		content_type: planned.contentType,
		content_length: planned.contentLength,
	};
}

async function createUploadJob(
	{ client }: Run,
	{ fileName, contentType }: PlannedUpload,
): Promise<{ jobId: string; uploadUrl: string }> {
	const answer = await client.request({
		method: 'POST',
		subject: 'other',
		path: ['files', 'upload-url'],
		body: { file_name: fileName, content_type: contentType },
	});
	if (!isRecord(answer) || typeof answer.job_id !== 'string' || answer.job_id === '') {
		throw new ApiFailure('unreadable', { subject: 'other', serviceMessage: 'an upload without a job_id' });
	}
	return { jobId: answer.job_id, uploadUrl: presignedAddress(answer.upload_url, { subject: 'upload', fileName }) };
}

async function sendFile(run: Run, planned: PlannedUpload): Promise<string> {
	const { jobId, uploadUrl } = await createUploadJob(run, planned);
	const patience = { deadline: Date.now() + UPLOAD_PATIENCE_MS, signal: run.signal };
	await withRetries('repeatable', patience, async () => {
		await run.client.slots.run(async () => await putFile(run, planned, uploadUrl));
	});
	return jobId;
}

async function putFile({ context, signal }: Run, planned: PlannedUpload, url: string): Promise<void> {
	const { binary, contentType, contentLength, fileName } = planned;
	const body = await openFile(context, binary);
	try {
		const answer = await exchangeWithStore(context, { subject: 'upload', fileName }, {
			method: 'PUT',
			url,
			headers: { 'Content-Type': contentType, 'Content-Length': contentLength },
			body,
			// Following redirects would mean keeping the whole body in memory for a second sending.
			disableFollowRedirect: true,
			encoding: 'text',
			timeout: UPLOAD_TIMEOUT_MS,
			abortSignal: signal,
		});
		if (answer.status >= 300) throw failureOfStore(answer, { subject: 'upload', fileName });
	} finally {
		if (!Buffer.isBuffer(body)) body.destroy();
	}
}

function inMegabytes(bytes: number): string {
	return (Math.ceil((bytes / 1024 / 1024) * 10) / 10).toString();
}

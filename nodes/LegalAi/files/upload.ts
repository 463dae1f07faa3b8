import type { IBinaryData } from 'n8n-workflow';

import {
	ApiError,
	type ApiErrorDetails,
	type HttpRequest,
	isRecord,
	type LegalAiClient,
	sendRequest,
	SERVICE_LIMITS,
} from '../api';
import { fileMessages, invalidInput, responseDetails } from '../messages';
import {
	beginningOf,
	contentLengthOf,
	MEGABYTE,
	nameOf,
	openFile,
	readableFile,
	type BinaryHelpers,
} from './binaryData';
import { extensionOf, fileNameToSend } from './fileName';
import { addressFromService, errorOfStorage, isLinkExpired } from './fileStorage';
import {
	contentTypeOfExtension,
	contentTypeOfFile,
	isContradictory,
	SUPPORTED_KINDS,
} from './mediaTypes';

/** A file that the service can read, before anything is sent; `contentLength` in bytes. */
export interface UploadableFile {
	binary: IBinaryData;
	fileName: string;
	contentType: string;
	contentLength: number;
}

/** A file that was uploaded for an item: its binary field, and its job, which the service keeps for 30 days. */
export interface UploadJob {
	field: string;
	jobId: string;
}

/** What a file is to be called, and sent as, instead of what it says itself. */
export type UploadOverrides = Partial<Pick<UploadableFile, 'fileName' | 'contentType'>>;

/** A line of 1 Mbit/s takes seven minutes for the largest file. */
const UPLOAD_TIMEOUT_MS = 10 * 60_000;
const UPLOAD_RETRY_MS = 30 * 60_000;

/**
 * Checks a file, and decides its name and type, which fit each other; sends nothing. The type is the one that was entered, as it
 * is, else the file's own if the service reads it, else that of its extension. If these contradict each other, the bytes decide.
 *
 * @throws {InvalidInputError}
 */
export async function inspectFile(
	helpers: BinaryHelpers,
	file: { fieldName: string; binary: unknown },
	overrides: UploadOverrides = {},
): Promise<UploadableFile> {
	const field = file.fieldName;
	const binary = readableFile(field, file.binary);
	const gone = (): never => {
		throw invalidInput(fileMessages.noLongerStored, { field });
	};
	const { mimeType, fileExtension = '' } = binary;
	const name = overrides.fileName ?? nameOf(file);
	const extension =
		[extensionOf(name), fileExtension].find(contentTypeOfExtension) ?? extensionOf(name);
	const bytes = isContradictory(mimeType, extension)
		? await openFile(helpers, binary).then(beginningOf).catch(gone)
		: '';
	const contentType = overrides.contentType ?? contentTypeOfFile(mimeType, extension, bytes);
	if (contentType === undefined) {
		const type = `${mimeType || 'unknown'}, ${name}`;
		throw invalidInput(fileMessages.unsupportedType, { field, type, supported: SUPPORTED_KINDS });
	}

	const contentLength = await contentLengthOf(helpers, binary).catch(gone);
	if (contentLength > SERVICE_LIMITS.fileMegabytes * MEGABYTE) {
		const size = Math.ceil((contentLength / MEGABYTE) * 10) / 10;
		throw invalidInput(fileMessages.tooLarge, { field, size });
	}
	return { binary, contentType, contentLength, fileName: fileNameToSend(name, contentType) };
}

/**
 * Sends a file to the service, and returns the ID of its upload job. It flows from n8n's storage to the wire; an upload that breaks
 * is tried again from the file's start, and an upload address that may no longer be valid is renewed once.
 */
export async function uploadFile(
	client: LegalAiClient,
	helpers: BinaryHelpers,
	file: UploadableFile,
): Promise<string> {
	const deadline = Date.now() + UPLOAD_RETRY_MS;
	return await sendFile(client, helpers, file, deadline).catch(async (error: unknown) => {
		if (isLinkExpired(error)) return await sendFile(client, helpers, file, deadline);
		throw error;
	});
}

async function sendFile(
	client: LegalAiClient,
	helpers: BinaryHelpers,
	file: UploadableFile,
	deadline: number,
): Promise<string> {
	const body = { file_name: file.fileName, content_type: file.contentType };
	const job = await client.request(
		{ method: 'POST', path: ['files', 'upload-url'], body },
		readUploadJob,
	);
	const details: ApiErrorDetails = { transfer: 'upload', fileName: file.fileName };
	const url = addressFromService(client, job.uploadUrl, details);
	const headers = { 'Content-Type': file.contentType, 'Content-Length': file.contentLength };
	await client.transfer(details, deadline, async (send) => {
		const body = await openFile(helpers, file.binary);
		const request: HttpRequest = {
			method: 'PUT',
			url,
			headers,
			body,
			timeoutMs: UPLOAD_TIMEOUT_MS,
			signal: client.signal,
		};
		const response = await sendRequest(send, request).finally(() => {
			if (!Buffer.isBuffer(body)) body.destroy();
		});
		if (response.status >= 300) throw errorOfStorage(response);
	});
	return job.id;
}

function readUploadJob(content: unknown): { id: string; uploadUrl: unknown } {
	if (isRecord(content) && typeof content.job_id === 'string' && content.job_id !== '') {
		return { id: content.job_id, uploadUrl: content.upload_url };
	}
	throw new ApiError('invalidResponse', { serviceMessage: responseDetails.uploadWithoutJob });
}

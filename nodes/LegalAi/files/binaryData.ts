import { BINARY_ENCODING, type IBinaryData, type IExecuteFunctions } from 'n8n-workflow';

import { type ByteStream, isRecord, textOrNull } from '../api';
import { fileMessages, invalidInput } from '../messages';

/** n8n's own store of files, which keeps them in memory, on disk or in a bucket. */
export type BinaryHelpers = Pick<
	IExecuteFunctions['helpers'],
	'getBinaryMetadata' | 'getBinaryStream' | 'prepareBinaryData'
>;

export const MEGABYTE = 1024 * 1024;

/** How many files of one item are sent or fetched at a time. */
export const CONCURRENT_FILES = 5;

const LENGTH_OF_BEGINNING = 64 * 1024;
/** The names of n8n's stores stand in place of the data, beside an ID. */
const NOT_BASE64 = /[^\w+/=\s-]|^(filesystem(-v2)?|s3|database)$/;

/** The name of a file: its own, or that of its field. */
export function nameOf({ fieldName, binary }: { fieldName: string; binary: unknown }): string {
	return (isRecord(binary) && textOrNull(binary.fileName)) || fieldName;
}

/**
 * A file as it can be read. One that a Code node has made may have anything in its fields, or lack them.
 *
 * @throws {InvalidInputError} if it has no content
 */
export function readableFile(fieldName: string, binary: unknown): IBinaryData {
	const { id, data, mimeType, fileExtension }: Record<string, unknown> = isRecord(binary)
		? binary
		: {};
	const texts = {
		mimeType: textOrNull(mimeType) ?? '',
		fileExtension: textOrNull(fileExtension) ?? '',
	};
	if (typeof id === 'string' && id !== '') return { ...texts, id, data: '' };
	if (typeof data === 'string' && !NOT_BASE64.test(data)) return { ...texts, data };
	throw invalidInput(fileMessages.noContent, { field: fieldName });
}

/** How many bytes a file has, without reading it. */
export async function contentLengthOf(
	helpers: BinaryHelpers,
	binary: IBinaryData,
): Promise<number> {
	if (binary.id) return (await helpers.getBinaryMetadata(binary.id)).fileSize;
	// Line breaks and padding are no bytes.
	return Math.floor((binary.data.replace(/[^A-Za-z0-9+/_-]/g, '').length * 3) / 4);
}

/** A file from its first byte: a stream of its own each time if n8n stores files, else the bytes in memory. */
export async function openFile(
	helpers: BinaryHelpers,
	binary: IBinaryData,
): Promise<ByteStream | Buffer> {
	if (binary.id) return await helpers.getBinaryStream(binary.id);
	return Buffer.from(binary.data, BINARY_ENCODING);
}

/** The first bytes of a file, each a character. The rest is not read. */
export async function beginningOf(file: ByteStream | Buffer): Promise<string> {
	let beginning = '';
	for await (const chunk of (Buffer.isBuffer(file) ? [file] : file) as AsyncIterable<Buffer>) {
		beginning += chunk.toString('latin1', 0, LENGTH_OF_BEGINNING);
		if (beginning.length >= LENGTH_OF_BEGINNING) break;
	}
	return beginning;
}

import { BINARY_ENCODING, type IBinaryData, type IExecuteFunctions } from 'n8n-workflow';

import type { ByteStream } from '../api/http';

/** n8n's own store of files, which keeps them in memory, on disk or in a bucket. */
export type BinaryHelpers = Pick<IExecuteFunctions['helpers'], 'getBinaryMetadata' | 'getBinaryStream' | 'prepareBinaryData'>;

/** How many files of one item are sent or fetched at a time. */
export const CONCURRENT_FILES = 5;

/** How many bytes a file has, without reading it. */
export async function contentLengthOf(helpers: Pick<BinaryHelpers, 'getBinaryMetadata'>, binary: IBinaryData): Promise<number> {
	if (binary.id) return (await helpers.getBinaryMetadata(binary.id)).fileSize;
	// Line breaks and padding are no bytes.
	return Math.floor((binary.data.replace(/[^A-Za-z0-9+/_-]/g, '').length * 3) / 4);
}

/** A file from its first byte: a stream of its own each time if n8n stores files, else the bytes in memory. */
export async function openFile(helpers: BinaryHelpers, binary: IBinaryData): Promise<ByteStream | Buffer> {
	if (binary.id) return await helpers.getBinaryStream(binary.id);
	return Buffer.from(binary.data, BINARY_ENCODING);
}

import { createHash } from 'crypto';
import { BINARY_ENCODING, type IExecuteFunctions } from 'n8n-workflow';

import { userError } from '../api/errors';
import type { ByteStream } from '../api/http';
import { isRecord, textOrNull } from '../api/json';
import { SERVICE_LIMITS } from '../api/serviceLimits';
import {
	fitExtension,
	findContentType,
	findExtension,
	readExtension,
	SUPPORTED_KINDS,
} from './names';

/** n8n's own store of files, which keeps them in memory, on disk or in a bucket. */
export type Store = Pick<
	IExecuteFunctions['helpers'],
	'getBinaryMetadata' | 'getBinaryStream' | 'prepareBinaryData'
>;

/** A file of an item: the name of its binary field, and what is there. */
export interface ItemFile {
	fieldName: string;
	binary?: unknown;
}

/** A file that the service can read, before anything is sent. */
export interface UploadableFile {
	fileName: string;
	contentType: string;
	contentLength: number;
	/** Its bytes: a stream of its own each time if n8n stores files, else what is in memory. */
	open: () => Promise<ByteStream | Buffer>;
	/** A hash of its name, type and bytes, once they have been read. */
	identity?: string;
}

export const MEGABYTE = 1024 * 1024;
/** Rejects the names of n8n's stores, too: they stand in place of the data, beside an ID. */
const NOT_BASE64 = /[^\w+/=\s-]|^(filesystem(-v2)?|s3|database)$/;

/**
 * Checks a file, and decides its name and type; sends nothing. The type is the one that was entered, else PDF if the file begins like
 * one, else that of its extension, else the one that came with it.
 *
 * @throws {UserError} if it can't be sent
 */
export async function inspectFile(
	store: Store,
	file: ItemFile,
	{ fileName = readFileName(file), contentType }: { fileName?: string; contentType?: string } = {},
): Promise<UploadableFile> {
	const reject = (problem: string, advice: string): never => {
		throw userError(`The file in "${file.fieldName}" ${problem}`, advice);
	};
	// A Code node may have put anything there.
	const content = isRecord(file.binary) ? file.binary : {};
	const [id, data, mimeType] = [content.id, content.data, content.mimeType].map(textOrNull);
	if (!id && (typeof data !== 'string' || NOT_BASE64.test(data)))
		reject(
			'has no content that n8n can read',
			'If a Code node makes it, its "data" must be base64, e.g. from Buffer.from(text).toString("base64").',
		);
	const open = async () =>
		id ? await store.getBinaryStream(id) : Buffer.from(data ?? '', BINARY_ENCODING);
	const read = async () => {
		const body = await open();
		const beginning = await readBeginning(body);
		if (Buffer.isBuffer(body)) return { beginning, contentLength: body.length };
		const { fileSize } = await store.getBinaryMetadata(id ?? '');
		return { beginning, contentLength: fileSize };
	};
	const { contentLength, beginning } = await read().catch(() =>
		reject(
			'is no longer available in n8n',
			'It may have been deleted together with the execution it came from. Run the workflow again from the start.',
		),
	);
	if (contentLength > SERVICE_LIMITS.fileMegabytes * MEGABYTE)
		reject(
			`is ${Math.ceil((contentLength / MEGABYTE) * 10) / 10} MB, but the limit is 50 MB`,
			'Split the file, or make it smaller, e.g. save a scan with a lower resolution.',
		);
	const type = contentType ?? findType(beginning, fileName, mimeType ?? '');
	if (type === undefined)
		return reject(
			`has a type that the service can't read (${mimeType || 'unknown'}, ${fileName})`,
			`Export it as PDF or DOCX. If it is a file that the service reads, make sure that its name has the right extension, or set its content type. The service reads ${SUPPORTED_KINDS}.`,
		);
	return { fileName: fitExtension(fileName, type), contentType: type, contentLength, open };
}

function findType(beginning: string, fileName: string, mimeType: string) {
	const extension = beginning.startsWith('%PDF') ? 'pdf' : readExtension(fileName);
	return findContentType(extension) ?? findContentType(findExtension(mimeType) ?? '');
}

/** The name of a file: its own, or that of its field. */
export function readFileName({ fieldName, binary }: ItemFile) {
	return (isRecord(binary) && textOrNull(binary.fileName)) || fieldName;
}

/** Reads the first bytes of a file or a response as text, and closes it. */
export async function readBeginning(body: ByteStream | Buffer) {
	if (Buffer.isBuffer(body)) return body.toString('latin1', 0, 4);
	for await (const chunk of body as AsyncIterable<Buffer>) return chunk.toString();
	return '';
}

const MOST_READ_AHEAD = 4;
/** The files that this process reads only to identify them, each until it is read. */
const readingAhead = new Set<Promise<unknown>>();

/** Reads a file as soon as fewer than four others are being read. */
async function readAhead(read: () => Promise<string>) {
	while (readingAhead.size >= MOST_READ_AHEAD) await Promise.race(readingAhead);
	const reading = read();
	const ended = reading.catch(() => undefined).finally(() => readingAhead.delete(ended));
	readingAhead.add(ended);
	return await reading;
}

/** Tells a file from others by its name, its type and its bytes: n8n gives a file another ID each time that a node makes it anew. */
export async function identifyFile(file: UploadableFile): Promise<string> {
	return (file.identity ??= await readAhead(async () => {
		const { body, identify } = await openIdentified(file);
		// Each chunk is looked at, and none is kept.
		if (!Buffer.isBuffer(body)) await body.forEach(() => undefined);
		return identify();
	}));
}

/** Opens a file. Once it is read to its end, its identity is known: what uploads it does not have to read it twice. */
export async function openIdentified({ fileName, contentType, open }: UploadableFile) {
	const hash = createHash('sha256').update(JSON.stringify([fileName, contentType]));
	const identify = () => hash.digest('base64url');
	const opened = await open();
	if (Buffer.isBuffer(opened)) {
		hash.update(opened);
		return { body: opened, identify, close: () => undefined };
	}
	const body = opened.map((chunk: Uint8Array) => {
		hash.update(chunk);
		return chunk;
	});
	// A stream that is made of another one ends that only with its next chunk.
	const close = () => void [body, opened].map((stream) => stream.destroy());
	return { body, identify, close };
}

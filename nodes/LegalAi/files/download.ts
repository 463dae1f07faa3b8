import type { IBinaryData, IBinaryKeyData } from 'n8n-workflow';

import {
	ApiError,
	type ApiErrorDetails,
	type ByteStream,
	fetchLatest,
	type GeneratedFile,
	generatedFiles,
	type HttpResponse,
	type LegalAiClient,
	mapConcurrently,
	type Question,
	streamResponse,
	things,
} from '../api';
import { fillText, responseDetails } from '../messages';
import { beginningOf, CONCURRENT_FILES, MEGABYTE, type BinaryHelpers } from './binaryData';
import { describeFile, utf8, type RemoteFile } from './fileName';
import {
	addressFromOutside,
	addressFromService,
	errorOfStorage,
	isLinkExpired,
} from './fileStorage';

const DOWNLOAD_TIMEOUT_MS = 15 * 60_000;
const DOWNLOAD_RETRY_MS = 30 * 60_000;
const REDIRECTS = [301, 302, 303, 307, 308];
const MAX_REDIRECTS = 3;

/**
 * Fetches the files that came with an answer, into binary fields `<prefix>0`, `<prefix>1` and so on. If an address has
 * expired, the question is fetched again, once, and all files from their fresh addresses: those of an answer expire together.
 * All or nothing: some of an answer's files are of no use without the others.
 *
 * @param maxMegabytes a larger file is an error
 * @throws {ApiError} that names the file
 */
export async function fetchGeneratedFiles(
	client: LegalAiClient,
	helpers: BinaryHelpers,
	question: Question,
	prefix: string,
	maxMegabytes: number,
): Promise<IBinaryKeyData> {
	const fetchAll = async (files: GeneratedFile[]): Promise<IBinaryData[]> =>
		await mapConcurrently(
			files,
			CONCURRENT_FILES,
			async (file) => await fetchFile(client, helpers, file, maxMegabytes, 'service'),
		);
	const files = generatedFiles(question);
	const fetched = await fetchAll(files).catch(async (error: unknown) => {
		if (!isLinkExpired(error)) throw error;
		const { id, assistant_id } = question;
		const fresh = await fetchLatest(client, things.question, { id, assistant_id }).then(
			generatedFiles,
			() => [],
		);
		const renewed = inOrderOf(files, fresh);
		if (renewed.length < files.length) throw error;
		return await fetchAll(renewed);
	});
	return Object.fromEntries(fetched.map((binary, index) => [`${prefix}${index}`, binary]));
}

/** Each response has new addresses, maybe in another order, so files are identified by name and size. */
function inOrderOf(files: GeneratedFile[], fresh: GeneratedFile[]): GeneratedFile[] {
	const left = new Set(fresh);
	return files.flatMap(({ file_name, content_length }) => {
		const same = [...left].find(
			(file) => file.file_name === file_name && file.content_length === content_length,
		);
		if (same === undefined) return [];
		left.delete(same);
		return [same];
	});
}

/**
 * Fetches one file, without the API's key, and stores it the way n8n keeps binary data: it flows from the wire to there.
 * One that does not arrive whole is fetched again.
 *
 * @param from who gave the address: the service, or someone else
 * @throws {ApiError}
 */
export async function fetchFile(
	client: LegalAiClient,
	helpers: BinaryHelpers,
	file: RemoteFile,
	maxMegabytes: number,
	from: 'service' | 'outside',
): Promise<IBinaryData> {
	const details: ApiErrorDetails = { transfer: 'download', fileName: file.file_name ?? undefined };
	const allowed = from === 'service' ? addressFromService : addressFromOutside;
	const url = allowed(client, file.url, details);
	return await client.transfer(details, Date.now() + DOWNLOAD_RETRY_MS, async (send) => {
		let address = url;
		for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
			const request = { url: address, timeoutMs: DOWNLOAD_TIMEOUT_MS, signal: client.signal };
			const received: string | IBinaryData = await streamResponse(
				send,
				request,
				async (response) => {
					return (
						addressOfRedirect(response, request.url) ??
						(await storeFile(helpers, file, response, maxMegabytes * MEGABYTE))
					);
				},
			);
			if (typeof received !== 'string') return received;
			address = addressFromOutside(client, received, details);
		}
		throw new ApiError('redirected');
	});
}

/** Redirects are followed by hand, so that each address is checked. */
function addressOfRedirect(
	{ status, headers: { location } }: HttpResponse<unknown>,
	address: string,
): string | undefined {
	const target = typeof location === 'string' ? utf8(location) : '';
	return REDIRECTS.includes(status) && target !== '' && URL.canParse(target, address)
		? new URL(target, address).href
		: undefined;
}

/** Stores a file unless the storage says no, it is too large, or what arrives is not what was announced. */
async function storeFile(
	helpers: BinaryHelpers,
	file: RemoteFile,
	{ body, ...response }: HttpResponse<ByteStream>,
	limit: number,
): Promise<IBinaryData> {
	if (response.status >= 300)
		throw errorOfStorage({ ...response, body: utf8(await beginningOf(body)) });
	// Some services say 0 of a size that they do not know.
	const announced = file.content_length || undefined;
	if (Math.max(announced ?? 0, Number(response.headers['content-length'] ?? 0)) > limit)
		throw new ApiError('fileTooLarge');

	let received = 0;
	const counted = body.map((chunk: Uint8Array) => {
		received += chunk.length;
		if (received > limit) throw new ApiError('fileTooLarge');
		return chunk;
	});
	// An error that comes while n8n is not listening would end the process.
	counted.on('error', () => undefined);
	const { fileName, contentType } = describeFile(file, response.headers);
	const binary = await helpers
		.prepareBinaryData(counted, fileName, contentType)
		.catch((error: unknown) => {
			throw received > limit ? new ApiError('fileTooLarge') : error;
		});
	// What n8n unpacks is stored in fewer bytes, and some services announce these.
	if (
		announced === undefined ||
		[received, Number(response.headers['content-length'])].includes(announced)
	)
		return binary;
	throw new ApiError('outcomeUnknown', {
		serviceMessage: fillText(responseDetails.bytesMissing, { received, announced }),
	});
}

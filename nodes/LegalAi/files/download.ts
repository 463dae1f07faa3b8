import type { IBinaryData, IBinaryKeyData } from 'n8n-workflow';

import type { LegalAiClient } from '../api/client';
import { ApiError, CanceledError, FileTooLargeError, InvalidResponseError, OutcomeUnknownError } from '../api/errors';
import { errorOfTransport, type HttpResponse } from '../api/http';
import { isRecord } from '../api/json';
import { mapConcurrently } from '../api/mapConcurrently';
import { generatedFiles, getQuestion, type GeneratedFile, type Question } from '../api/questions';
import { responseDetails } from '../messages/responseDetails';
import { fillText } from '../messages/template';
import { CONCURRENT_FILES, contentLengthOf, type BinaryHelpers, type FileStream } from './binaryData';
import { describeFile } from './fileDescription';
import { allowedAddress, errorOfStorage, isLinkExpired, sendToStorage, type FileDetails } from './fileStorage';

/** A file to fetch, with what is known of it beforehand. */
export type RemoteFile = Pick<GeneratedFile, 'url'> & Partial<GeneratedFile>;

/** The largest file that is downloaded unless the user chose otherwise, in MB. */
export const DEFAULT_MAX_FILE_MB = 100;
const MEGABYTE = 1024 * 1024;

const DOWNLOAD_TIMEOUT_MS = 15 * 60_000;
const DOWNLOAD_PATIENCE_MS = 30 * 60_000;
const MAX_ERROR_LENGTH = 8 * 1024;
const REDIRECTS = [301, 302, 303, 307, 308];
const MAX_REDIRECTS = 3;

/**
 * Fetches the files that came with an answer, into binary fields `<prefix>0`, `<prefix>1` and so on. If an address has
 * expired, the question is fetched again, once, and its files' fresh addresses are used. All or nothing: the files that
 * did come are of no use without the answer's others.
 *
 * @param maxMegabytes a larger file is an error
 * @throws {ApiError} with subject `download` and the file's name
 */
export async function fetchGeneratedFiles(
	client: LegalAiClient,
	helpers: BinaryHelpers,
	question: Question,
	prefix: string,
	maxMegabytes: number,
): Promise<IBinaryKeyData> {
	const known = generatedFiles(question).map((file, index) => ({ file, index }));
	let renewal: Promise<GeneratedFile[]> | undefined;
	const renewed = async (first: NumberedFile, group: NumberedFile[]): Promise<NumberedFile[]> => {
		renewal ??= getQuestion(client, question.assistant_id, question.id).then(generatedFiles, () => []);
		const fresh = (await renewal).filter((file) => isSameFile(file, first.file));
		return group.flatMap(({ index }, place) => fresh.slice(place, place + 1).map((file) => ({ file, index })));
	};
	const fetchAll = async (group: NumberedFile[]): Promise<Array<{ binary: IBinaryData; index: number }>> => {
		return await mapConcurrently(group, CONCURRENT_FILES, async ({ file, index }) => {
			return { binary: await fetchFile(client, helpers, file, maxMegabytes), index };
		});
	};
	const firstOfGroups = known.filter(({ file }, index) => known.findIndex((other) => isSameFile(other.file, file)) === index);
	const fetched = await mapConcurrently(firstOfGroups, CONCURRENT_FILES, async (first) => {
		const group = known.filter(({ file }) => isSameFile(file, first.file));
		return await fetchAll(group).catch(async (error: unknown) => {
			const again = isLinkExpired(error) ? await renewed(first, group) : [];
			if (again.length < group.length) throw error;
			return await fetchAll(again);
		});
	});
	const inOrder = fetched.flat().sort((one, other) => one.index - other.index);
	return Object.fromEntries(inOrder.map(({ binary, index }) => [`${prefix}${index}`, binary]));
}

/** A file and its place in the answer. */
interface NumberedFile {
	file: GeneratedFile;
	index: number;
}

/**
 * Addresses are made anew and may come in another order, so files are told by name and size. Those that are the same in
 * both are fetched from one list, so that none of them comes twice.
 */
function isSameFile(one: GeneratedFile, other: GeneratedFile): boolean {
	return one.file_name === other.file_name && one.content_length === other.content_length;
}

/**
 * Fetches one file, without the API's key, and stores it the way n8n keeps binary data: it flows from the wire to there.
 * One that does not arrive whole is fetched again.
 *
 * @throws {ApiError}
 */
export async function fetchFile(
	client: LegalAiClient,
	helpers: BinaryHelpers,
	file: RemoteFile,
	maxMegabytes: number,
): Promise<IBinaryData> {
	const details: FileDetails = { subject: 'download', fileName: file.file_name ?? undefined };
	const deadline = Date.now() + DOWNLOAD_PATIENCE_MS;
	return await client.transfer(deadline, async () => await getFile(client, helpers, file, details, maxMegabytes));
}

async function getFile(
	client: LegalAiClient,
	helpers: BinaryHelpers,
	file: RemoteFile,
	details: FileDetails,
	maxMegabytes: number,
): Promise<IBinaryData> {
	const { signal: stopped } = client;
	const timeout = AbortSignal.timeout(DOWNLOAD_TIMEOUT_MS);
	const signal = stopped === undefined ? timeout : AbortSignal.any([stopped, timeout]);
	const transferError = (error: unknown): ApiError => {
		const known = error instanceof ApiError ? error : errorOfTransport(error).add(details);
		const timedOut = known instanceof CanceledError && !stopped?.aborted;
		return timedOut ? new OutcomeUnknownError({ ...details, networkCode: 'ETIMEDOUT' }) : known;
	};

	const response = await requestFile(client, file.url, details, signal).catch((error: unknown) => {
		throw transferError(error);
	});
	const body = streamOf(response, details);

	let broken: unknown;
	body.once('error', (error) => (broken = error));
	try {
		if (response.status >= 300) throw errorOfStorage({ ...response, body: await beginningOf(body) }, details);
		const announced = file.content_length ?? undefined;
		const limit = maxMegabytes * MEGABYTE;
		if (Math.max(announced ?? 0, Number(response.headers['content-length'] ?? 0)) > limit) throw new FileTooLargeError(details);
		const { fileName, contentType } = describeFile(file, response.headers);
		const binary = await helpers.prepareBinaryData(body, fileName, contentType);
		const received = await contentLengthOf(helpers, binary);
		if (received > limit) throw new FileTooLargeError(details);
		if (announced === undefined || received === announced) return binary;
		const serviceMessage = fillText(responseDetails.bytesMissing, { received, announced });
		throw new OutcomeUnknownError({ ...details, serviceMessage });
	} catch (error) {
		throw broken === undefined ? error : transferError(broken);
	} finally {
		body.destroy();
	}
}

/** Redirects are followed by hand, so that each address is checked. */
async function requestFile(
	client: LegalAiClient,
	address: string,
	details: FileDetails,
	signal: AbortSignal,
	redirectsLeft = MAX_REDIRECTS,
): Promise<HttpResponse> {
	const url = await allowedAddress(client, address, details);
	const response = await sendToStorage(client.transport, details, {
		method: 'GET',
		url,
		encoding: 'stream',
		timeout: DOWNLOAD_TIMEOUT_MS,
		disableFollowRedirect: true,
		abortSignal: signal,
	});
	const { location } = response.headers;
	const isRedirect = REDIRECTS.includes(response.status) && typeof location === 'string' && URL.canParse(location, url);
	if (!isRedirect || redirectsLeft === 0) return response;
	streamOf(response, details).destroy();
	return await requestFile(client, new URL(location, url).href, details, signal, redirectsLeft - 1);
}

function streamOf({ status, body }: HttpResponse, details: FileDetails): FileStream {
	if (isStream(body)) return body;
	throw new InvalidResponseError({ ...details, status });
}

function isStream(body: unknown): body is FileStream {
	return isRecord(body) && typeof body.pipe === 'function' && Symbol.asyncIterator in body;
}

async function beginningOf(body: FileStream): Promise<string> {
	let text = '';
	for await (const chunk of body) {
		text += String(chunk);
		if (text.length > MAX_ERROR_LENGTH) break;
	}
	return text;
}

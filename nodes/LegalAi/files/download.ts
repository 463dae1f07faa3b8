import type { IBinaryData, IBinaryKeyData } from 'n8n-workflow';

import type { HttpAnswer, LegalAiClient } from '../api/client';
import { ApiFailure, failureOfTransport } from '../api/failure';
import { isRecord } from '../api/json';
import { generatedFiles, getQuestion, type GeneratedFile, type Question } from '../api/question';
import { withRetries } from '../api/retry';
import type { FileContext, FileStream } from './binaryFields';
import { exchangeWithStore, failureOfStore, isAddressGone, presignedAddress, type FileFacts } from './fileStore';
import { describeFile } from './fileDescription';
import { sideBySide } from './sideBySide';

/** A file to fetch, with what is known of it beforehand. */
export type FileAddress = Pick<GeneratedFile, 'url'> & Partial<GeneratedFile>;

const DOWNLOAD_TIMEOUT_MS = 15 * 60_000;
const DOWNLOAD_PATIENCE_MS = 30 * 60_000;
const WORDS_READ = 8 * 1024;

/**
 * Fetches the files that came with an answer, into binary fields `<prefix>0`, `<prefix>1` and so on. Where an
 * address has expired, the question is asked for anew, once, and its files' new addresses are taken. Where that
 * can't be done either, what is told is that the file was not to be had.
 *
 * All or nothing: the files that did come are of no use without the answer's others.
 *
 * @throws {ApiFailure} with subject `download` and the file's name; the question itself has not changed, so that its
 * JSON can still be put out
 */
export async function downloadGeneratedFiles(
	context: FileContext,
	client: LegalAiClient,
	question: Question,
	prefix: string,
): Promise<IBinaryKeyData> {
	let renewal: Promise<GeneratedFile[]> | undefined;
	const renewed = async (index: number): Promise<GeneratedFile | undefined> => {
		renewal ??= getQuestion(client, question.assistant_id, question.id).then(generatedFiles, () => []);
		return (await renewal)[index];
	};
	const files = await sideBySide(generatedFiles(question), async (file, index) => {
		return await downloadGenerated(context, client, file).catch(async (error: unknown) => {
			const again = isAddressGone(error) ? await renewed(index) : undefined;
			return await (again === undefined ? Promise.reject(error) : downloadGenerated(context, client, again));
		});
	});
	return Object.fromEntries(files.map((file, index) => [`${prefix}${index}`, file]));
}

async function downloadGenerated(context: FileContext, client: LegalAiClient, file: GeneratedFile): Promise<IBinaryData> {
	const url = presignedAddress(file.url, { subject: 'download', fileName: file.file_name ?? undefined });
	return await downloadFile(context, client, { ...file, url });
}

/**
 * Fetches one file, without the API's key, and stores it the way n8n keeps binary data: it flows from the
 * wire to there.
 *
 * @throws {ApiFailure}
 */
export async function downloadFile(context: FileContext, client: LegalAiClient, file: FileAddress): Promise<IBinaryData> {
	const facts: FileFacts = { subject: 'download', fileName: file.file_name ?? undefined };
	const patience = { deadline: Date.now() + DOWNLOAD_PATIENCE_MS, signal: client.signal };
	return await withRetries('repeatable', patience, async () => {
		return await client.slots.run(async () => await fetchFile(context, client.signal, file, facts));
	});
}

async function fetchFile(
	context: FileContext,
	stopped: AbortSignal | undefined,
	file: FileAddress,
	facts: FileFacts,
): Promise<IBinaryData> {
	const tooLate = AbortSignal.timeout(DOWNLOAD_TIMEOUT_MS);
	const transportFailure = (error: unknown): ApiFailure => {
		const failure = error instanceof ApiFailure ? error : failureOfTransport(error).with(facts);
		const timedOut = failure.kind === 'cancelled' && !stopped?.aborted;
		return timedOut ? new ApiFailure('interrupted', { ...facts, networkCode: 'ETIMEDOUT' }) : failure;
	};

	const answer = await exchangeWithStore(context, facts, {
		method: 'GET',
		url: file.url,
		encoding: 'stream',
		timeout: DOWNLOAD_TIMEOUT_MS,
		abortSignal: stopped === undefined ? tooLate : AbortSignal.any([stopped, tooLate]),
	}).catch(async (error: unknown) => await Promise.reject(transportFailure(error)));
	const body = streamOf(answer, facts);

	let broken: unknown;
	body.once('error', (error) => (broken = error));
	try {
		if (answer.status >= 300) throw failureOfStore({ ...answer, body: await firstWordsOf(body) }, facts);
		const { fileName, contentType } = describeFile(file, answer.headers);
		return await context.helpers.prepareBinaryData(body, fileName, contentType);
	} catch (error) {
		throw broken === undefined ? error : transportFailure(broken);
	} finally {
		body.destroy();
	}
}

function streamOf({ status, body }: HttpAnswer, facts: FileFacts): FileStream {
	if (isStream(body)) return body;
	throw new ApiFailure('unreadable', { ...facts, status });
}

function isStream(body: unknown): body is FileStream {
	return isRecord(body) && typeof body.pipe === 'function' && Symbol.asyncIterator in body;
}

async function firstWordsOf(body: FileStream): Promise<string> {
	let words = '';
	for await (const chunk of body) {
		words += String(chunk);
		if (words.length > WORDS_READ) break;
	}
	return words;
}

import {
	ApiError,
	type ApiErrorDetails,
	errorOfResponse,
	type HttpResponse,
	isRecord,
	type LegalAiClient,
	reachOf,
	readJson,
	textOrNull,
} from '../api';

/** What is in the code of a failure that passes, whatever the status: S3 says 400 of an upload that stalled. */
const PASSING_CODE =
	/timed?out|slowdown|busy|throttl|unavailable|internal|abort|conflict|incompletebody|baddigest|(md5|digest|checksum)mismatch|toomany|requestrate|(request|bandwidth|rate)limit/i;

/**
 * An address that the service gave for a file. It is trusted as the service is: https, wherever that leads, and http only
 * within this machine if the service is there, too.
 *
 * @param details which file, and which way it goes
 * @throws {ApiError} of kind `addressNotAllowed`
 */
export function addressFromService(
	client: Pick<LegalAiClient, 'baseUrl'>,
	address: unknown,
	details: ApiErrorDetails,
): string {
	if (typeof address !== 'string' || !URL.canParse(address))
		throw new ApiError('addressNotAllowed', details);
	const url = new URL(address);
	const isLocal = [url, new URL(client.baseUrl)].every(
		({ hostname }) => reachOf(hostname) === 'loopback',
	);
	if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLocal))
		throw new ApiError('addressNotAllowed', details);
	return url.href;
}

/**
 * An address of a file from anywhere else: the same, but never on this machine or link-local (cloud metadata), unless the
 * service is there, too. The rest is up to n8n's own protection against server-side request forgery.
 *
 * @throws {ApiError} of kind `addressNotAllowed`
 */
export function addressFromOutside(
	client: Pick<LegalAiClient, 'baseUrl'>,
	address: unknown,
	details: ApiErrorDetails,
): string {
	const href = addressFromService(client, address, details);
	const reach = reachOf(new URL(href).hostname);
	const isNear = reach === 'loopback' || reach === 'linkLocal';
	if (isNear && reach !== reachOf(new URL(client.baseUrl).hostname))
		throw new ApiError('addressNotAllowed', details);
	return href;
}

/**
 * The error that the storage's response means. It gives the reason in XML or JSON, and its code says whether a failure passes.
 * Its 429 has nothing to do with the limits of the API, so it is handled like a 503.
 */
export function errorOfStorage(response: HttpResponse): ApiError {
	const error = errorOfResponse({
		...response,
		body: messageOfXml(response.body) ?? response.body,
	});
	const passes =
		error.kind === 'rateLimited' || PASSING_CODE.test(codeOf(response.body).replace(/[-_]/g, ''));
	return passes ? new ApiError('outcomeUnknown', error.details) : error;
}

function codeOf(text: string): string {
	const json = readJson(text);
	const levels = isRecord(json) ? [json, json.error].filter(isRecord) : [];
	const codes = levels.flatMap(({ code, Code, error_code }) => [code, Code, error_code]);
	return elementOf(text, 'Code') ?? codes.map(textOrNull).find(Boolean) ?? '';
}

/** Whether a presigned address may have expired: storages have no common word for that. A fresh one tells. */
export function isLinkExpired(error: unknown): boolean {
	if (!(error instanceof ApiError)) return false;
	const { transfer, status, networkCode } = error.details;
	// A storage that refuses an upload may close the connection before its words arrive. A slow one does not.
	if (transfer === 'upload' && error.kind === 'outcomeUnknown')
		return status === undefined && networkCode !== 'ETIMEDOUT';
	return transfer !== undefined && error.kind === 'rejected' && status !== 413;
}

/** `Code: Message` of a file storage's XML response; undefined if it is something else. */
export function messageOfXml(text: string): string | undefined {
	const parts = [elementOf(text, 'Code'), elementOf(text, 'Message')].filter(Boolean);
	return parts.length === 0 ? undefined : parts.join(': ');
}

function elementOf(xml: string, name: string): string | undefined {
	return new RegExp(`<${name}>\\s*(?:<!\\[CDATA\\[)?([^<\\]]*)`).exec(xml)?.[1]?.trim();
}

import type { IHttpRequestOptions } from 'n8n-workflow';

import type { LegalAiClient } from '../api/client';
import { AddressNotAllowedError, ApiError, OutcomeUnknownError, RateLimitError, type FileSubject } from '../api/errors';
import { errorOfResponse, sendRequest, type HttpResponse, type HttpTransport } from '../api/http';
import { textOrNull } from '../api/json';
import { reachOf, type Reach } from '../api/reach';

/** Which file, and which way it goes: for the text of an error. */
export interface FileDetails {
	subject: FileSubject;
	fileName?: string;
}

const LINK_EXPIRED = [403, 404, 410];
/** Some storages say 400, and why. */
const EXPIRED_CODE = /^(ExpiredToken|RequestTimeTooSkewed|AuthenticationFailed|RequestExpired)\b/;

/**
 * An address of a file, if n8n may be sent there: https, and not within n8n's own machine or network, unless the Base URL
 * is of that very kind (and then http on this machine, too). Names are judged by what they resolve to, if n8n tells.
 *
 * @throws {AddressNotAllowedError}
 */
export async function allowedAddress(
	{ baseUrl, transport }: Pick<LegalAiClient, 'baseUrl' | 'transport'>,
	address: unknown,
	details: FileDetails,
): Promise<string> {
	const { href, protocol, hostname } = new URL(typeof address === 'string' && URL.canParse(address) ? address : 'nothing:');
	const isLocal = protocol === 'http:' && reachOf(hostname) === 'loopback';
	if (protocol !== 'https:' && !isLocal) throw new AddressNotAllowedError(details);
	const reach = await findReach(transport, href);
	if (reach === 'public' || reach === (await findReach(transport, baseUrl))) return href;
	throw new AddressNotAllowedError(details);
}

async function findReach(transport: HttpTransport, url: string): Promise<Reach> {
	const reach = reachOf(new URL(url).hostname);
	return reach === 'public' ? await transport.resolveReach(url) : reach;
}

/**
 * One request to the file storage behind presigned addresses, without the API's key.
 *
 * @throws {ApiError} if there was no response
 */
export async function sendToStorage(
	transport: HttpTransport,
	details: FileDetails,
	options: IHttpRequestOptions,
): Promise<HttpResponse> {
	try {
		return await sendRequest(transport.anonymous, options);
	} catch (error) {
		throw error instanceof ApiError ? error.add(details) : error;
	}
}

/**
 * The error that the storage's response means. It says why in XML, and its 429 is as good as a 503: it knows nothing
 * of the API's limits.
 */
export function errorOfStorage(response: HttpResponse, details: FileDetails): ApiError {
	const text = textOrNull(response.body);
	const error = errorOfResponse({ ...response, body: text && (messageOfXml(text) ?? text) });
	return error instanceof RateLimitError
		? new OutcomeUnknownError({ ...error.details, ...details })
		: error.add(details);
}

/** Whether a presigned address is no longer valid: expired, refused or gone. A fresh one may be. */
export function isLinkExpired(error: unknown): boolean {
	if (!(error instanceof ApiError)) return false;
	const { subject, status = 0, serviceMessage = '' } = error.details;
	if (subject !== 'upload' && subject !== 'download') return false;
	return LINK_EXPIRED.includes(status) || (status === 400 && EXPIRED_CODE.test(serviceMessage));
}

/** `Code: Message` of a file storage's XML response; undefined if it is something else. */
export function messageOfXml(text: string): string | undefined {
	const parts = [elementOf(text, 'Code'), elementOf(text, 'Message')].filter(Boolean);
	return parts.length === 0 ? undefined : parts.join(': ');
}

function elementOf(xml: string, name: string): string | undefined {
	const content = new RegExp(`<${name}>\\s*(?:<!\\[CDATA\\[)?([^<\\]]*)`).exec(xml)?.[1];
	return content
		?.replace(/&lt;/g, '<')
		.replace(/&gt;/g, '>')
		.replace(/&quot;/g, '"')
		.replace(/&apos;/g, "'")
		.replace(/&amp;/g, '&')
		.trim();
}

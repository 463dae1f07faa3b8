import type { LegalAiClient } from '../api/client';
import { ApiError, type ApiErrorDetails } from '../api/errors';
import { errorOfResponse, type HttpResponse } from '../api/http';
import { reachOf } from '../api/reach';

const LINK_EXPIRED = [403, 404, 410];
/** Some storages say 400, and why. */
const EXPIRED_CODE = /^(ExpiredToken|RequestTimeTooSkewed|AuthenticationFailed|RequestExpired)\b/;

/**
 * An address that the service gave for a file. It is trusted as the service is: https, wherever that leads, and http only
 * within this machine if the service is there, too.
 *
 * @param details which file, and which way it goes
 * @throws {ApiError} of kind `addressNotAllowed`
 */
export function addressFromService(client: Pick<LegalAiClient, 'baseUrl'>, address: unknown, details: ApiErrorDetails): string {
	if (typeof address !== 'string' || !URL.canParse(address)) throw new ApiError('addressNotAllowed', details);
	const url = new URL(address);
	const isLocal = [url, new URL(client.baseUrl)].every(({ hostname }) => reachOf(hostname) === 'loopback');
	if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLocal)) throw new ApiError('addressNotAllowed', details);
	return url.href;
}

/**
 * An address of a file from anywhere else: the same, but never on this machine or link-local (cloud metadata), unless the
 * service is there, too. The rest is up to n8n's own protection against server-side request forgery.
 *
 * @throws {ApiError} of kind `addressNotAllowed`
 */
export function addressFromOutside(client: Pick<LegalAiClient, 'baseUrl'>, address: unknown, details: ApiErrorDetails): string {
	const href = addressFromService(client, address, details);
	const reach = reachOf(new URL(href).hostname);
	const isNear = reach === 'loopback' || reach === 'linkLocal';
	if (isNear && reach !== reachOf(new URL(client.baseUrl).hostname)) throw new ApiError('addressNotAllowed', details);
	return href;
}

/**
 * The error that the storage's response means. It gives the reason in XML. Its 429 has nothing to do with the limits of the
 * API, so it is handled like a 503.
 */
export function errorOfStorage(response: HttpResponse): ApiError {
	const error = errorOfResponse({ ...response, body: messageOfXml(response.body) ?? response.body });
	return error.kind === 'rateLimited' ? new ApiError('outcomeUnknown', error.details) : error;
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

const ENTITIES: Record<string, string> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };

function elementOf(xml: string, name: string): string | undefined {
	const content = new RegExp(`<${name}>\\s*(?:<!\\[CDATA\\[)?([^<\\]]*)`).exec(xml)?.[1];
	return content?.replace(/&(\w+);/g, (whole, entity: string) => ENTITIES[entity] ?? whole).trim();
}

import type { IHttpRequestOptions } from 'n8n-workflow';

import { isLoopbackHost } from '../api/baseUrl';
import { exchange, failureOfAnswer, type HttpAnswer } from '../api/client';
import { ApiFailure, type FailureFacts, type FileSubject } from '../api/failure';
import { textOrNull } from '../api/json';
import type { FileContext } from './binaryFields';

/** Which file, and which way it goes: for the words of a failure. */
export interface FileFacts extends FailureFacts {
	subject: FileSubject;
	fileName?: string;
}

const ADDRESS_GONE = [403, 404, 410];

/**
 * An address that the service gave for a file, where it may be used: https, or http on this machine.
 *
 * @throws {ApiFailure} `unreadable`
 */
export function presignedAddress(address: unknown, facts: FileFacts): string {
	const url = new URL(typeof address === 'string' && URL.canParse(address) ? address : 'nothing:');
	if (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopbackHost(url.hostname))) return url.href;
	throw new ApiFailure('unreadable', { ...facts, serviceMessage: 'its address is not https' });
}

/** Whether a text is an address that anybody might open: http or https, in full. */
export function isWebAddress(text: string): boolean {
	return URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol);
}

/**
 * One exchange with the file store behind presigned addresses, without the API's key.
 *
 * @throws {ApiFailure} where there was no answer
 */
export async function exchangeWithStore(
	context: FileContext,
	facts: FileFacts,
	options: IHttpRequestOptions,
): Promise<HttpAnswer> {
	try {
		return await exchange(async (complete) => await context.helpers.httpRequest(complete), options);
	} catch (error) {
		throw error instanceof ApiFailure ? error.with(facts) : error;
	}
}

/**
 * The failure that the store's answer means. It says why in XML, and its 429 is as good as a 503: it knows
 * nothing of the API's limits.
 */
export function failureOfStore(answer: HttpAnswer, facts: FileFacts): ApiFailure {
	const text = textOrNull(answer.body);
	const failure = failureOfAnswer({ ...answer, body: text === null ? undefined : (wordsOfXml(text) ?? text) });
	const kind = failure.kind === 'throttled' ? 'interrupted' : failure.kind;
	return new ApiFailure(kind, { ...failure.facts, ...facts });
}

/** Whether a presigned address is no longer good: expired, refused or gone. A new one may be. */
export function isAddressGone(error: unknown): boolean {
	if (!(error instanceof ApiFailure)) return false;
	const { subject, status } = error.facts;
	return (subject === 'upload' || subject === 'download') && ADDRESS_GONE.includes(status ?? 0);
}

/** `Code: Message` of a file store's XML answer; undefined where it is something else. */
export function wordsOfXml(text: string): string | undefined {
	const words = [elementOf(text, 'Code'), elementOf(text, 'Message')].filter(Boolean);
	return words.length === 0 ? undefined : words.join(': ');
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

import type { FastifyReply, FastifyRequest } from 'fastify';

import type { Json } from './pages.mts';
import type { ServiceDescription } from './services.mts';

/** What the service says no with. */
export interface Refusal {
	readonly status: number;
	readonly code: string;
	readonly message: string;
}

/** The text and type of a body. */
export interface Sent {
	readonly type: string;
	readonly text: string;
}

/** The body of an error in the service's way. */
export function errorBody(request: FastifyRequest, { errors, json }: ServiceDescription, { status, code, message }: Refusal): Sent {
	// What a thoughtless service repeats of a request.
	const line = `${request.method} ${request.url}, authorization: ${request.headers.authorization ?? 'none'}`;
	const quoted = errors.quotesRequest ? `${message} (${line})` : message;
	if (errors.body === 'html') return { type: 'text/html', text: page(status, quoted) };
	if (errors.body === 'empty') return { type: json.contentType, text: '' };
	const codes: Json = { error_code: code, svc_api_error_code: code, message: quoted };
	if (errors.body === 'error_code') delete codes.svc_api_error_code;
	if (errors.body === 'svc_api_error_code') delete codes.error_code;
	return { type: json.contentType, text: JSON.stringify(errors.body === 'error and status' ? { error: quoted, status } : codes) };
}

/** The 429 of a service that is too busy. */
export function throttle(reply: FastifyReply, description: ServiceDescription): Sent {
	const { retryAfter, body } = description.throttling;
	const message = 'Rate limit exceeded';
	if (retryAfter === 'seconds') reply.header('Retry-After', '2');
	if (retryAfter === 'date') reply.header('Retry-After', new Date(Date.now() + 3000).toUTCString());
	if (body === 'general') return errorBody(reply.request, description, { status: 429, code: 'rate_limit_exceeded', message });
	if (body === 'html') return { type: 'text/html', text: page(429, message) };
	const { contentType } = description.json;
	return { type: contentType, text: body === 'empty' ? '' : JSON.stringify({ error_code: 'rate_limit_exceeded', message, limit: 'api_requests' }) };
}

/** A page for people, with what they sent on it. */
export function page(status: number, words: string): string {
	return `<!DOCTYPE html>\n<html><head><title>${status}</title></head><body><h1>${status}</h1><p>${words}</p></body></html>`;
}

/** Ends the connection without an answer. */
export function cutOff(reply: FastifyReply): FastifyReply {
	reply.hijack();
	reply.raw.destroy();
	return reply;
}

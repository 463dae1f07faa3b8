import type { FastifyReply, FastifyRequest } from 'fastify';

import type { ServiceDescription } from './services.mts';
import type { Json } from './pages.mts';

/** What the service says no with. */
export interface Refusal {
	readonly status: number;
	readonly code: string;
	readonly message: string;
}

export const NOT_FOUND: Refusal = { status: 404, code: 'resource_not_found', message: 'Resource not found' };

export const invalid = (message: string): Refusal => ({ status: 400, code: 'invalid_request_body', message });

/** Says no in the service's way. */
export function refuse(reply: FastifyReply, { errors, json }: ServiceDescription, refusal: Refusal): FastifyReply {
	const quoted = errors.quotesRequest ? `${refusal.message} (${requestLine(reply.request)})` : refusal.message;
	reply.code(refusal.status);
	if (errors.body === 'html') return reply.type('text/html').send(page(refusal.status, quoted));
	if (errors.body === 'empty') return reply.send();
	return reply.type(json.contentType).send(JSON.stringify(bodyOf(errors, { ...refusal, message: quoted })));
}

function bodyOf({ body }: { body: ServiceDescription['errors']['body'] }, { status, code, message }: Refusal): Json {
	if (body === 'error and status') return { error: message, status };
	return {
		...(body === 'svc_api_error_code' ? {} : { error_code: code }),
		...(body === 'error_code' ? {} : { svc_api_error_code: code }),
		message,
	};
}

/** Refuses what comes too fast. */
export function throttle(reply: FastifyReply, description: ServiceDescription): FastifyReply {
	const { retryAfter, body } = description.throttling;
	const refusal = { status: 429, code: 'rate_limit_exceeded', message: 'Rate limit exceeded' };
	if (retryAfter === 'seconds') reply.header('Retry-After', '2');
	if (retryAfter === 'date') reply.header('Retry-After', new Date(Date.now() + 3000).toUTCString());
	if (body === 'general') return refuse(reply, description, refusal);
	reply.code(429);
	if (body === 'empty') return reply.send();
	if (body === 'html') return reply.type('text/html').send(page(429, refusal.message));
	const own = { ...bodyOf({ body: 'general' }, refusal), retry_after: 2, limit: 400, window: '1m' };
	return reply.type(description.json.contentType).send(JSON.stringify(own));
}

/** A page for people, with what they sent on it. */
export function page(status: number, words: string): string {
	return `<!DOCTYPE html>\n<html><head><title>${status}</title></head><body><h1>${status}</h1><p>${words}</p></body></html>`;
}

/** What a thoughtless service repeats of a request. */
function requestLine({ method, url, headers }: FastifyRequest): string {
	return `${method} ${url}, authorization: ${headers.authorization ?? 'none'}`;
}

/** Ends the connection without an answer. */
export function cutOff(reply: FastifyReply): FastifyReply {
	reply.hijack();
	reply.raw.destroy();
	return reply;
}

import { gzipSync } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import type { Service } from '../sandbox/service.mts';
import { EXPIRED_ANSWERS } from '../support/expiredAddresses.mts';
import type { GeneratedFileStyle, ServiceDescription } from './services.mts';

/** A part of each presigned query that nobody but its receiver should ever see. */
export const SIGNATURE = 'a1%2Bb2%2Fc3signature';

/** What is added to each presigned address. To be sent as it is: whoever decodes and encodes it again breaks the signature. */
const TAIL = `&x-id=Put+Object&rscd=attachment%3B%20filename%3D%22a%20b.docx%22&X-Amz-Signature=${SIGNATURE}%3D`;

/** A presigned address of the sandbox, with the number of times that it was given out. */
export const reshapedAddress = (address: unknown, given = 1): string =>
	`${String(address)}&v=${given}${TAIL}`;

/** Reshapes the sandbox's file storage: how it answers, and what goes wrong at it. */
export function reshapeStore(
	app: FastifyInstance,
	service: Service,
	{ files, questions }: ServiceDescription,
): void {
	const requested = new Map<string, number>();
	let uploads = 0;

	app.addHook<{ Params: Record<string, string> }>('preHandler', async (request, reply) => {
		if (!request.url.startsWith('/storage/')) return undefined;
		if (!request.url.endsWith(TAIL))
			return xml(
				reply,
				403,
				'SignatureDoesNotMatch',
				`<SignatureProvided>${SIGNATURE}</SignatureProvided>`,
			);
		if (request.method === 'GET') return give(request, reply);
		uploads += 1;
		const { uploadTrouble: trouble, expired } = files;
		if (uploads > 1 || trouble === 'none' || trouble === 'cut, stored') return undefined;
		for await (const chunk of request.body as AsyncIterable<unknown>) void chunk;
		if (trouble === 'expired') return expiredAnswer(reply, expired);
		return trouble === 'server error' ? xml(reply, 503, 'SlowDown') : cutOff(reply);
	});

	app.addHook('onSend', async (request, reply, payload) => {
		if (
			request.method !== 'PUT' ||
			reply.statusCode !== 200 ||
			!request.url.startsWith('/storage/')
		)
			return payload;
		if (uploads === 1 && files.uploadTrouble === 'cut, stored') {
			cutOff(reply);
			return await new Promise<never>(() => undefined);
		}
		reply.code(files.uploaded);
		return files.uploaded === 204 ? null : payload;
	});

	function give(
		request: FastifyRequest<{ Params: Record<string, string> }>,
		reply: FastifyReply,
	): FastifyReply {
		const { file_id: id = '' } = request.params;
		const { content } = service.files.downloadable(id, request.query as Record<string, string>);
		const index = Math.max(
			...service.questions.journal.entries.map(({ generated }) => generated.indexOf(id)),
		);
		const style = questions.attachments[index];
		if (style === undefined) throw new Error(`File ${id} is not described`);
		if (style.transfer === 'redirect' && !request.url.includes('moved=1&'))
			return reply.redirect(request.url.replace('?', '?moved=1&'), 307);
		const times = (requested.get(id) ?? 0) + 1;
		requested.set(id, times);
		const isFirst = style.trouble === 'expired' ? request.url.includes('&v=1&') : times === 1;
		return isFirst || style.troubleEachTime
			? giveWithTrouble(reply, style, content)
			: send(reply, style, content);
	}

	function giveWithTrouble(
		reply: FastifyReply,
		style: GeneratedFileStyle,
		content: Buffer,
	): FastifyReply {
		const half = content.subarray(0, Math.floor(content.length / 2));
		if (style.trouble === 'expired') return expiredAnswer(reply, files.expired);
		if (style.trouble === 'server error') return xml(reply, 503, 'SlowDown');
		if (style.trouble === 'log-in page')
			return reply.type('text/html').send('<!DOCTYPE html><h1>Please log in</h1>');
		if (style.trouble === 'none') return send(reply, style, content);
		if (style.trouble === 'short') return send(reply, style, half);
		reply.hijack();
		reply.raw.writeHead(200, {
			'Content-Type': 'application/octet-stream',
			'Content-Length': content.length,
		});
		reply.raw.write(half, () => reply.raw.destroy());
		return reply;
	}
}

function send(
	reply: FastifyReply,
	{ transfer }: GeneratedFileStyle,
	content: Buffer,
): FastifyReply {
	reply.hijack();
	const sent = transfer === 'gzip' ? gzipSync(content) : content;
	const encoding = transfer === 'gzip' ? { 'Content-Encoding': 'gzip' } : {};
	const length =
		transfer === 'chunked' ? { 'Transfer-Encoding': 'chunked' } : { 'Content-Length': sent.length };
	reply.raw.writeHead(200, { 'Content-Type': 'binary/octet-stream', ...encoding, ...length });
	reply.raw.end(sent);
	return reply;
}

function expiredAnswer(
	reply: FastifyReply,
	expired: ServiceDescription['files']['expired'],
): FastifyReply {
	const { status, contentType, body } = EXPIRED_ANSWERS[expired];
	return reply.code(status).type(contentType).send(body);
}

/** The way in which object stores say no; they quote what they were sent. */
function xml(reply: FastifyReply, status: number, code: string, more = ''): FastifyReply {
	const quoted = reply.request.url.replaceAll('&', '&amp;');
	return reply
		.code(status)
		.type('application/xml')
		.send(
			`<?xml version="1.0"?><Error><Code>${code}</Code>${more}<Resource>${quoted}</Resource></Error>`,
		);
}

/** Ends the connection without an answer. */
function cutOff(reply: FastifyReply): FastifyReply {
	reply.hijack();
	reply.raw.destroy();
	return reply;
}

import { gzipSync } from 'node:zlib';

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { cutOff, page } from './errors.mts';
import type { Json } from './pages.mts';
import { bytesOf, symbolsOf, uuidOf } from './random.mts';
import type { GeneratedFileStyle, ServiceDescription } from './services.mts';
import type { AcceptedQuestion, GeneratedFile, Truth, UploadJob } from './truth.mts';

/** A part of each presigned query that nobody but its receiver should ever see. */
export const SIGNATURE = 'a1%2Bb2%2Fc3signature';

/** Where files are sent to and fetched from. */
export class FileStore {
	/** Where it is reached; set once it listens. */
	origin = '';
	readonly #description: ServiceDescription;
	readonly #truth: Truth;
	readonly #files = new Map<string, { file: GeneratedFile; style: GeneratedFileStyle }>();

	constructor(description: ServiceDescription, truth: Truth) {
		this.#description = description;
		this.#truth = truth;
	}

	/** Takes on a file that is to come; gives its job, and where to send it. */
	expect(fileName: string, contentType: string): { jobId: string; url: string } {
		const { uploads } = this.#truth;
		const name = `job ${uploads.size}`;
		const { seed, files } = this.#description;
		const jobId = files.jobIds === 'uuid' ? uuidOf(seed, name) : symbolsOf(seed, name);
		// To be sent as they are: whoever decodes and encodes them again breaks the signature.
		const query = `X-Amz-Expires=3600&X-Amz-Credential=AK%2F2026%2Fs3&x-id=Put+Object&X-Amz-Signature=${SIGNATURE}%3D`;
		const address = `/store/up/${uploads.size}/my%20file%2B(1).bin?${query}`;
		uploads.set(jobId, { fileName, contentType, address, stored: undefined, requests: 0 });
		return { jobId, url: this.origin + address };
	}

	/** The files of an answer as the service describes them, each with an address of its own each time. */
	attachmentsOf({ files, looks }: AcceptedQuestion): Json[] {
		const { questions, files: store } = this.#description;
		const described = files.map((file, index) => {
			const style = questions.attachments[index];
			if (style === undefined) throw new Error(`File ${index} is not described`);
			this.#files.set(file.id, { file, style });
			return {
				file_name: style.name,
				content_type: style.contentType,
				content_length: { size: style.size, null: null, zero: 0 }[style.announced],
				...this.#urlOf(style, file),
			};
		});
		return store.shuffled && looks % 2 === 1 ? described.reverse() : described;
	}

	#urlOf({ url }: GeneratedFileStyle, file: GeneratedFile): Json {
		if (url !== 'present') return url === 'null' ? { url: null } : {};
		file.addresses += 1;
		const query = `v=${file.addresses}&rscd=attachment%3B%20filename%3D%22a%20b.docx%22&sig=${SIGNATURE}%3D`;
		return { url: `${this.origin}/store/gen/${file.id}?${query}` };
	}

	addRoutes(app: FastifyInstance): void {
		app.put('/store/up/*', (request, reply) => this.#take(request, reply));
		app.get('/store/gen/:id', (request: FastifyRequest<{ Params: { id: string } }>, reply) => this.#give(request, reply));
	}

	#take(request: FastifyRequest, reply: FastifyReply): FastifyReply {
		const job = [...this.#truth.uploads.values()].find(({ address }) => address === request.url);
		if (job === undefined) return xml(reply, 403, 'SignatureDoesNotMatch', `<SignatureProvided>${SIGNATURE}</SignatureProvided>`);
		const { headers } = request;
		if (headers.authorization !== undefined) return xml(reply, 400, 'InvalidArgument', 'Only one auth mechanism allowed');
		if (headers['content-type'] !== job.contentType) return xml(reply, 403, 'SignatureDoesNotMatch');
		if (headers['content-length'] === undefined) return xml(reply, 411, 'MissingContentLength');
		job.requests += 1;
		const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
		return this.#takeBody(reply, job, body);
	}

	#takeBody(reply: FastifyReply, job: UploadJob, body: Buffer): FastifyReply {
		const { uploadTrouble, uploaded, expired } = this.#description.files;
		const isFirst = [...this.#truth.uploads.values()].reduce((sum, { requests }) => sum + requests, 0) === 1;
		if (isFirst && uploadTrouble === 'expired') return expiredAnswer(reply, expired);
		if (isFirst && uploadTrouble === 'server error') return xml(reply, 503, 'SlowDown');
		if (isFirst && uploadTrouble === 'cut, not stored') return cutOff(reply);
		job.stored = body;
		if (isFirst && uploadTrouble === 'cut, stored') return cutOff(reply);
		return reply.code(uploaded).header('ETag', '"9b2cf5"').send();
	}

	#give(request: FastifyRequest<{ Params: { id: string } }>, reply: FastifyReply): FastifyReply {
		const { id } = request.params;
		const known = this.#files.get(id);
		if (known === undefined) return xml(reply, 404, 'NoSuchKey');
		if (request.headers.authorization !== undefined) return xml(reply, 400, 'InvalidArgument');
		const { file, style } = known;
		const query = new URL(request.url, this.origin).searchParams;
		if (!request.url.endsWith(`${SIGNATURE}%3D`)) return xml(reply, 403, 'SignatureDoesNotMatch');
		if (style.transfer === 'redirect' && !query.has('moved')) {
			return reply.redirect(request.url.replace('?', '?moved=1&'), 307);
		}
		file.requests += 1;
		const goesWrong = style.troubleEachTime || (style.trouble === 'expired' ? query.get('v') === '1' : file.requests === 1);
		if (goesWrong && style.trouble !== 'none') return this.#giveTrouble(reply, known);
		return give(reply, style, file.content);
	}

	#giveTrouble(reply: FastifyReply, { file: { content }, style }: { file: GeneratedFile; style: GeneratedFileStyle }): FastifyReply {
		const half = content.subarray(0, Math.floor(content.length / 2));
		if (style.trouble === 'expired') return expiredAnswer(reply, this.#description.files.expired);
		if (style.trouble === 'server error') return xml(reply, 503, 'SlowDown');
		if (style.trouble === 'log-in page') return reply.type('text/html').send(page(200, 'Please log in'));
		if (style.trouble === 'short') return give(reply, style, half);
		reply.hijack();
		reply.raw.writeHead(200, { 'Content-Type': 'application/octet-stream', 'Content-Length': content.length });
		reply.raw.write(half, () => reply.raw.destroy());
		return reply;
	}
}

/** The files of one answer: noise, so that no two are alike. */
export function generatedFilesOf({ seed, questions }: ServiceDescription, question: string): GeneratedFile[] {
	return questions.attachments.map(({ size }, index) => ({
		id: uuidOf(seed, `${question}, file ${index}`),
		content: bytesOf(seed, `${question}, content ${index}`, size),
		addresses: 0,
		requests: 0,
	}));
}

function give(reply: FastifyReply, { transfer }: GeneratedFileStyle, content: Buffer): FastifyReply {
	reply.hijack();
	const type = { 'Content-Type': 'binary/octet-stream' };
	const sent = transfer === 'gzip' ? gzipSync(content) : content;
	const encoding = transfer === 'gzip' ? { 'Content-Encoding': 'gzip' } : {};
	const length = transfer === 'chunked' ? { 'Transfer-Encoding': 'chunked' } : { 'Content-Length': sent.length };
	reply.raw.writeHead(200, { ...type, ...encoding, ...length });
	reply.raw.end(sent);
	return reply;
}

function expiredAnswer(reply: FastifyReply, expired: string): FastifyReply {
	const [status, code] = expired.split(' ');
	if (code === undefined) return reply.code(Number(status)).type('text/plain').send('Gone');
	return xml(reply, Number(status), code, '<Message>Request has expired</Message>');
}

/** The way in which object stores say no; they quote what they were sent. */
function xml(reply: FastifyReply, status: number, code: string, more = ''): FastifyReply {
	const { url } = reply.request;
	return reply
		.code(status)
		.type('application/xml')
		.send(`<?xml version="1.0"?><Error><Code>${code}</Code>${more}<Resource>${url.replaceAll('&', '&amp;')}</Resource></Error>`);
}

import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { Refusal } from '../errors.mts';
import type { Service } from '../service.mts';
import type { PresignedQuery } from '../state/files.mts';

/** The largest file (specification, "Limits"). */
const MOST_BYTES = 50 * 1024 * 1024;

/** The file storage behind presigned addresses. It is not part of the API, and does not use its key; its errors are XML. */
export function storageRoutes(app: FastifyInstance, { service }: { service: Service }) {
	const { files, clock } = service;

	app.removeAllContentTypeParsers();
	app.addContentTypeParser('*', (_request, stream, done) => {
		done(null, stream);
	});

	app.setErrorHandler((error, _request, reply) => {
		const { status, code, message } =
			error instanceof Refusal ? error : new Refusal(500, 'InternalError', String(error));
		const xml = `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${message}</Message></Error>`;
		return reply.code(status).type('application/xml').send(xml);
	});

	app.addHook('onRequest', ({ headers }, _reply, done) => {
		if (headers.authorization === undefined) done();
		else done(new Refusal(400, 'InvalidArgument', 'Only one auth mechanism allowed'));
	});

	app.put<{ Params: { job_id: string }; Querystring: PresignedQuery; Body: Readable | undefined }>(
		'/uploads/:job_id',
		async ({ params, query, headers, body }, reply) => {
			const job = files.uploadable(params.job_id, headers['content-type'] ?? '', query);
			const length = headers['content-length'];
			if (length === undefined)
				throw new Refusal(
					411,
					'MissingContentLength',
					'You must provide the Content-Length HTTP header.',
				);
			if (Number(length) > MOST_BYTES)
				throw new Refusal(
					400,
					'EntityTooLarge',
					'Your proposed upload exceeds the maximum allowed size.',
				);
			job.upload = { ...(await receive(body)), at: clock.now() };
			return reply.send('');
		},
	);

	app.get<{ Params: { file_id: string }; Querystring: PresignedQuery }>(
		'/generated/:file_id',
		({ params, query }, reply) => {
			const { fileName, contentType, content } = files.downloadable(params.file_id, query);
			const disposition = `attachment; filename*=UTF-8''${encodeURIComponent(fileName)}`;
			return reply.type(contentType).header('content-disposition', disposition).send(content);
		},
	);
}

/** Reads a body as a stream: its length and hash are all that is kept. */
async function receive(body: Readable | undefined) {
	const hash = createHash('sha256');
	let contentLength = 0;
	for await (const chunk of body ?? []) {
		if (!Buffer.isBuffer(chunk)) throw new TypeError('A request body comes in buffers');
		hash.update(chunk);
		contentLength += chunk.length;
	}
	return { contentLength, sha256: hash.digest('hex') };
}

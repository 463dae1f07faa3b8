import type { FastifyInstance } from 'fastify';
import { checkKey } from '../auth.mts';
import { ApiError, invalidBody, notFound } from '../errors.mts';
import type { Service } from '../service.mts';
import { fileRoutes } from './files.mts';
import { listRoutes } from './lists.mts';
import { questionRoutes } from './questions.mts';
import { taskRoutes } from './tasks.mts';

/** The API below the base URL: its endpoints, and what they have in common. */
export function apiRoutes(app: FastifyInstance, { service }: { service: Service }): void {
	const { requests, limits } = service;

	app.addHook('onRequest', ({ headers }, _reply, done) => {
		checkKey(headers.authorization, service.apiKey);
		limits.takeRequest();
		done();
	});

	app.removeAllContentTypeParsers();
	app.addContentTypeParser('*', { parseAs: 'buffer' }, (request, raw, done) => {
		try {
			const body: unknown = JSON.parse(raw.toString());
			requests.of(request).body = body;
			done(null, body);
		} catch {
			done(invalidBody('The request body is not valid JSON'));
		}
	});

	app.setErrorHandler((error, _request, reply) => {
		const refusal = error instanceof ApiError ? error : new ApiError(500, 'internal_error', String(error));
		reply.code(refusal.status).headers(refusal.headers);
		return reply.send(refusal.body());
	});

	app.setNotFoundHandler(() => {
		throw notFound('Resource not found');
	});

	listRoutes(app, service);
	questionRoutes(app, service);
	fileRoutes(app, service);
	taskRoutes(app, service);
}

import type { FastifyError, FastifyInstance, FastifySchemaCompiler } from 'fastify';
import { checkKey } from '../auth.mts';
import { notFound, Refusal } from '../errors.mts';
import type { Service } from '../service.mts';
import { fileRoutes } from './files.mts';
import { listRoutes } from './lists.mts';
import { questionRoutes } from './questions.mts';
import { taskRoutes } from './tasks.mts';

/** To compile the schemas is most of what a start takes: the first sandbox of a process does it for all. */
let compiler: FastifySchemaCompiler<unknown> | undefined;

/** The API below the base URL: its endpoints, and what they have in common. */
export function apiRoutes(app: FastifyInstance, { service }: { service: Service }) {
	if (compiler !== undefined) app.setValidatorCompiler(compiler);
	app.addHook('onReady', (done) => {
		compiler = app.validatorCompiler;
		done();
	});
	app.addHook('onRequest', ({ headers }, _reply, done) => {
		checkKey(headers.authorization, service.keys);
		service.requestLimit.take();
		done();
	});

	app.addHook('preValidation', (request, _reply, done) => {
		// Validation adds defaults.
		service.requests.of(request).body = structuredClone(request.body);
		done();
	});

	app.setErrorHandler<FastifyError | Refusal>((error, _request, reply) => {
		const { status, code, message, headers } = error instanceof Refusal ? error : refusalFor(error);
		return reply
			.code(status)
			.headers(headers)
			.send({ error_code: code, svc_api_error_code: code, message });
	});

	app.setNotFoundHandler(() => {
		throw notFound('Resource not found');
	});

	listRoutes(app, service);
	questionRoutes(app, service);
	fileRoutes(app, service);
	taskRoutes(app, service);
}

/** The specification has no code for an invalid query parameter, so that one is not listed there. Clients have to cope with it. */
function refusalFor({ statusCode = 500, validationContext, message }: FastifyError) {
	if (statusCode >= 500) return new Refusal(500, 'internal_error', message);
	return new Refusal(
		400,
		validationContext === 'querystring' ? 'invalid_request_parameter' : 'invalid_request_body',
		message,
	);
}

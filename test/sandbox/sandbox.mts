import { fastify } from 'fastify';
import { installFaults } from './faultHooks.mts';
import type { SandboxOptions, SandboxSettings } from './options.mts';
import type { Route } from './requests.mts';
import { apiRoutes } from './routes/api.mts';
import { storageRoutes } from './routes/storage.mts';
import { Service } from './service.mts';
import type { Question } from './state/questions.mts';

export { ASSISTANTS } from './state/organization.mts';
export type { Question, SandboxOptions, SandboxSettings };
export type { Fault } from './faults.mts';

/** A running sandbox service. State and switches are plain objects to read and set; `reset()` restores all of them. */
export type Sandbox = Awaited<ReturnType<typeof startSandbox>>;

/** Starts a double of the whole API on its own port. */
export async function startSandbox({ port = 0, log, ...options }: SandboxOptions = {}) {
	const service = new Service(options);
	const {
		clock,
		requests,
		questions,
		callbacks,
		apiKey,
		keys,
		webhookSecret,
		settings,
		faults,
		organization,
		tasks,
		files,
	} = service;

	const app = fastify({
		forceCloseConnections: true,
		exposeHeadRoutes: false,
		bodyLimit: 8 * 1024 * 1024,
		routerOptions: { maxParamLength: 500 },
		// What the specification does not name is refused, so that a client that sends it under another name is noticed.
		ajv: { customOptions: { coerceTypes: false, removeAdditional: false } },
	});
	requests.install(app, clock, log);
	// Node.js would write the real time, also where a test's clock is another one.
	app.addHook('onRequest', (_request, reply, done) => {
		reply.header('date', new Date(Date.now() + settings.clockAheadMs).toUTCString());
		done();
	});
	installFaults(app, faults, requests, clock);
	app.register(apiRoutes, { prefix: '/api/v1', service });
	app.register(storageRoutes, { prefix: '/storage', service });
	const origin = await app.listen({ port, host: '127.0.0.1' });
	files.origin = origin;

	return {
		/** The versioned base address, ending in /api/v1. */
		baseUrl: `${origin}/api/v1`,
		origin,
		...{ apiKey, keys, webhookSecret, settings, faults, organization, tasks, files },
		/** What goes wrong with callbacks. */
		callbackFaults: callbacks.faults,
		/** All requests, in order. */
		requests: requests.journal.entries,
		/** Those to one route. */
		requestsTo: (route: Route) =>
			requests.journal.entries.filter((request) => request.route === route),
		/** All questions, in the order in which they were accepted. */
		questions: questions.journal.entries,
		/** All deliveries, attempted or dropped, in the order in which they ended. */
		callbacks: callbacks.journal.entries,
		/**
		 * The question with this text, the last one if it was asked again; the first of all if no text is given. Those of several items
		 * are accepted in any order.
		 *
		 * @throws if it was not asked
		 */
		asked: questions.asked.bind(questions),
		/** The first request, past or future, that matches the predicate. Checked when it arrives and when it ends. */
		waitForRequest: requests.journal.waitFor.bind(requests.journal),
		/** The first question, past or future, that matches the predicate. Checked when it is asked and when it ends. */
		waitForQuestion: questions.journal.waitFor.bind(questions.journal),
		/** The first delivery, past or future, that matches the predicate. */
		waitForCallback: callbacks.journal.waitFor.bind(callbacks.journal),
		/** Ends a question that is in progress, as planned or as given. Resolves once its callback was attempted. */
		complete: questions.complete.bind(questions),
		/** Sends the callback of an ended question again. */
		resendCallback: (questionId: string) => callbacks.resend(questionId),
		/** Skips sandbox milliseconds: addresses expire, limits refill, answers become due. */
		advance: clock.advance.bind(clock),
		/** Settings, faults, state and logs as they were at the start. */
		reset: service.reset.bind(service),
		/** Drops every connection and stops every timer. */
		close: async () => {
			clock.cancelAll();
			await callbacks.close();
			await app.close();
		},
	};
}

import { fastify } from 'fastify';
import { installFaults } from './faultHooks.mts';
import type { Faults } from './faults.mts';
import type { SandboxOptions, SandboxSettings } from './options.mts';
import type { LoggedRequest, Route } from './requests.mts';
import { apiRoutes } from './routes/api.mts';
import { storageRoutes } from './routes/storage.mts';
import { Service } from './service.mts';
import type { Outcome } from './state/answers.mts';
import type { CallbackFaults, Delivery } from './state/callbacks.mts';
import type { Question } from './state/questions.mts';

export { ASSISTANTS } from './state/organization.mts';
export type { Faults, LoggedRequest, Outcome, Question, SandboxOptions, SandboxSettings };
export type { Fault, FaultRule } from './faults.mts';

/** What tests read and set of the service. */
type State = Pick<
	Service,
	'apiKey' | 'keys' | 'webhookSecret' | 'settings' | 'faults' | 'organization' | 'tasks' | 'files'
>;

/** A running sandbox service. State and switches are plain objects to read and set; `reset()` restores all of them. */
export interface Sandbox extends State {
	/** The versioned base address, ending in /api/v1. */
	baseUrl: string;
	origin: string;
	/** What goes wrong with callbacks. */
	callbackFaults: CallbackFaults;
	/** All requests, in order. */
	requests: readonly LoggedRequest[];
	/** Those to one route. */
	requestsTo(route: Route): LoggedRequest[];
	/** All questions, in the order in which they were accepted. */
	questions: readonly Question[];
	/** All deliveries, attempted or dropped, in the order in which they ended. */
	callbacks: readonly Delivery[];
	/**
	 * The question with this text, the last one if it was asked again; the first of all if no text is given. Those of several items
	 * are accepted in any order.
	 *
	 * @throws if it was not asked
	 */
	asked(text?: string): Question;
	/** The first request, past or future, that matches the predicate. Checked when it arrives and when it ends. */
	waitForRequest(
		predicate: (request: LoggedRequest) => boolean,
		withinMs?: number,
	): Promise<LoggedRequest>;
	/** The first question, past or future, that matches the predicate. Checked when it is asked and when it ends. */
	waitForQuestion(predicate: (question: Question) => boolean, withinMs?: number): Promise<Question>;
	/** The first delivery, past or future, that matches the predicate. */
	waitForCallback(predicate: (delivery: Delivery) => boolean, withinMs?: number): Promise<Delivery>;
	/** Ends a question that is in progress, as planned or as given. Resolves once its callback was attempted. */
	complete(questionId: string, outcome?: Partial<Outcome>): Promise<void>;
	/** Sends the callback of an ended question again. */
	resendCallback(questionId: string): Promise<Delivery>;
	/** Skips sandbox milliseconds: addresses expire, limits refill, answers become due. */
	advance(ms: number): void;
	/** Settings, faults, state and logs as they were at the start. */
	reset(): Promise<void>;
	/** Drops every connection and stops every timer. */
	close(): Promise<void>;
}

/** Starts a double of the whole API on its own port. */
export async function startSandbox({
	port = 0,
	log,
	...options
}: SandboxOptions = {}): Promise<Sandbox> {
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
		baseUrl: `${origin}/api/v1`,
		origin,
		...{ apiKey, keys, webhookSecret, settings, faults, organization, tasks, files },
		callbackFaults: callbacks.faults,
		requests: requests.journal.entries,
		requestsTo: (route) => requests.journal.entries.filter((request) => request.route === route),
		questions: questions.journal.entries,
		callbacks: callbacks.journal.entries,
		asked: (text) => questions.asked(text),
		waitForRequest: (predicate, withinMs) => requests.journal.waitFor(predicate, withinMs),
		waitForQuestion: (predicate, withinMs) => questions.journal.waitFor(predicate, withinMs),
		waitForCallback: (predicate, withinMs) => callbacks.journal.waitFor(predicate, withinMs),
		complete: (questionId, outcome) => questions.complete(questionId, outcome),
		resendCallback: (questionId) => callbacks.resend(questionId),
		advance: (ms) => {
			clock.advance(ms);
		},
		reset: () => service.reset(),
		close: async () => {
			clock.cancelAll();
			await callbacks.close();
			await app.close();
		},
	};
}

import type { ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from './clock.mts';
import { Journal } from './journal.mts';

const API = '/api/v1';

/** All routes, but for the second spelling of those of questions, as `method path` below the base URL (those of the file storage below the origin). */
const ROUTES = [
	'GET /me',
	'GET /assistants',
	'POST /assistants/:assistant_id/questions',
	'GET /assistants/:assistant_id/questions/:question_id',
	'POST /files/upload-url',
	'PUT /storage/uploads/:job_id',
	'GET /storage/generated/:file_id',
	'GET /playbooks',
	'GET /templates',
	'GET /tasks',
	'POST /tasks',
	'GET /tasks/:task_id',
	'PATCH /tasks/:task_id',
] as const;

/** A route, or `other` for an unknown path. */
export type Route = (typeof ROUTES)[number] | 'other';

/** A request and its outcome. */
export interface LoggedRequest {
	method: string;
	/** Without the query. */
	path: string;
	query: unknown;
	route: Route;
	/** As sent, including the key, so that a test can check where the key was sent. */
	headers: Readonly<Record<string, string | string[] | undefined>>;
	/** Sandbox milliseconds. */
	at: number;
	/** The JSON of the body; undefined for an upload, and before it is read. */
	body: unknown;
	/** Null before a response begins, and if none does. */
	status: number | null;
	/** Whether the request is over, answered or not. */
	ended: boolean;
}

/** Logs requests, and reports a line for each. */
export class Requests {
	journal = new Journal<LoggedRequest>('request');
	#open = new Set<FastifyReply>();
	#logged = new WeakMap<FastifyRequest, LoggedRequest>();

	of(request: FastifyRequest) {
		const logged = this.#logged.get(request);
		if (logged === undefined) throw new Error('The request was never logged');
		return logged;
	}

	/** Cuts the connections of requests that have no response yet, and empties the log. */
	reset() {
		for (const { raw } of this.#open) raw.destroy();
		this.#open.clear();
		this.journal.clear();
	}

	/** Logs requests from now on. Must be installed before all other hooks. */
	install(app: FastifyInstance, clock: Clock, log: ((line: string) => void) | undefined) {
		app.addHook('onRequest', (request, reply, done) => {
			const [path = ''] = request.url.split('?');
			const started = Date.now();
			let response: ServerResponse | undefined = reply.raw;
			let answered: number | null = null;
			const logged = {
				method: request.method,
				path,
				query: request.query,
				route: findRoute(request),
				headers: request.headers,
				at: clock.now(),
				body: undefined,
				get status() {
					return response?.headersSent ? response.statusCode : answered;
				},
				ended: false,
			};
			reply.raw.once('close', () => {
				answered = logged.status;
				response = undefined;
				logged.ended = true;
				this.#open.delete(reply);
				this.journal.changed(logged);
				log?.(
					`${new Date().toISOString()} ${request.method} ${path} ${answered ?? 'cut'} ${Date.now() - started} ms`,
				);
			});
			this.#logged.set(request, logged);
			this.#open.add(reply);
			this.journal.add(logged);
			done();
		});
	}
}

function findRoute(request: FastifyRequest): Route {
	const url = request.routeOptions.url ?? '';
	const path = (url.split(API).at(-1) ?? '').replace(/^\/agents\//, '/assistants/');
	const label = `${request.method} ${path}`;
	return ROUTES.find((route) => route === label) ?? 'other';
}

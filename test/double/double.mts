import { createServer, type Server } from 'node:http';
import { gzipSync } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { listenLocally } from '../../harness/localServer.mts';
import { isRecord } from '../../harness/unknownJson.mts';
import { startSandbox, type Question, type Sandbox } from '../sandbox/sandbox.mts';
import type { Service } from '../sandbox/service.mts';
import { sendCallback } from './callbacks.mts';
import { cutOff, errorBody, page, throttle, type Refusal, type Sent } from './errors.mts';
import { Pages, type Json } from './pages.mts';
import { bytesOf } from './random.mts';
import { kept, Records } from './records.mts';
import type { ServiceDescription } from './services.mts';
import { reshapedAddress, reshapeStore } from './store.mts';

export { SIGNATURE } from './store.mts';

const ASK = 'POST /assistants/:assistant_id/questions';
const LOOK = 'GET /assistants/:assistant_id/questions/:question_id';
const TASK_QUERY = [
	...['query', 'status', 'priority', 'assigned_to', 'involving', 'team_id', 'tags', 'complete_by_from', 'complete_by_to'],
	...['cursor', 'limit', 'archived', 'draft'],
];

/** A sandbox whose answers are reshaped as a description says. */
export interface Double {
	readonly description: ServiceDescription;
	readonly baseUrl: string;
	readonly apiKey: string;
	readonly webhookSecret: string;
	/** What truly happens at the service. */
	readonly sandbox: Sandbox;
	/** The same, as the service shows it. */
	readonly shown: Pick<Records, 'tasks' | 'task' | 'library' | 'questionId' | 'sessionId' | 'jobId'>;
	/** Where the key was shown to somebody it is not for. */
	readonly leaks: readonly string[];
	/** Finishes all questions, and sends the callbacks that are due by then; resolves once they are answered. */
	readonly finishQuestions: () => Promise<void>;
	readonly close: () => Promise<void>;
}

/** Starts the service that a description describes. Its time may run faster than the clock. */
export async function startDouble(description: ServiceDescription, { timeScale = 1 }: { timeScale?: number } = {}): Promise<Double> {
	let shape: Shape | undefined;
	const sandbox = await startSandbox({
		...{ timeScale, seed: description.seed, basePath: description.basePath },
		...{ requestsPerMinute: Infinity, newSessionsPerMinute: Infinity, keepContentUpTo: Infinity },
		answer: ({ id, syncMode }) => {
			const { outcome, answer, reason, attachments, sync } = description.questions;
			const files = attachments.map(({ size }, index) => ({
				...{ fileName: 'file', contentType: 'application/octet-stream' },
				content: bytesOf(description.seed, `${id}, content ${index}`, size),
			}));
			return { status: outcome, answer, reason, attachments: files, after: syncMode && sync === 'answer' ? 0 : Infinity };
		},
		reshape: (app, service) => {
			shape = new Shape(app, service, description);
		},
	});
	if (shape === undefined) throw new Error('The sandbox was not reshaped');
	const { records, leaks, finishQuestions, close } = await shape.start(sandbox);
	const { baseUrl, apiKey, webhookSecret } = sandbox;
	return { ...{ description, baseUrl, apiKey, webhookSecret, sandbox, leaks, finishQuestions }, shown: records, close };
}

/** Reshapes what a sandbox answers. */
class Shape {
	readonly records: Records;
	readonly leaks: string[] = [];
	readonly #app: FastifyInstance;
	readonly #service: Service;
	readonly #description: ServiceDescription;
	readonly #pages: Pages;
	readonly #cursors = new WeakMap<FastifyRequest, string>();
	/** Requests whose answer is as it should be. */
	readonly #answered = new WeakSet<FastifyRequest>();
	readonly #calledBack = new Set<Question>();
	readonly #sending: Promise<void>[] = [];
	#requests = 0;
	#host = '';

	constructor(app: FastifyInstance, service: Service, description: ServiceDescription) {
		this.#app = app;
		this.#service = service;
		this.#description = description;
		this.#pages = new Pages(description.seed);
		this.records = new Records(description, service);
		// The sandbox sends no callback itself.
		service.callbacks.faults.drop = true;
		app.addHook('onRequest', async (request, reply) => this.#onRequest(request, reply));
		app.addHook('preHandler', async (request, reply) => this.#preHandler(request, reply));
		app.addHook('onSend', async (request, reply, payload: unknown) => this.#onSend(request, reply, payload));
		app.addHook('onResponse', (_request, _reply, done) => {
			this.#requests += 1;
			done();
		});
		reshapeStore(app, service, description);
	}

	async start(sandbox: Sandbox): Promise<Pick<Double, 'leaks' | 'finishQuestions' | 'close'> & { records: Records }> {
		this.#host = new URL(sandbox.baseUrl).host;
		let store: Server | undefined;
		if (this.#description.files.ownAddress) {
			store = createServer((request, response) => {
				this.#app.routing(request, response);
			});
			sandbox.files.origin = `http://127.0.0.1:${await listenLocally(store)}`;
		}
		return {
			...{ records: this.records, leaks: this.leaks },
			finishQuestions: () => this.#finishQuestions(),
			close: async () => {
				store?.closeAllConnections();
				store?.close();
				await sandbox.close();
			},
		};
	}

	#onRequest(request: FastifyRequest, reply: FastifyReply): FastifyReply | undefined {
		const { url, headers, host, method } = request;
		const isStore = url.startsWith('/storage/');
		if (headers.authorization !== undefined && (isStore || host !== this.#host)) this.leaks.push(url);
		if (isStore || headers.authorization === undefined) return undefined;
		const { throttling: { every, times }, outages } = this.#description;
		if (every > 0 && this.#requests % (every + times) >= every) return this.#send(reply, 429, throttle(reply, this.#description));
		// What may be sent again fails this time.
		const isRepeatable = method !== 'POST' || url.includes('/files/upload-url');
		if (!isRepeatable || outages === 0 || this.#requests % (outages + 1) !== outages) return undefined;
		return this.#refuse(reply, { status: 503, code: 'internal_error', message: 'Unexpected server error' });
	}

	/** Turns what a client sends into what the sandbox takes. */
	async #preHandler(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> {
		const [params, query, body] = [request.params, request.query, request.body].map((each) => (isRecord(each) ? each : {}));
		const { route } = this.#service.requests.of(request);
		if (typeof query?.cursor === 'string') this.#cursors.set(request, query.cursor);
		if (query !== undefined) delete query.cursor;
		if (route === 'GET /tasks') {
			const unknown = Object.keys(query ?? {}).find((name) => !TASK_QUERY.includes(name));
			if (unknown !== undefined) return this.#refuse(reply, { status: 400, code: 'invalid_request_body', message: `Unknown parameter ${unknown}` });
		}
		if (body !== undefined && (route === 'POST /tasks' || route === 'PATCH /tasks/:task_id')) {
			for (const name of ['status', 'priority']) if (name in body) body[name] = kept(body[name]);
		}
		if (route === LOOK && params !== undefined) {
			params.question_id = plainId(params.question_id);
			await this.#look(String(params.question_id));
		}
		if (route === ASK && body !== undefined) {
			if (typeof body.session_id === 'string') body.session_id = plainId(body.session_id);
			const attachments = Array.isArray(body.attachments) ? (body.attachments as unknown[]).filter(isRecord) : [];
			for (const each of attachments) if (typeof each.upload_job_id === 'string') each.upload_job_id = plainId(each.upload_job_id);
			if (this.#description.questions.asking.endsWith('not accepted')) return this.#fail(reply);
		}
		return undefined;
	}

	async #look(id: string): Promise<void> {
		const question = this.#service.questions.journal.entries.find((each) => each.id === id);
		if (question === undefined) return;
		const looks = (this.records.looks.get(id) ?? 0) + 1;
		this.records.looks.set(id, looks);
		if (this.#description.questions.before[looks] === undefined) await this.#finish(question);
	}

	async #onSend(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
		if (request.url.startsWith('/storage/')) return payload;
		const { json } = this.#description;
		let text = String(payload);
		if (!this.#answered.has(request)) {
			const body: unknown = JSON.parse(text);
			const { route } = this.#service.requests.of(request);
			const sent = await this.#reshaped(request, reply, route, isRecord(body) || Array.isArray(body) ? body : {});
			if (sent === undefined) return await new Promise<never>(() => undefined);
			reply.type(sent.type);
			({ text } = sent);
		}
		if (!json.gzip || !String(request.headers['accept-encoding']).includes('gzip')) return text;
		reply.header('Content-Encoding', 'gzip');
		return gzipSync(text);
	}

	/** An answer of the sandbox as this service gives it; undefined if the connection was cut. */
	async #reshaped(request: FastifyRequest, reply: FastifyReply, route: string, body: Json | unknown[]): Promise<Sent | undefined> {
		const { json, tasks, libraries } = this.#description;
		const record: Json = isRecord(body) ? body : {};
		const status = reply.statusCode;
		if (status >= 400) return errorBody(request, this.#description, { status, code: String(record.error_code), message: String(record.message) });
		const inJson = (content: unknown): Sent => ({ type: json.contentType, text: json.pretty ? `${JSON.stringify(content, null, 2)}\n` : JSON.stringify(content) });
		const url = new URL(request.url, `http://${request.host}`);
		const library = (['assistants', 'playbooks', 'templates'] as const).find((name) => route === `GET /${name}`);
		if (library !== undefined) {
			const all = this.records.library(library);
			return libraries.page === null ? inJson(all) : this.#page(request, reply, url, { style: libraries.page, limit: libraries.pageSize, all, inJson });
		}
		if (route === 'GET /tasks') {
			const limit = Number(url.searchParams.get('limit') ?? 20);
			return this.#page(request, reply, url, { style: tasks.page, limit, all: this.records.tasks(url.searchParams), inJson });
		}
		if (route.includes('/tasks')) {
			const task = this.records.task(record);
			return inJson(tasks.envelope === null ? task : { [tasks.envelope]: task });
		}
		if (route === LOOK) return inJson(this.records.question(this.#service.questions.get(String(record.id))));
		if (route === ASK) return await this.#asked(request, reply, String(record.id), inJson);
		if (route === 'POST /files/upload-url') {
			return inJson({ ...record, job_id: this.records.jobId(record.job_id), upload_url: reshapedAddress(record.upload_url) });
		}
		return inJson({ ...record, ...(json.extraFields ? { roles: [], status: 'active', message: null } : {}) });
	}

	#page(
		request: FastifyRequest,
		reply: FastifyReply,
		url: URL,
		{ style, limit, all, inJson }: { style: Parameters<Pages['body']>[0]; limit: number; all: readonly Json[]; inJson: (content: unknown) => Sent },
	): Sent {
		const cursor = this.#cursors.get(request);
		const place = cursor === undefined ? { offset: 0, limit, index: 0 } : this.#pages.place(cursor);
		if (place?.limit === limit) return inJson(this.#pages.body(style, all, place, url));
		reply.code(400);
		return errorBody(request, this.#description, { status: 400, code: 'invalid_request_body', message: 'The cursor is of another list' });
	}

	/** The answer to a request to ask whose question was accepted; undefined if the connection was cut. */
	async #asked(request: FastifyRequest, reply: FastifyReply, id: string, inJson: (content: unknown) => Sent): Promise<Sent | undefined> {
		const { questions: { asking, sync }, callbacks } = this.#description;
		const question = this.#service.questions.get(id);
		const shown = this.records.question(question);
		const isLate = question.syncMode && question.status === 'in_progress';
		if (callbacks.when === 'before') await this.#callBack(question);
		if (callbacks.when === 'right after') reply.raw.once('close', () => this.#sending.push(this.#callBack(question)));
		if (isLate && sync === 'cut') return void cutOff(reply);
		if (isLate && sync !== 'in_progress' && sync !== 'answer') {
			reply.code(Number(sync));
			return errorBody(request, this.#description, { status: Number(sync), code: 'sync_timeout', message: 'Not done within 30 seconds' });
		}
		if (asking.startsWith('cut')) return void cutOff(reply);
		if (asking === 'answered') return inJson(shown);
		reply.code(asking.startsWith('504') ? 504 : 500);
		return this.#failure(request);
	}

	#failure(request: FastifyRequest): Sent {
		if (this.#description.questions.asking.startsWith('504')) return { type: 'text/html', text: page(504, 'Gateway time-out') };
		return errorBody(request, this.#description, { status: 500, code: 'internal_error', message: 'Unexpected server error' });
	}

	/** Leaves a request to ask without a useful answer. */
	#fail(reply: FastifyReply): FastifyReply {
		return this.#description.questions.asking.startsWith('cut') ? cutOff(reply) : this.#send(reply, 500, this.#failure(reply.request));
	}

	#refuse(reply: FastifyReply, refusal: Refusal): FastifyReply {
		return this.#send(reply, refusal.status, errorBody(reply.request, this.#description, refusal));
	}

	#send(reply: FastifyReply, status: number, { type, text }: Sent): FastifyReply {
		this.#answered.add(reply.request);
		return reply.code(status).type(type).send(text);
	}

	async #finish(question: Question): Promise<void> {
		if (question.status === 'in_progress') await this.#service.questions.complete(question.id);
	}

	async #callBack(question: Question): Promise<void> {
		const { callbackUrl: url, syncMode } = question;
		if (url === undefined || syncMode) return;
		await this.#finish(question);
		this.#calledBack.add(question);
		for (let time = 0; time < this.#description.callbacks.times; time += 1) {
			await sendCallback(url, this.records.question(question), this.#description, this.#service.webhookSecret);
		}
	}

	async #finishQuestions(): Promise<void> {
		await Promise.all(this.#sending.splice(0));
		const open = this.#service.questions.journal.entries.filter((question) => !this.#calledBack.has(question));
		for (const question of this.#description.callbacks.order === 'asked' ? open : open.reverse()) await this.#callBack(question);
	}
}

/** The ID that the sandbox knows, in one that the service shows. */
const plainId = (shown: unknown): string => /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(String(shown))?.[0] ?? String(shown);

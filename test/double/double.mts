import { createServer } from 'node:http';
import { gzipSync } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { listenLocally } from '../../harness/localServer.mts';
import { isRecord } from '../../harness/unknownJson.mts';
import { Refusal } from '../sandbox/errors.mts';
import { startSandbox, type Question, type Sandbox } from '../sandbox/sandbox.mts';
import type { Service } from '../sandbox/service.mts';
import { Pages, type Json } from './pages.mts';
import { bytesOf } from './random.mts';
import { kept, LIBRARIES, Records } from './records.mts';
import type { PageStyle, ServiceDescription } from './services.mts';
import { reshapedAddress, reshapeStore } from './store.mts';

export { SIGNATURE } from './store.mts';

const ASK = 'POST /assistants/:assistant_id/questions';
const LOOK = 'GET /assistants/:assistant_id/questions/:question_id';

/** A sandbox whose answers are reshaped as a description says. */
export interface Double {
	readonly description: ServiceDescription;
	readonly baseUrl: string;
	readonly apiKey: string;
	readonly webhookSecret: string;
	/** What truly happens at the service. */
	readonly sandbox: Sandbox;
	/** The same, as the service shows it. */
	readonly shown: Pick<Records, 'tasks' | 'library' | 'questionId' | 'sessionId' | 'jobId'>;
	/** Where the key was shown to somebody it is not for. */
	readonly leaks: readonly string[];
	/** Finishes the questions that are to be called back; resolves once all callbacks are answered. */
	readonly finishQuestions: () => Promise<void>;
	readonly close: () => Promise<void>;
}

/** Starts the service that a description describes. Its time may run faster than the clock. */
export async function startDouble(
	description: ServiceDescription,
	{ timeScale = 1 }: { timeScale?: number } = {},
): Promise<Double> {
	let reshaping: Reshaping | undefined;
	const sandbox = await startSandbox({
		...{ timeScale, seed: description.seed, basePath: description.basePath },
		...{ requestsPerMinute: Infinity, newSessionsPerMinute: Infinity, keepContentUpTo: Infinity },
		answer: ({ id, syncMode }) => {
			const { outcome, answer, reason, attachments, answersInTime } = description.questions;
			const files = attachments.map(({ size }, index) => ({
				...{ fileName: 'file', contentType: 'application/octet-stream' },
				content: bytesOf(description.seed, `${id}, content ${index}`, size),
			}));
			return {
				status: outcome,
				answer,
				reason,
				attachments: files,
				after: syncMode && answersInTime ? 0 : Infinity,
			};
		},
		reshape: (app, service) => {
			reshaping = new Reshaping(app, service, description);
		},
	});
	if (reshaping === undefined) throw new Error('The sandbox was not reshaped');
	const { app, records, leaks, finishQuestions } = reshaping;
	const { baseUrl, apiKey, webhookSecret } = sandbox;
	const store = createServer((request, response) => {
		if (request.headers.authorization !== undefined) leaks.push(`file store: ${request.url ?? ''}`);
		app.routing(request, response);
	});
	if (description.files.ownAddress)
		sandbox.files.origin = `http://127.0.0.1:${await listenLocally(store)}`;
	const close = async (): Promise<void> => {
		store.closeAllConnections();
		store.close();
		await sandbox.close();
	};
	return {
		...{ description, baseUrl, apiKey, webhookSecret, sandbox, leaks, finishQuestions, close },
		shown: records,
	};
}

/** Reshapes what a sandbox answers. */
class Reshaping {
	readonly app: FastifyInstance;
	readonly records: Records;
	readonly leaks: string[] = [];
	readonly #service: Service;
	readonly #description: ServiceDescription;
	readonly #pages: Pages;

	constructor(app: FastifyInstance, service: Service, description: ServiceDescription) {
		this.app = app;
		this.#service = service;
		this.#description = description;
		this.#pages = new Pages(description.seed);
		this.records = new Records(description, service);
		const { signed, times, gzip } = description.callbacks;
		Object.assign(service.callbacks.faults, {
			drop: times === 0,
			duplicate: times === 2,
			gzip,
			secret: signed ? undefined : 'another',
		});
		app.addHook('onRequest', ({ url, headers }, _reply, done) => {
			if (headers.authorization !== undefined && url.startsWith('/storage/')) this.leaks.push(url);
			done();
		});
		app.addHook('preValidation', (request, _reply, done) => {
			this.#readRequest(request);
			done();
		});
		app.addHook('preHandler', async (request, reply) => this.#sendList(request, reply));
		app.addHook('onSend', async (request, reply, payload) => this.#write(request, reply, payload));
		reshapeStore(app, service, description);
	}

	readonly finishQuestions = async (): Promise<void> => {
		const { questions, callbacks } = this.#service;
		const { order, times } = this.#description.callbacks;
		const asked = [...questions.journal.entries];
		for (const question of order === 'asked' ? asked : asked.toReversed())
			await this.#callBack(question);
		for (const { id } of asked.filter(isCalledBack)) {
			for (const nth of times === 2 ? [1, 2] : [1])
				await callbacks.journal.waitFor(
					({ questionId, attempt }) => questionId === id && attempt === nth,
				);
		}
	};

	/** Turns what a client sends into what the sandbox takes. */
	#readRequest(request: FastifyRequest): void {
		const [params, body] = [request.params, request.body].map((each) =>
			isRecord(each) ? each : {},
		) as [Json, Json];
		const { route } = this.#service.requests.of(request);
		if (route === 'POST /tasks' || route === 'PATCH /tasks/:task_id') {
			for (const name of ['status', 'priority']) if (name in body) body[name] = kept(body[name]);
		}
		if (route === LOOK) {
			params.question_id = plainId(params.question_id);
			this.#look(String(params.question_id));
		}
		if (route === ASK) {
			const attachments = Array.isArray(body.attachments) ? (body.attachments as Json[]) : [];
			if ('session_id' in body) body.session_id = plainId(body.session_id);
			for (const each of attachments)
				if ('upload_job_id' in each) each.upload_job_id = plainId(each.upload_job_id);
		}
	}

	#look(id: string): void {
		const { questions } = this.#service;
		const question = questions.journal.entries.find((each) => each.id === id);
		const looks = (this.records.looks.get(id) ?? 0) + 1;
		this.records.looks.set(id, looks);
		if (
			question?.status === 'in_progress' &&
			this.#description.questions.before[looks] === undefined
		)
			void questions.complete(id);
	}

	/** Answers with a list, which comes in pages of its own. */
	#sendList(request: FastifyRequest, reply: FastifyReply): FastifyReply | undefined {
		const { libraries, tasks } = this.#description;
		const { route } = this.#service.requests.of(request);
		const url = new URL(request.url, `http://${request.host}`);
		if (route === 'GET /tasks') {
			const all = this.records.tasks(url.searchParams);
			return reply.send(
				this.#page(url, tasks.page, Number(url.searchParams.get('limit') ?? 20), all),
			);
		}
		const library = LIBRARIES.find((name) => route === `GET /${name}`);
		if (library === undefined) return undefined;
		const all = this.records.library(library);
		return reply.send(
			libraries.page === null ? all : this.#page(url, libraries.page, libraries.pageSize, all),
		);
	}

	#page(url: URL, style: PageStyle, limit: number, all: readonly Json[]): Json {
		const cursor = url.searchParams.get('cursor');
		const place = cursor === null ? { offset: 0, limit, index: 0 } : this.#pages.place(cursor);
		if (place?.limit !== limit)
			throw new Refusal(400, 'invalid_request_parameter', 'The cursor is of another list');
		return this.#pages.body(style, all, place, url);
	}

	/** Writes an answer in the way of this service. */
	async #write(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
		if (request.url.startsWith('/storage/')) return payload;
		const { json } = this.#description;
		const answered: unknown = JSON.parse(String(payload));
		const body =
			isRecord(answered) && reply.statusCode < 400
				? await this.#reshaped(request, reply, answered)
				: answered;
		const text = json.pretty ? `${JSON.stringify(body, null, 2)}\n` : JSON.stringify(body);
		reply.type(json.contentType);
		if (!json.gzip || !String(request.headers['accept-encoding']).includes('gzip')) return text;
		reply.header('Content-Encoding', 'gzip');
		return gzipSync(text);
	}

	async #reshaped(request: FastifyRequest, reply: FastifyReply, body: Json): Promise<Json> {
		const {
			json,
			tasks,
			callbacks: { when },
		} = this.#description;
		const { route } = this.#service.requests.of(request);
		if (route === ASK) {
			const question = this.#service.questions.get(plainId(body.id));
			if (when === 'before') await this.#callBack(question);
			if (when === 'right after') reply.raw.once('close', () => void this.#callBack(question));
		}
		if (route === 'POST /files/upload-url') {
			return {
				...body,
				job_id: this.records.jobId(body.job_id),
				upload_url: reshapedAddress(body.upload_url),
			};
		}
		if (route === 'GET /me' && json.extraFields)
			return { ...body, roles: [], status: 'active', message: null };
		const isTask = route.includes('/tasks') && route !== 'GET /tasks';
		return isTask && tasks.envelope !== null ? { [tasks.envelope]: body } : body;
	}

	async #callBack(question: Question): Promise<void> {
		if (isCalledBack(question) && question.status === 'in_progress')
			await this.#service.questions.complete(question.id);
	}
}

const isCalledBack = ({ callbackUrl, syncMode }: Question): boolean =>
	callbackUrl !== undefined && !syncMode;

/** The ID that the sandbox knows, in one that the service shows. */
const plainId = (shown: unknown): string =>
	/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(String(shown))?.[0] ?? String(shown);

import fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import { gzipSync } from 'node:zlib';

import { sendCallback } from './callbacks.mts';
import type { ServiceDescription } from './services.mts';
import { invalid, refuse, throttle } from './errors.mts';
import { FileStore } from './fileStore.mts';
import { addLists } from './lists.mts';
import { addQuestions, questionOf } from './questions.mts';
import { uuidOf } from './random.mts';
import { libraryRecords, taskRecords } from './records.mts';
import { addTasks, jsonOf } from './tasks.mts';
import { sendJson, type AcceptedQuestion, type Truth } from './truth.mts';

export { SIGNATURE } from './fileStore.mts';

const BYTES_AT_MOST = 60 * 1024 * 1024;

/** A service that listens, and what truly happens at it. */
export interface Double {
	readonly description: ServiceDescription;
	readonly baseUrl: string;
	readonly apiKey: string;
	readonly webhookSecret: string;
	readonly truth: Truth;
	/** Finishes all questions, and sends the callbacks that are due by then; resolves once they are answered. */
	readonly finishQuestions: () => Promise<void>;
	readonly close: () => Promise<void>;
}

/** Starts the service that a description describes, on a free port of the loopback host. */
export async function startDouble(description: ServiceDescription): Promise<Double> {
	const { seed, basePath, callbacks } = description;
	const apiKey = `sk-svc-api1-${uuidOf(seed, 'key')}`;
	const webhookSecret = `whsec_${uuidOf(seed, 'secret')}`;
	const truth: Truth = {
		assistants: libraryRecords(description, 'assistants'),
		playbooks: libraryRecords(description, 'playbooks'),
		templates: libraryRecords(description, 'templates'),
		tasks: taskRecords(description),
		questions: [],
		uploads: new Map(),
		requests: 0,
		leaks: [],
	};
	const store = new FileStore(description, truth);
	const sending: Promise<void>[] = [];
	const callBack = async (question: AcceptedQuestion): Promise<void> => {
		if (question.callbackUrl === undefined) return;
		question.finished = true;
		question.calledBack = true;
		for (let time = 0; time < callbacks.times; time += 1) {
			const payload = questionOf(description, question, store);
			await sendCallback(question.callbackUrl, payload, description, webhookSecret);
		}
	};

	const api = server(description, truth);
	api.addHook('onRequest', async (request, reply) => {
		if (request.url.startsWith('/store/')) return;
		const { authorization } = request.headers;
		if (authorization !== undefined && request.host !== new URL(origin).host) truth.leaks.push(request.host);
		if (authorization !== `Bearer ${apiKey}`) {
			const message = authorization === undefined ? 'Missing Authorization header' : 'Invalid API key';
			await refuse(reply, description, { status: 401, code: 'unauthorized', message });
		} else if (isThrottled(description, truth)) {
			await throttle(reply, description);
		} else if (isOut(request, description, truth)) {
			await refuse(reply, description, { status: 503, code: 'internal_error', message: 'Unexpected server error' });
		}
	});
	await api.register(
		(app, _options, done) => {
			addAccount(app, description);
			addUploads(app, description, store);
			addLists(app, description, truth);
			addTasks(app, description, truth);
			addQuestions(app, description, truth, store, {
				accepted: async (question) => {
					if (callbacks.when === 'before') await callBack(question);
				},
				answered: (question) => {
					if (callbacks.when === 'right after') sending.push(callBack(question));
				},
			});
			done();
		},
		{ prefix: `${basePath}/api/v1` },
	);
	const storeServer = description.files.ownAddress ? server(description, truth) : api;
	store.addRoutes(storeServer);
	const origin = await api.listen({ port: 0, host: '127.0.0.1' });
	store.origin = storeServer === api ? origin : await storeServer.listen({ port: 0, host: '127.0.0.1' });

	return {
		description,
		baseUrl: `${origin}${basePath}/api/v1`,
		apiKey,
		webhookSecret,
		truth,
		finishQuestions: async () => {
			await Promise.all(sending.splice(0));
			const open = truth.questions.filter(({ calledBack }) => !calledBack);
			const ordered = callbacks.order === 'asked' ? open : open.reverse();
			for (const question of ordered) await callBack(question);
		},
		close: async () => {
			await Promise.all([...new Set([api, storeServer])].map((each) => each.close()));
		},
	};
}

/** A server that takes bodies as they come, and notes every request. */
function server({ json }: ServiceDescription, truth: Truth): FastifyInstance {
	const app = fastify({ forceCloseConnections: true, bodyLimit: BYTES_AT_MOST, routerOptions: { maxParamLength: 500 } });
	app.removeAllContentTypeParsers();
	app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => {
		done(null, body);
	});
	app.addHook('onResponse', (request, _reply, done) => {
		truth.requests += 1;
		if (request.url.startsWith('/store/') && request.headers.authorization !== undefined) truth.leaks.push(request.url);
		done();
	});
	app.addHook('onSend', (request, reply, payload, done) => {
		const zips = json.gzip && String(request.headers['accept-encoding']).includes('gzip');
		if (!zips || typeof payload !== 'string' || request.url.startsWith('/store/')) {
			done(null, payload);
			return;
		}
		reply.header('Content-Encoding', 'gzip').removeHeader('content-length');
		done(null, gzipSync(payload));
	});
	return app;
}

function isThrottled({ throttling: { every, times } }: ServiceDescription, { requests }: Truth): boolean {
	return every > 0 && requests % (every + times) >= every;
}

/** Whether a request that may be sent again fails this time. */
function isOut({ method, url }: FastifyRequest, { outages }: ServiceDescription, { requests }: Truth): boolean {
	const repeatable = method !== 'POST' || url.includes('/files/upload-url');
	return repeatable && outages > 0 && requests % (outages + 1) === outages;
}

function addAccount(app: FastifyInstance, description: ServiceDescription): void {
	const { seed, json } = description;
	app.get('/me', (_request, reply) =>
		sendJson(reply, description, {
			user_id: uuidOf(seed, 'user'),
			customer_id: uuidOf(seed, 'customer'),
			user_name: seed % 2 === 0 ? null : 'Ada Park',
			user_email: 'ada.park@example.com',
			customer_name: 'Example & Söhne GmbH',
			...(json.extraFields ? { roles: [], status: 'active', message: null } : {}),
		}),
	);
}

function addUploads(app: FastifyInstance, description: ServiceDescription, store: FileStore): void {
	app.post('/files/upload-url', (request, reply) => {
		const { file_name: fileName, content_type: contentType } = jsonOf(request) ?? {};
		if (typeof fileName !== 'string' || typeof contentType !== 'string') {
			return refuse(reply, description, invalid('file_name and content_type are needed'));
		}
		const { jobId, url } = store.expect(fileName, contentType);
		return sendJson(reply, description, { upload_url: url, job_id: jobId, content_type: contentType });
	});
}

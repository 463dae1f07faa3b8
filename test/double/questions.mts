import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { cutOff, invalid, NOT_FOUND, page, refuse, type Refusal } from './errors.mts';
import { generatedFilesOf, type FileStore } from './fileStore.mts';
import type { Json } from './pages.mts';
import { symbolsOf, uuidOf } from './random.mts';
import type { ServiceDescription } from './services.mts';
import { isObject, jsonOf } from './tasks.mts';
import { sendJson, type AcceptedQuestion, type Truth } from './truth.mts';

const SYNC_LIMIT_MS = 30_000;

type AskRequest = FastifyRequest<{ Params: { assistant: string } }>;
type LookRequest = FastifyRequest<{ Params: { assistant: string; id: string } }>;

/** What asking does beyond the answer itself. */
export interface QuestionEvents {
	/** Called with a question that was accepted, before it is answered that it was. */
	readonly accepted: (question: AcceptedQuestion) => Promise<void>;
	/** Called once that was answered. */
	readonly answered: (question: AcceptedQuestion) => void;
}

/** POST and GET of questions. */
export function addQuestions(
	app: FastifyInstance,
	description: ServiceDescription,
	truth: Truth,
	store: FileStore,
	events: QuestionEvents,
): void {
	app.post('/assistants/:assistant/questions', async (request: AskRequest, reply) => {
		const body = jsonOf(request) ?? {};
		const wrong = whatIsWrong(body, truth);
		if (wrong !== undefined) return refuse(reply, description, wrong);
		if (description.questions.asking.endsWith('not accepted')) return fail(reply, description);
		const question = accept(body, request.params.assistant, description, truth);
		truth.questions.push(question);
		reply.raw.once('close', () => {
			events.answered(question);
		});
		await events.accepted(question);
		return await answer(reply, description, question, store, body.sync_mode === true);
	});
	app.get('/assistants/:assistant/questions/:id', (request: LookRequest, reply) => {
		const { assistant, id } = request.params;
		const question = truth.questions.find((each) => each.id === id && each.assistantId === assistant);
		if (question === undefined) return refuse(reply, description, NOT_FOUND);
		question.looks += 1;
		return sendJson(reply, description, questionOf(description, question, store));
	});
}

function whatIsWrong(body: Json, { questions, uploads }: Truth): Refusal | undefined {
	if (typeof body.question !== 'string' || body.question === '') return invalid('question is missing');
	if (Array.from(body.question).length > 10_000) return invalid('question is too long');
	const attachments = Array.isArray(body.attachments) ? body.attachments : [];
	if (attachments.length > 10) return invalid('too many attachments');
	if (jobIdsOf(body).some((id) => !uploads.has(id))) {
		return { status: 400, code: 'invalid_upload_job', message: 'One or more upload_job_id values are invalid or expired' };
	}
	if (body.session_id === undefined) return undefined;
	const session = questions.filter(({ sessionId }) => sessionId === body.session_id);
	if (session.length === 0) return NOT_FOUND;
	return session.every(({ finished }) => finished)
		? undefined
		: { status: 400, code: 'session_still_processing', message: 'The previous question is still processing' };
}

function jobIdsOf({ attachments }: Json): string[] {
	const all: unknown[] = Array.isArray(attachments) ? attachments : [];
	return all.map((each) => (isObject(each) ? each.upload_job_id : undefined)).filter((id) => typeof id === 'string');
}

function accept(body: Json, assistantId: string, description: ServiceDescription, { questions }: Truth): AcceptedQuestion {
	const { seed, questions: style } = description;
	const name = `question ${questions.length}`;
	const id = { uuid: uuidOf(seed, name), prefixed: `q_${uuidOf(seed, name)}.v1`, symbols: symbolsOf(seed, name) }[style.ids];
	const isFollowUp = typeof body.session_id === 'string';
	const outcome = isFollowUp && style.outcome === 'filtered' ? 'completed' : style.outcome;
	return {
		id,
		sessionId: isFollowUp ? String(body.session_id) : style.firstHasSessionId ? id : uuidOf(seed, `session of ${name}`),
		assistantId,
		text: String(body.question),
		callbackUrl: typeof body.callback_url === 'string' && body.sync_mode !== true ? body.callback_url : undefined,
		jobIds: jobIdsOf(body),
		outcome,
		files: outcome === 'completed' ? generatedFilesOf(description, name) : [],
		looks: 0,
		finished: outcome === 'filtered',
		calledBack: false,
	};
}

/** Answers a request to ask whose question was accepted. */
async function answer(
	reply: FastifyReply,
	description: ServiceDescription,
	question: AcceptedQuestion,
	store: FileStore,
	isSync: boolean,
): Promise<FastifyReply> {
	const { asking, sync, before } = description.questions;
	if (isSync && sync === 'answer') question.finished = true;
	if (isSync && !question.finished) {
		await new Promise((resolve) => setTimeout(resolve, SYNC_LIMIT_MS));
		if (sync === 'cut') return cutOff(reply);
		if (sync !== 'in_progress') {
			return refuse(reply, description, { status: Number(sync), code: 'sync_timeout', message: 'Not done within 30 seconds' });
		}
	}
	if (asking !== 'answered') return fail(reply, description);
	// Not answered yet, unless it is declined.
	const status = question.outcome === 'filtered' ? 'filtered' : (before[0] ?? 'in_progress');
	const body = question.finished && isSync ? questionOf(description, question, store) : shownAs(status, description, question, store);
	return sendJson(reply, description, body);
}

/** Leaves a request to ask without a useful answer. */
function fail(reply: FastifyReply, description: ServiceDescription): FastifyReply {
	const { asking } = description.questions;
	if (asking.startsWith('cut')) return cutOff(reply);
	if (asking.startsWith('504')) return reply.code(504).type('text/html').send(page(504, 'Gateway time-out'));
	return refuse(reply, description, { status: 500, code: 'internal_error', message: 'Unexpected server error' });
}

/** A question as the service shows it to somebody who looks, or in a callback. */
export function questionOf(description: ServiceDescription, question: AcceptedQuestion, store: FileStore): Json {
	const status = description.questions.before[question.looks];
	if (status === undefined) question.finished = true;
	return shownAs(question.finished ? question.outcome : (status ?? question.outcome), description, question, store);
}

function shownAs(status: string, { questions: style, json }: ServiceDescription, question: AcceptedQuestion, store: FileStore): Json {
	const isFiltered = status === 'filtered';
	const hasFiles = status === 'completed' && question.files.length > 0;
	const nothing = { null: { attachments: null, reason: null }, absent: {}, empty: { attachments: [], reason: null } }[style.nothing];
	return {
		id: question.id,
		session_id: isFiltered ? null : question.sessionId,
		session_url: isFiltered ? null : `https://app.example.com/chats/${encodeURIComponent(question.sessionId)}`,
		status,
		answer: status === question.outcome ? style.answer : null,
		...nothing,
		...(hasFiles ? { attachments: store.attachmentsOf(question) } : {}),
		...(isFiltered ? { reason: style.reason } : {}),
		...(json.extraFields ? { object: 'question', usage: { tokens: 812 }, url: null, data: null, questions: [], ...NO_ERROR } : {}),
	};
}

const NO_ERROR = { error_code: '', svc_api_error_code: null, message: 'OK', error: false };

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import type { QuestionStyle, ServiceDescription } from './description.mts';
import { invalid, NOT_FOUND, page, refuse, type Refusal } from './errors.mts';
import { generatedFilesOf, type FileStore } from './fileStore.mts';
import type { Json } from './pages.mts';
import { symbolsOf, uuidOf } from './random.mts';
import { isObject, jsonOf } from './tasks.mts';
import { sendJson, type AcceptedQuestion, type Truth } from './truth.mts';

const SYNC_LIMIT_MS = 30_000;

type AskRequest = FastifyRequest<{ Params: { assistant: string } }>;
type LookRequest = FastifyRequest<{ Params: { assistant: string; id: string } }>;

/** What asking and looking do beyond the answer itself. */
export interface QuestionEvents {
	/** Called with a question that was accepted, before it is answered that it was. */
	readonly accepted: (question: AcceptedQuestion) => Promise<void>;
	/** Called once that was answered. */
	readonly answered: (question: AcceptedQuestion) => void;
}

/** POST and GET of questions, in the spellings that the service knows. */
export function addQuestions(
	app: FastifyInstance,
	description: ServiceDescription,
	truth: Truth,
	store: FileStore,
	events: QuestionEvents,
): void {
	const { spelling } = description.questions;
	const ask = async (request: AskRequest, reply: FastifyReply): Promise<FastifyReply> => {
		const body = jsonOf(request) ?? {};
		const wrong = whatIsWrong(body, truth);
		if (wrong !== undefined) return refuse(reply, description, wrong);
		const question = accept(body, request.params.assistant, description, truth);
		if (question === undefined) return cutOrRefuse(reply, description);
		truth.questions.push(question);
		reply.raw.once('close', () => {
			events.answered(question);
		});
		await events.accepted(question);
		if (body.sync_mode === true) return await answerInTime(reply, description, question, store);
		return answer(reply, description, question, store);
	};
	const look = (request: LookRequest, reply: FastifyReply): FastifyReply => {
		const { assistant, id } = request.params;
		const question = truth.questions.find((each) => each.id === id && each.assistantId === assistant);
		if (question === undefined) return refuse(reply, description, NOT_FOUND);
		question.looks += 1;
		return sendJson(reply, description, questionOf(description, question, store));
	};
	for (const each of spelling === 'both' ? ['assistants', 'agents'] : [spelling]) {
		app.post(`/${each}/:assistant/questions`, ask);
		app.get(`/${each}/:assistant/questions/:id`, look);
	}
}

function whatIsWrong(body: Json, { questions, uploads }: Truth): Refusal | undefined {
	if (typeof body.question !== 'string' || body.question === '') return invalid('question is missing');
	if (body.question.length > 10_000) return invalid('question is too long');
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

/** The question as it is taken on; undefined where what goes wrong goes wrong before that. */
function accept(
	body: Json,
	assistantId: string,
	description: ServiceDescription,
	{ questions }: Truth,
): AcceptedQuestion | undefined {
	const { seed, questions: style } = description;
	if (style.asking.endsWith('not accepted')) return undefined;
	const name = `question ${questions.length}`;
	const ids = { uuid: uuidOf(seed, name), prefixed: `q_${uuidOf(seed, name)}.v1`, symbols: symbolsOf(seed, name) };
	const id = ids[style.ids];
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

function cutOrRefuse(reply: FastifyReply, description: ServiceDescription): FastifyReply {
	if (description.questions.asking.startsWith('cut')) return cut(reply);
	return refuse(reply, description, { status: 500, code: 'internal_error', message: 'Unexpected server error' });
}

/** Ends the connection without an answer. */
function cut(reply: FastifyReply): FastifyReply {
	reply.hijack();
	reply.raw.destroy();
	return reply;
}

function answer(
	reply: FastifyReply,
	description: ServiceDescription,
	question: AcceptedQuestion,
	store: FileStore,
	sync = false,
): FastifyReply {
	const { asking } = description.questions;
	if (asking === '504, accepted') return reply.code(504).type('text/html').send(page(504, 'Gateway time-out'));
	if (asking !== 'answered') return cutOrRefuse(reply, description);
	return sendJson(reply, description, (question.finished && sync ? questionOf : questionAsked)(description, question, store));
}

async function answerInTime(
	reply: FastifyReply,
	description: ServiceDescription,
	question: AcceptedQuestion,
	store: FileStore,
): Promise<FastifyReply> {
	const { sync } = description.questions;
	if (sync === 'answer' || question.finished) {
		question.finished = true;
		return answer(reply, description, question, store, true);
	}
	await new Promise((resolve) => setTimeout(resolve, SYNC_LIMIT_MS));
	if (sync === 'in_progress') return answer(reply, description, question, store);
	if (sync === 'cut') return cut(reply);
	return refuse(reply, description, { status: Number(sync), code: 'sync_timeout', message: 'Not done within 30 seconds' });
}

/** A question as the service shows it to somebody who looks, or in a callback. */
export function questionOf(description: ServiceDescription, question: AcceptedQuestion, store: FileStore): Json {
	const status = description.questions.before[question.looks];
	if (status === undefined) question.finished = true;
	return shownAs(question.finished ? question.outcome : (status ?? question.outcome), description, question, store);
}

/** A question as the answer to asking shows it: not answered yet, unless it is declined. */
function questionAsked(description: ServiceDescription, question: AcceptedQuestion, store: FileStore): Json {
	const first = description.questions.before[0] ?? 'in_progress';
	return shownAs(question.outcome === 'filtered' ? 'filtered' : first, description, question, store);
}

function shownAs(
	status: string,
	{ questions: style, json }: ServiceDescription,
	question: AcceptedQuestion,
	store: FileStore,
): Json {
	const isFiltered = status === 'filtered';
	const hasFiles = status === 'completed' && question.files.length > 0;
	return {
		id: question.id,
		session_id: isFiltered ? null : question.sessionId,
		session_url: isFiltered ? null : `https://app.example.com/chats/${encodeURIComponent(question.sessionId)}`,
		status,
		answer: status === question.outcome ? style.answer : null,
		...(hasFiles ? { attachments: store.attachmentsOf(question) } : nothing(style, 'attachments')),
		...(isFiltered ? { reason: style.reason } : nothing(style, 'reason')),
		...noErrorOf(style),
		...(json.extraFields ? { object: 'question', usage: { tokens: 812 }, url: null, data: null, questions: [] } : {}),
	};
}

function nothing({ nothing: way }: QuestionStyle, field: 'attachments' | 'reason'): Json {
	if (way === 'absent') return {};
	return { [field]: way === 'empty' && field === 'attachments' ? [] : null };
}

function noErrorOf({ noError }: QuestionStyle): Json {
	if (noError === 'absent') return {};
	if (noError === 'null') return { error_code: null, message: null, error: null };
	return noError === 'empty'
		? { error_code: '', svc_api_error_code: '', message: '' }
		: { error_code: '', message: 'OK', error: false };
}

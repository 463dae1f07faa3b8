import type { FastifyInstance } from 'fastify';
import { ApiError, notFound } from '../errors.mts';
import type { Service } from '../service.mts';
import { asking } from '../state/questionBody.mts';
import type { Question } from '../state/questions.mts';

/** Processing time of a synchronous question (specification, "Limits"), in sandbox milliseconds. */
const SYNC_LIMIT = 30_000;

/** Asking and polling, in both spellings of the paths. */
export function questionRoutes(app: FastifyInstance, service: Service): void {
	app.post<{ Params: { assistant_id: string }; Body: unknown }>('/assistants/:assistant_id/questions', (request) =>
		ask(service, request.params.assistant_id, request.body),
	);
	app.post<{ Params: { agent_id: string }; Body: unknown }>('/agents/:agent_id/questions', (request) =>
		ask(service, request.params.agent_id, request.body),
	);
	app.get<{ Params: { assistant_id: string; question_id: string } }>(
		'/assistants/:assistant_id/questions/:question_id',
		({ params }) => poll(service, params.assistant_id, params.question_id),
	);
	app.get<{ Params: { agent_id: string; question_id: string } }>(
		'/agents/:agent_id/questions/:question_id',
		({ params }) => poll(service, params.agent_id, params.question_id),
	);
}

function poll({ questions }: Service, assistantId: string, questionId: string): unknown {
	return questions.view(questions.find(assistantId, questionId));
}

async function ask(service: Service, assistantId: string, body: unknown): Promise<unknown> {
	const { organization, questions, limits, files, callbacks } = service;
	const assistant = organization.assistants.find(({ id }) => id === assistantId);
	if (!assistant?.apiIntake) throw notFound('Agent not found, or not available over the API');
	const asked = asking(body, files);
	if (asked.sessionId === undefined) limits.takeSession();
	const question = questions.ask(assistant, asked);
	if (asked.syncMode) return await processed(service, question);
	const view = questions.view(question);
	if (callbacks.faults.early && question.status === 'in_progress') await questions.complete(question.id);
	return view;
}

/** The response to a synchronous question: the answer, or what the sandbox is set to respond when the time is up. */
async function processed({ questions, clock, shapes }: Service, question: Question): Promise<unknown> {
	await new Promise<void>((resolve) => {
		const stop = clock.after(SYNC_LIMIT, resolve);
		questions.whenEnded(question, () => {
			stop();
			resolve();
		});
	});
	if (question.status === 'in_progress' && shapes.syncPastLimit !== 'in_progress') {
		throw new ApiError(shapes.syncPastLimit, 'processing_timeout', 'The question took longer than 30 seconds');
	}
	return questions.view(question);
}

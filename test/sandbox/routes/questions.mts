import type { FastifyInstance } from 'fastify';
import { ApiError, notFound } from '../errors.mts';
import type { Service } from '../service.mts';
import { asking } from '../state/questionBody.mts';
import type { Question } from '../state/questions.mts';

/** Processing time of a synchronous question (specification, "Limits"), in sandbox milliseconds. */
const SYNC_LIMIT = 30_000;

/** Asking and polling, at the paths of assistants; the same paths of "agents" are left out. */
export function questionRoutes(app: FastifyInstance, service: Service): void {
	const { questions } = service;
	app.post<{ Params: { assistant_id: string }; Body: unknown }>('/assistants/:assistant_id/questions', ({ params, body }) =>
		ask(service, params.assistant_id, body),
	);
	app.get<{ Params: { assistant_id: string; question_id: string } }>(
		'/assistants/:assistant_id/questions/:question_id',
		({ params }) => questions.view(questions.find(params.assistant_id, params.question_id)),
	);
}

async function ask(service: Service, assistantId: string, body: unknown): Promise<unknown> {
	const { organization, questions, limits, files } = service;
	const assistant = organization.assistants.find(({ id }) => id === assistantId);
	if (!assistant?.apiIntake) throw notFound('Agent not found, or not available over the API');
	const asked = asking(body, files);
	if (asked.sessionId === undefined) limits.takeSession();
	const question = questions.ask(assistant, asked);
	if (asked.syncMode) return await processed(service, question);
	return questions.view(question);
}

/** The response to a synchronous question: the answer, or what the sandbox is set to respond when the time is up. */
async function processed({ questions, clock, settings }: Service, question: Question): Promise<unknown> {
	await new Promise<void>((resolve) => {
		const stop = clock.after(SYNC_LIMIT, resolve);
		questions.whenEnded(question, () => {
			stop();
			resolve();
		});
	});
	if (question.status === 'in_progress' && settings.syncPastLimit !== 'in_progress') {
		throw new ApiError(settings.syncPastLimit, 'processing_timeout', 'The question took longer than 30 seconds');
	}
	return questions.view(question);
}

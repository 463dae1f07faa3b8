import type { FastifyInstance } from 'fastify';
import { ApiError, notFound } from '../errors.mts';
import type { Service } from '../service.mts';
import { asking } from '../state/questionBody.mts';
import type { Question } from '../state/questions.mts';

/** Processing time of a synchronous question (specification, "Limits"), in sandbox milliseconds. */
const SYNC_LIMIT = 30_000;

/** Asking and polling, in both spellings of the paths. */
export function questionRoutes(app: FastifyInstance, service: Service): void {
	for (const [spelling, name] of [['assistants', 'assistant_id'], ['agents', 'agent_id']] as const) {
		app.post<{ Params: Record<string, string>; Body: unknown }>(`/${spelling}/:${name}/questions`, ({ params, body }) =>
			ask(service, params[name] ?? '', body),
		);
		app.get<{ Params: Record<string, string> }>(`/${spelling}/:${name}/questions/:question_id`, ({ params }) => {
			const { questions } = service;
			return questions.view(questions.find(params[name] ?? '', params.question_id ?? ''));
		});
	}
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

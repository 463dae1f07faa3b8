import { setImmediate as nextTurn } from 'node:timers/promises';

import type { FastifyInstance } from 'fastify';
import { notFound } from '../errors.mts';
import type { Service } from '../service.mts';
import type { NewQuestion, Question } from '../state/questions.mts';

/** Processing time of a synchronous question (specification, "Limits"), in sandbox milliseconds. */
const SYNC_LIMIT = 30_000;

/** Requests that are sent together arrive within so many turns of the event loop. */
const TURNS_TOGETHER = 3;

const text = { type: 'string', minLength: 1 };
const flag = { type: 'boolean', default: false };
const address = { type: 'string', pattern: '^https?://[^/]' };

/** The body of a question (specification, "POST /assistants/{assistant_id}/questions"). */
const newQuestion = {
	type: 'object',
	required: ['question'],
	properties: {
		question: { ...text, maxLength: 10_000 },
		attachments: {
			type: 'array',
			maxItems: 10,
			default: [],
			items: {
				type: 'object',
				properties: { upload_job_id: text, url: address, unzip: flag },
				oneOf: [{ required: ['upload_job_id'] }, { required: ['url'] }],
				additionalProperties: false,
			},
		},
		session_id: text,
		permissions: {
			type: 'object',
			required: ['visibility'],
			properties: { visibility: { enum: ['private', 'organization', 'public'] } },
			additionalProperties: false,
		},
		callback_url: address,
		sync_mode: flag,
	},
	additionalProperties: false,
};

/** Paths below which questions are asked and polled: the specification documents the second "with the same body and response". */
const FAMILIES = ['assistants', 'agents'] as const;

/** Asking and polling. */
export function questionRoutes(app: FastifyInstance, service: Service) {
	const { questions, organization, clock } = service;
	const arrived: (() => void)[] = [];

	for (const family of FAMILIES) {
		app.post<{ Params: { assistant_id: string }; Body: NewQuestion }>(
			`/${family}/:assistant_id/questions`,
			{ schema: { body: newQuestion } },
			async ({ params, body }) => {
				const assistant = organization.assistants.find(({ id }) => id === params.assistant_id);
				if (!assistant?.apiIntake) throw notFound('Agent not found, or not available over the API');
				await turn();
				const question = questions.ask(assistant, body);
				if (body.sync_mode) await processed(question);
				return questions.view(question);
			},
		);

		app.get<{ Params: { assistant_id: string; question_id: string } }>(
			`/${family}/:assistant_id/questions/:question_id`,
			({ params }) => {
				const question = questions.get(params.question_id);
				if (question.assistantId !== params.assistant_id) throw notFound('Question not found');
				return questions.view(question);
			},
		);
	}

	/** Questions that arrive together are accepted in the reverse order: no service promises to keep it. */
	async function turn() {
		const own = new Promise<void>((resolve) => arrived.push(resolve));
		if (arrived.length === 1) {
			for (let turns = 0; turns < TURNS_TOGETHER; turns += 1) await nextTurn();
			for (const begin of arrived.splice(0).reverse()) begin();
		}
		await own;
	}

	/** Waits for a synchronous question; when the time is up, it is shown in progress. */
	async function processed(question: Question) {
		await new Promise<void>((resolve) => {
			const stop = clock.after(SYNC_LIMIT, resolve);
			questions.whenEnded(question, () => {
				stop();
				resolve();
			});
		});
	}
}

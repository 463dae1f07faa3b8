import type { IDataObject } from 'n8n-workflow';

import { ApiFailure, isRefusal, type FailureFacts, type Subject } from './failure';
import { isRecord, textOrNull } from './json';
import type { LegalAiClient } from './client';
import { backoff, pause } from './retry';

/** The states of a question; all but `in_progress` are final. */
export const QUESTION_STATUSES = ['in_progress', 'completed', 'error', 'filtered'] as const;

export type QuestionStatus = (typeof QUESTION_STATUSES)[number];

/** A file that the service generated; `url` is presigned for 24 hours, `content_length` in bytes. */
export interface GeneratedFile {
	file_name: string | null;
	content_type: string | null;
	content_length: number | null;
	url: string;
}

/**
 * The API's Question, with the fields that later versions of the API may add, and two of our own:
 * `assistant_id`, without which it can't be polled, and `timed_out` where a wait ended without an answer.
 */
export interface Question extends IDataObject {
	id: string;
	session_id: string | null;
	session_url: string | null;
	status: QuestionStatus;
	answer: string | null;
	reason: string | null;
	assistant_id: string;
	timed_out?: true;
}

/** A file attached to a question: by its upload job, or by a public address. */
export type Attachment = { unzip?: boolean } & ({ upload_job_id: string } | { url: string });

/** The body of POST /assistants/{assistant_id}/questions. */
export interface QuestionBody {
	question: string;
	attachments?: Attachment[];
	session_id?: string;
	permissions?: { visibility: string };
	callback_url?: string;
	sync_mode?: boolean;
}

const FIRST_POLL_MS = 2_500;
const LONGEST_POLL_MS = 20_000;

/** Polls of one run together stay below 300 a minute, which leaves room within the API's 400. */
const MS_BETWEEN_POLLS = 200;

/** Whether nothing more can become of a question: a client must stop polling then. */
export function isTerminal(question: { status: QuestionStatus }): boolean {
	return question.status !== 'in_progress';
}

/**
 * Reads a Question (or the payload of a callback, which has the same fields).
 *
 * @throws {ApiFailure} `unreadable` where it has no id or no known status
 */
export function readQuestion(
	value: unknown,
	assistantId: string,
	facts: FailureFacts = { subject: 'question' },
): Question {
	if (!isRecord(value) || typeof value.id !== 'string' || value.id === '') {
		throw new ApiFailure('unreadable', { ...facts, serviceMessage: 'a question without an id' });
	}
	const status = QUESTION_STATUSES.find((known) => known === value.status);
	if (status === undefined) {
		throw new ApiFailure('unreadable', {
			...facts,
			serviceMessage: `question ${value.id} has the status ${JSON.stringify(value.status ?? null).slice(0, 50)}, which this version does not know`,
		});
	}
	return {
		...(value as IDataObject),
		id: value.id,
		session_id: textOrNull(value.session_id),
		session_url: textOrNull(value.session_url),
		status,
		answer: textOrNull(value.answer),
		reason: textOrNull(value.reason),
		assistant_id: assistantId,
	};
}

/** The files that the service generated with an answer; entries without an address are left out. */
export function generatedFiles(question: Question): GeneratedFile[] {
	if (!Array.isArray(question.attachments)) return [];
	return question.attachments.filter(isRecord).flatMap((file) => {
		if (typeof file.url !== 'string') return [];
		return [
			{
				file_name: textOrNull(file.file_name),
				content_type: textOrNull(file.content_type),
				content_length: typeof file.content_length === 'number' ? file.content_length : null,
				url: file.url,
			},
		];
	});
}

/**
 * Asks a question, once. A session that is busy with its previous question is waited for until the
 * deadline (ms since the epoch): nothing was accepted then, so asking again is no repeat.
 */
export async function askQuestion(
	client: LegalAiClient,
	assistantId: string,
	body: QuestionBody,
	deadline: number,
): Promise<Question> {
	for (let attempt = 0; ; attempt++) {
		const wait = backoff(attempt, FIRST_POLL_MS, LONGEST_POLL_MS);
		const asked = await postQuestion(client, assistantId, body, deadline).catch((error: unknown) => {
			if (isRefusal(error, 'session_still_processing') && Date.now() + wait <= deadline) return undefined;
			throw error;
		});
		if (asked !== undefined) return asked;
		await pause(wait, client.signal);
	}
}

/** Adds to what failed after a question had been asked how to get at the question. */
export function aboutQuestion(question: Question): (error: unknown) => Promise<never> {
	return async (error) => await Promise.reject(error instanceof ApiFailure ? error.with({ question }) : error);
}

/** Fetches one question. */
export async function getQuestion(
	client: LegalAiClient,
	assistantId: string,
	questionId: string,
	deadline?: number,
): Promise<Question> {
	const answer = await client.request({
		method: 'GET',
		subject: 'question',
		path: ['assistants', assistantId, 'questions', questionId],
		deadline,
	});
	return readQuestion(answer, assistantId);
}

/**
 * Polls a question until it is final or the deadline (ms since the epoch) has come; then it comes back
 * `in_progress` with `timed_out`. Starts at 2.5 seconds and backs off to 20, as the API asks, or slower where
 * a run polls many questions at once.
 */
export async function pollUntilTerminal(
	client: LegalAiClient,
	question: Question,
	deadline: number,
): Promise<Question> {
	let latest = question;
	client.questionsPolled++;
	try {
		for (let attempt = 0; !isTerminal(latest); attempt++) {
			const left = deadline - Date.now();
			if (left <= 0) return { ...latest, timed_out: true };
			const wait = Math.max(backoff(attempt, FIRST_POLL_MS, LONGEST_POLL_MS), client.questionsPolled * MS_BETWEEN_POLLS);
			await pause(Math.min(wait, left), client.signal);
			latest = await getQuestion(client, latest.assistant_id, latest.id).catch(aboutQuestion(latest));
		}
		return latest;
	} finally {
		client.questionsPolled--;
	}
}

async function postQuestion(
	client: LegalAiClient,
	assistantId: string,
	body: QuestionBody,
	deadline: number,
): Promise<Question> {
	const subject = subjectOf(body);
	const answer = await client.request({
		method: 'POST',
		subject,
		path: ['assistants', assistantId, 'questions'],
		body: { ...body },
		repetition: 'once',
		opensSession: body.session_id === undefined,
		deadline,
	});
	return readQuestion(answer, assistantId, { subject, mayHaveBeenAccepted: true });
}

function subjectOf({ sync_mode, session_id }: QuestionBody): Subject {
	if (sync_mode) return 'syncQuestion';
	return session_id === undefined ? 'assistant' : 'session';
}

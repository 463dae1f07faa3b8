import type { IDataObject } from 'n8n-workflow';

import { responseDetails } from '../messages/responseDetails';
import { fillText } from '../messages/template';
import type { ApiRequest, LegalAiClient } from './client';
import { ApiError, InvalidResponseError, SessionBusyError, type Subject } from './errors';
import { integerField, listField, recordField, textField, type Fields } from './fields';
import { isRecord, textOrNull } from './json';
import { abortableSleep, backOffMs, isTemporary } from './retry';

/** The states in which a question is over. Any other, a state of a later version too, means that it is not over yet. */
export const FINAL_STATUSES = ['completed', 'error', 'filtered'] as const;

/** The one state of an open question that the specification has. */
const OPEN_STATUS = 'in_progress';

export type FinalStatus = (typeof FINAL_STATUSES)[number];

/** A file that the service generated; `url` is presigned for 24 hours, `content_length` in bytes. */
export interface GeneratedFile {
	file_name: string | null;
	content_type: string | null;
	content_length: number | null;
	url: string;
}

/**
 * The API's Question, with the fields that later versions of the API may add, and `assistant_id`, without which it
 * can't be looked up. What people read comes first, IDs come last.
 */
export interface Question extends IDataObject {
	status: string;
	answer: string | null;
	reason: string | null;
	session_url: string | null;
	session_id: string | null;
	id: string;
	assistant_id: string;
}

/** The fields of a Question in an output item; `own` are those that an operation adds. */
export function questionFields(own: Fields = {}): Fields {
	return {
		status: textField,
		answer: textField,
		reason: textField,
		session_url: textField,
		attachments: listField(
			recordField({ file_name: textField, content_type: textField, content_length: integerField, url: textField }),
		),
		...own,
		session_id: textField,
		id: textField,
		assistant_id: textField,
	};
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

/** Whether a question is over: a client must stop looking then. */
export function isFinal(question: { status: string }): boolean {
	return FINAL_STATUSES.some((status) => status === question.status);
}

/** Whether a question has a status that the specification does not name: it counts as not answered yet. */
export function hasUnknownStatus(question: { status: string }): boolean {
	return question.status !== OPEN_STATUS && !isFinal(question);
}

/**
 * Reads a Question (or a callback, which has the same fields).
 *
 * @throws {InvalidResponseError} if it has no id or no status
 */
export function readQuestion(value: unknown, assistantId: string): Question {
	const question: IDataObject & { assistant_id: string } = { ...(isRecord(value) ? value : {}), assistant_id: assistantId };
	const { status, answer, reason, session_url, session_id, id, assistant_id, ...others } = question;
	if (typeof id !== 'string' || id === '') {
		throw new InvalidResponseError({ serviceMessage: responseDetails.questionWithoutId });
	}
	if (typeof status !== 'string' || status === '') {
		throw new InvalidResponseError({ serviceMessage: fillText(responseDetails.questionWithoutStatus, { id }) });
	}
	return {
		status,
		answer: textOrNull(answer),
		reason: textOrNull(reason),
		session_url: textOrNull(session_url),
		...others,
		session_id: textOrNull(session_id),
		id,
		assistant_id,
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

/** How many generated files the service names without an address. */
export function filesWithoutLink(question: Question): number {
	const attached = Array.isArray(question.attachments) ? question.attachments.length : 0;
	return attached - generatedFiles(question).length;
}

/** "Sync processing" in the API's limits is 30 seconds: what fails this late may go on at the service all the same. */
const SYNC_ACCEPTED_MS = 25_000;

/** The API's own guidance: start at 2 to 3 seconds and back off exponentially. */
const POLL_INTERVAL = { first: 2_500, longest: 20_000 };

/** How long asking may take; both in ms since the epoch. */
export interface AskingBudget {
	deadline: number;
	/** How long to wait, in the process, for a session that is busy. */
	busyDeadline?: number;
}

/** Asks a question, once. A busy session is waited for. */
export async function askQuestion(
	client: LegalAiClient,
	assistantId: string,
	body: QuestionBody,
	{ deadline, busyDeadline = deadline }: AskingBudget,
): Promise<Question> {
	const request: ApiRequest = {
		method: 'POST',
		subject: subjectOf(body),
		path: ['assistants', assistantId, 'questions'],
		body: { ...body },
		idempotent: false,
		acceptedAfterMs: body.sync_mode ? SYNC_ACCEPTED_MS : undefined,
		opensSession: body.session_id === undefined,
		deadline,
	};
	for (let tries = 0; ; tries++) {
		try {
			return await client.request(request, (content) => readQuestion(content, assistantId));
		} catch (error) {
			const waitMs = Math.min(backOffMs(tries, POLL_INTERVAL), deadline - Date.now());
			if (!(error instanceof SessionBusyError) || waitMs <= 0 || Date.now() + waitMs > busyDeadline) throw error;
			await abortableSleep(waitMs, client.signal);
		}
	}
}

/** Fetches one question. */
export async function getQuestion(
	client: LegalAiClient,
	assistantId: string,
	questionId: string,
	deadline?: number,
): Promise<Question> {
	return await client.request(
		{ method: 'GET', subject: 'question', path: ['assistants', assistantId, 'questions', questionId], deadline },
		(content) => readQuestion(content, assistantId),
	);
}

/** When to check again for an answer: until when, no check after when (ms since the epoch), and at least how many ms apart. */
export interface PollBudget {
	deadline: number;
	pollDeadline?: number;
	minPollMs?: () => number;
}

/**
 * Looks again and again, at growing intervals, until `look` says that it is enough, or the budget ends; for the last time
 * at its deadline. The first look is not at once: what was asked just now has no answer yet.
 */
export async function pollUntil(
	client: LegalAiClient,
	{ deadline, pollDeadline = Infinity, minPollMs = () => 0 }: PollBudget,
	look: () => Promise<boolean>,
): Promise<void> {
	for (let tries = 0; ; tries++) {
		const waitMs = Math.min(Math.max(backOffMs(tries, POLL_INTERVAL), minPollMs()), deadline - Date.now());
		if (waitMs <= 0 || Date.now() + waitMs > pollDeadline) return;
		await abortableSleep(waitMs, client.signal);
		if (await look()) return;
	}
}

/**
 * How a question stands now. Trouble on the way to the service means only that nothing new is known of it.
 *
 * @throws {ApiError} if the service says no; it names the question
 */
export async function lookAt(client: LegalAiClient, question: Question, deadline?: number): Promise<Question> {
	return await getQuestion(client, question.assistant_id, question.id, deadline).catch((error: unknown) => {
		if (error instanceof ApiError && isTemporary(error)) return question;
		throw withQuestion(error, question);
	});
}

/** An error that came up after a question had been asked, with how to find the question. */
export function withQuestion(error: unknown, { id, assistant_id, session_url }: Question): unknown {
	return error instanceof ApiError ? error.with({ question: { id, assistant_id, session_url } }) : error;
}

function subjectOf({ sync_mode, session_id }: QuestionBody): Subject {
	if (sync_mode) return 'syncQuestion';
	return session_id === undefined ? 'assistant' : 'session';
}

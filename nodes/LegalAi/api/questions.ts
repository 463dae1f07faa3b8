import type { IDataObject } from 'n8n-workflow';

import { responseDetails } from '../messages/responseDetails';
import { fillText } from '../messages/template';
import type { LegalAiClient } from './client';
import { ApiError, InvalidResponseError, QuestionPendingError, RejectedError, type ApiErrorDetails, type Subject } from './errors';
import { integerField, listField, recordField, textField, type Fields } from './fields';
import { isRecord, textOrNull } from './json';
import { isTemporary, withRetries, type RetryBudget } from './retry';

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
export function readQuestion(
	value: unknown,
	assistantId: string,
	details: ApiErrorDetails = { subject: 'question' },
): Question {
	const question: IDataObject & { assistant_id: string } = { ...(isRecord(value) ? value : {}), assistant_id: assistantId };
	const { status, answer, reason, session_url, session_id, id, assistant_id, ...others } = question;
	if (typeof id !== 'string' || id === '') {
		throw new InvalidResponseError({ ...details, serviceMessage: responseDetails.questionWithoutId });
	}
	if (typeof status !== 'string' || status === '') {
		throw new InvalidResponseError({ ...details, serviceMessage: fillText(responseDetails.questionWithoutStatus, { id }) });
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

/** "Sync processing" in the API's limits, less what clocks may differ by. */
const SYNC_LIMIT_MS = 29_000;
const SYNC_TIMEOUT_STATUSES = [400, 409, 422];

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
	{ deadline, busyDeadline }: AskingBudget,
): Promise<Question> {
	const subject = subjectOf(body);
	const response = await client.request({
		method: 'POST',
		subject,
		path: ['assistants', assistantId, 'questions'],
		body: { ...body },
		idempotent: false,
		opensSession: body.session_id === undefined,
		deadline,
		pollDeadline: busyDeadline,
	}).catch((error: unknown) => {
		throw error instanceof RejectedError && body.sync_mode && ranOutOfTime(error) ? error.add({ maybeAccepted: true }) : error;
	});
	return readQuestion(response, assistantId, { subject, maybeAccepted: true });
}

/**
 * Whether a synchronous question was turned down because its time was over: the service may go on with it all the same.
 * The specification leaves open how it says so.
 */
function ranOutOfTime({ details: { status = 0, responseMs = 0 } }: RejectedError): boolean {
	return SYNC_TIMEOUT_STATUSES.includes(status) && responseMs >= SYNC_LIMIT_MS;
}

/** Fetches one question. */
export async function getQuestion(
	client: LegalAiClient,
	assistantId: string,
	questionId: string,
	deadline?: number,
): Promise<Question> {
	const response = await client.request({
		method: 'GET',
		subject: 'question',
		path: ['assistants', assistantId, 'questions', questionId],
		deadline,
	});
	return readQuestion(response, assistantId);
}

/**
 * Looks again and again, at growing intervals, until `look` says that it is enough, or the budget ends; for the last time
 * at its deadline. The first look is not at once: what was asked just now has no answer yet.
 */
export async function pollUntil(
	client: LegalAiClient,
	budget: Pick<RetryBudget, 'deadline' | 'pollDeadline' | 'minPollMs'>,
	look: () => Promise<boolean>,
): Promise<void> {
	let looks = 0;
	await withRetries(true, { ...budget, signal: client.signal }, async () => {
		if (looks++ === 0 || !(await look())) throw new QuestionPendingError();
	}).catch((error: unknown) => {
		if (!(error instanceof QuestionPendingError)) throw error;
	});
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
	return error instanceof ApiError ? error.add({ question: { id, assistant_id, session_url } }) : error;
}

function subjectOf({ sync_mode, session_id }: QuestionBody): Subject {
	if (sync_mode) return 'syncQuestion';
	return session_id === undefined ? 'assistant' : 'session';
}

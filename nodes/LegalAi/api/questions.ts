import type { IDataObject } from 'n8n-workflow';

import { fillText, hints, responseDetails, serviceDetails, serviceMessages } from '../messages';
import type { ApiRequest, LegalAiClient } from './client';
import { ApiError, hasKind } from './errors';
import { integerField, listField, recordField, textField, type Fields } from './fields';
import { isRecord, textOrNull } from './json';
import { outcomeOf } from './questionStatuses';
import { abortableSleep, backOffMs, CHECK_INTERVAL_MS } from './retry';
import { SERVICE_LIMITS } from './serviceLimits';
import type { SendingTurn, Thing } from './thing';

/** The only status of an open question in the specification. One with any other counts as not answered yet. */
export const OPEN_STATUS = 'in_progress';

/** A file that the service generated; `url` is presigned for 24 hours, `content_length` in bytes. */
export interface GeneratedFile {
	file_name: string | null;
	content_type: string | null;
	content_length: number | null;
	url: string;
}

/**
 * The API's Question, with `assistant_id`, which is needed to get it again, and what only the node that has asked it knows. At run time
 * there may be fields that later versions of the API add.
 */
export type Question = {
	status: string;
	answer: string | null;
	reason: string | null;
	session_url: string | null;
	session_id: string | null;
	id: string;
	assistant_id: string;
	attachments?: object | null;
	attachments_sent?: string[];
	skipped_files?: SkippedFile[];
};

/** A file that was left out of a question, and why. */
export type SkippedFile = { file_name: string; reason: string };

const fileFields: Fields = {
	file_name: textField,
	content_type: textField,
	content_length: integerField,
	url: textField,
};

/** What people read comes first in an output item, IDs come last. */
const FIRST_FIELDS = [
	'status',
	'fields',
	'unread_fields',
	'missing_fields',
	'answer',
	'reason',
	'session_url',
];
const LAST_FIELDS = ['session_id', 'id', 'assistant_id'];

/** The fields of a Question in an output item; `own` are those that an operation adds. */
export function questionFields(own: Fields = {}): Fields {
	const texts = ['status', 'answer', 'reason', 'session_url', ...LAST_FIELDS];
	return inOutputOrder({
		...Object.fromEntries(texts.map((name) => [name, textField])),
		attachments: listField(recordField(fileFields)),
		...own,
	});
}

/** A file attached to a question: by its upload job, or by a public address. */
export type Attachment = { unzip?: boolean } & ({ upload_job_id: string } | { url: string });

/** The body of POST /assistants/{assistant_id}/questions. */
export interface QuestionBody {
	question: string;
	attachments?: Attachment[];
	/** Null, like a missing one, opens a session. */
	session_id?: string | null;
	permissions?: { visibility: string };
	callback_url?: string;
	sync_mode?: boolean;
}

/**
 * Reads a Question from a response, over what is known of it.
 *
 * @throws {ApiError} of kind `invalidResponse` if it has no id or no status, an answer that is not text, or another id than the known one
 */
export function readQuestion(
	latest: unknown,
	assistantId: string,
	known: IDataObject = {},
): Question {
	const content: IDataObject = isRecord(latest) ? (latest as IDataObject) : {};
	const { id, status, answer = null } = content;
	if (typeof id !== 'string' || id === '') throw invalid(responseDetails.questionWithoutId);
	if (typeof status !== 'string' || status === '')
		throw invalid(fillText(responseDetails.questionWithoutStatus, { id }));
	if (id !== (known.id ?? id))
		throw invalid(fillText(responseDetails.otherQuestion, { id, expectedId: String(known.id) }));
	if (answer !== null && typeof answer !== 'string')
		throw invalid(fillText(responseDetails.answerNotText, { id }));
	const { reason, session_url, session_id, ...others } = { ...known, ...content };
	const texts = {
		reason: textOrNull(reason),
		session_url: textOrNull(session_url),
		session_id: textOrNull(session_id),
	};
	return inOutputOrder({ ...others, id, status, answer, ...texts, assistant_id: assistantId });
}

function invalid(serviceMessage: string): ApiError {
	return new ApiError('invalidResponse', { serviceMessage });
}

/** A question that is sent, waited for and read. */
export const question: Thing<Question> = {
	notFound: serviceMessages.questionNotFound,
	path: ({ assistant_id }) => ['assistants', String(assistant_id), 'questions'],
	read: (latest, known) => readQuestion(latest, String(known.assistant_id), known),
	isOver: ({ status }) => outcomeOf(status) !== undefined,
	isSentAgain: ({ status }) => outcomeOf(status)?.isFailure === true,
	unanswered: ({ id, session_id, attachments_sent, skipped_files, assistant_id }) =>
		readQuestion(
			{ id, status: OPEN_STATUS, session_id, attachments_sent, skipped_files },
			String(assistant_id),
		),
	opensSession: true,
	waiting: (until, only) =>
		only === undefined
			? fillText(hints.waitingForSeveral, { until })
			: fillText(hints.waitingForOne, { until, id: only.id }),
};

/** A question, or what is known of one, as it is output. What is undefined is left out. */
export function inOutputOrder<Question extends Readonly<Record<string, unknown>>>(
	question: Question,
): Question {
	const others = Object.keys(question).filter(
		(name) => !FIRST_FIELDS.includes(name) && !LAST_FIELDS.includes(name),
	);
	const names = [...FIRST_FIELDS, ...others, ...LAST_FIELDS];
	const known = names
		.filter((name) => question[name] !== undefined)
		.map((name) => [name, question[name]]);
	return Object.fromEntries(known) as Question;
}

/** The files that the service generated with an answer; entries without an address are left out. */
export function generatedFiles(question: Question): GeneratedFile[] {
	if (!Array.isArray(question.attachments)) return [];
	return question.attachments
		.filter(isRecord)
		.flatMap(({ url, file_name, content_type, content_length: length }) => {
			if (typeof url !== 'string') return [];
			const content_length = typeof length === 'number' ? length : null;
			return [
				{
					file_name: textOrNull(file_name),
					content_type: textOrNull(content_type),
					content_length,
					url,
				},
			];
		});
}

/** How many generated files the service names without an address. */
export function filesWithoutLink(question: Question): number {
	const attached = Array.isArray(question.attachments) ? question.attachments.length : 0;
	return attached - generatedFiles(question).length;
}

/** A synchronous question that fails this late may still continue at the service. */
const SYNC_ACCEPTED_MS = (SERVICE_LIMITS.syncSeconds - 5) * 1000;

/**
 * Asks a question, once. A busy session is a queue to wait in.
 *
 * @throws {ApiError} with `maybeAccepted` if the service may still have accepted the question
 * @throws {ApiError} of kind `sessionBusy` once it has been busy for too long
 */
export async function askQuestion(
	client: LegalAiClient,
	assistantId: string,
	body: QuestionBody,
	{ busyUntil, ...turn }: SendingTurn,
): Promise<Question> {
	const isFollowUp = body.session_id !== undefined;
	const request: ApiRequest = {
		method: 'POST',
		words: {
			notFound: isFollowUp ? serviceMessages.sessionNotFound : serviceMessages.assistantNotFound,
			maybeAccepted: body.sync_mode
				? serviceDetails.syncQuestionMaybeAccepted
				: serviceDetails.questionMaybeAccepted,
		},
		path: question.path({ assistant_id: assistantId }),
		body: { ...body },
		idempotent: false,
		opensSession: !isFollowUp,
		...turn,
		acceptedAfterMs: body.sync_mode ? SYNC_ACCEPTED_MS : undefined,
	};
	const read = (content: unknown): Question => readQuestion(content, assistantId);
	for (let tries = 0; ; tries++) {
		const asked = await client
			.request({ ...request, hasTurn: tries === 0 && turn.hasTurn }, read)
			.catch(async (error: unknown) => {
				// The last try is made when the time is over.
				const waitMs = Math.min(backOffMs(tries, CHECK_INTERVAL_MS), busyUntil - Date.now());
				if (!hasKind(error, 'sessionBusy') || waitMs <= 0) throw error;
				await abortableSleep(waitMs, client.signal);
				return undefined;
			});
		if (asked !== undefined) return asked;
	}
}

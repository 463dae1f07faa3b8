import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';

import { isRecord, readJson } from '../api/json';

/** The states that a callback can report: all but `in_progress`, which is no news. */
export const CALLBACK_STATUSES = ['completed', 'error', 'filtered'] as const;

export type CallbackStatus = (typeof CALLBACK_STATUSES)[number];

/** What the service sends once a question is final: fields of the API's Question, and whatever it may add to them. */
export interface CallbackPayload extends IDataObject {
	id: string;
	status: CallbackStatus;
}

/** A body that came in at a callback address: a callback, or what keeps it from being one. */
export type ReceivedBody = { payload: CallbackPayload } | { obstacle: string };

/**
 * Reads a callback's raw body. `id` and `status` must be there, since they are acted upon; the other fields that
 * the API describes may be missing but not be of another type, since workflows rely on it. Fields it does not
 * describe are passed on as they are.
 */
export function readCallback(rawBody: Buffer): ReceivedBody {
	const body = readJson(rawBody.toString('utf8'));
	if (!isRecord(body)) return { obstacle: 'The body must be a JSON object.' };
	const { id } = body;
	if (typeof id !== 'string' || id === '') return { obstacle: "The field 'id' must be text." };
	const status = CALLBACK_STATUSES.find((known) => known === body.status);
	if (status === undefined) {
		return { obstacle: `The field 'status' must be one of ${CALLBACK_STATUSES.join(', ')}.` };
	}
	for (const field of ['session_id', 'session_url', 'answer', 'reason']) {
		const value = body[field] ?? null;
		if (typeof value !== 'string' && value !== null) return { obstacle: `The field '${field}' must be text or null.` };
	}
	const attachments = body.attachments ?? null;
	if (attachments !== null && !(Array.isArray(attachments) && attachments.every(isRecord))) {
		return { obstacle: "The field 'attachments' must be a list of files or null." };
	}
	return { payload: { ...(body as IDataObject), id, status } };
}

/** The bytes that came in; n8n keeps none of a form's, which no callback is. */
export function readRawBody(context: IWebhookFunctions): Buffer {
	const { rawBody }: { rawBody?: unknown } = context.getRequestObject();
	return Buffer.isBuffer(rawBody) ? rawBody : Buffer.alloc(0);
}

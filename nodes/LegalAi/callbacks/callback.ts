import type { IDataObject } from 'n8n-workflow';

import { FINAL_STATUSES, type FinalStatus, finalStatusOf, isRecord, readForeignJson } from '../api';
import { callbackResponses, fillText, signatureResponses } from '../messages';
import { checkSignature, type SignatureVerdict } from './signature';

/** A request to a callback address. */
export interface ReceivedRequest {
	/** The bytes of the body, unzipped; none if they could not be read. */
	rawBody: Buffer;
	signature: unknown;
}

/** What the service sends once a question is final: fields of the API's Question, and any that it may add. */
export interface Callback extends IDataObject {
	id: string;
	status: FinalStatus;
}

/** A callback, or why there is none. */
export type Received = { callback: Callback } | { rejection: Rejection };

/** Why a request is no callback to act upon, as its sender is told. */
export interface Rejection {
	status: 400 | 401 | 413 | 503;
	error_code: 'invalid_signature' | 'invalid_payload' | 'no_credential';
	message: string;
	/** What is wrong with the signature, if that is why. */
	signature?: InvalidSignature;
}

type InvalidSignature = Exclude<SignatureVerdict, 'valid'>;

/** What the signature of a request is worth; undefined `secrets` if that does not matter. */
export function verify(
	{ rawBody, signature }: ReceivedRequest,
	secrets: string[] | undefined,
): SignatureVerdict {
	return secrets === undefined ? 'valid' : checkSignature(signature, rawBody, secrets, Date.now());
}

/** What the sender is told whose signature is not valid. */
export function rejectionOf(signature: InvalidSignature): Rejection {
	const message = signatureResponses[signature];
	return { status: 401, error_code: 'invalid_signature', message, signature };
}

/**
 * Verifies the signature over the bytes, then reads the callback: nothing unsigned is parsed. `id` and `status` are required. Other
 * fields of the API may be missing, but not have another type; unknown ones are passed on.
 *
 * @param secrets see {@link checkSignature}; undefined if signatures are not verified
 */
export function readCallback(request: ReceivedRequest, secrets: string[] | undefined): Received {
	const verdict = verify(request, secrets);
	if (verdict !== 'valid') return { rejection: rejectionOf(verdict) };
	const body = readForeignJson(request.rawBody.toString('utf8'));
	if (!isRecord(body)) return invalid(callbackResponses.notObject);
	const { id, attachments } = body;
	if (typeof id !== 'string' || id === '') return invalid(callbackResponses.invalidId);
	const status = finalStatusOf(body.status);
	if (status === undefined)
		return invalid(
			fillText(callbackResponses.invalidStatus, { statuses: FINAL_STATUSES.join(', ') }),
		);
	const field = ['session_id', 'session_url', 'answer', 'reason'].find(
		(name) => typeof (body[name] ?? '') !== 'string',
	);
	if (field !== undefined) return invalid(fillText(callbackResponses.invalidText, { field }));
	const areFiles =
		(attachments ?? null) === null || (Array.isArray(attachments) && attachments.every(isRecord));
	if (!areFiles) return invalid(callbackResponses.invalidAttachments);
	return { callback: { ...(body as IDataObject), id, status } };
}

function invalid(message: string): Received {
	return { rejection: { status: 400, error_code: 'invalid_payload', message } };
}

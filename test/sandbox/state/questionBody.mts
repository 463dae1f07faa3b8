import { invalidBody } from '../errors.mts';
import {
	object,
	optionalArray,
	optionalBoolean,
	optionalString,
	optionalUrl,
	requiredString,
	type Fields,
} from '../fields.mts';
import type { Files } from './files.mts';
import type { AskedAttachment, Asking } from './questions.mts';

const LONGEST_QUESTION = 10_000;
const MOST_ATTACHMENTS = 10;
const VISIBILITIES = ['private', 'organization', 'public'];

/** The body of POST …/questions, checked; otherwise 400 with the matching error code. */
export function asking(body: unknown, files: Files): Asking {
	const fields = object(body, 'The request body');
	const text = requiredString(fields, 'question');
	if (Array.from(text).length > LONGEST_QUESTION) {
		throw invalidBody(`question can have at most ${LONGEST_QUESTION} characters`);
	}
	const attachments = optionalArray(fields, 'attachments') ?? [];
	if (attachments.length > MOST_ATTACHMENTS) throw invalidBody(`attachments can have at most ${MOST_ATTACHMENTS} entries`);
	return {
		text,
		visibility: visibility(fields),
		sessionId: fields.session_id === undefined ? undefined : requiredString(fields, 'session_id'),
		callbackUrl: optionalUrl(fields, 'callback_url'),
		syncMode: optionalBoolean(fields, 'sync_mode') ?? false,
		attachments: attachments.map((value) => attachment(object(value, 'An attachment'), files)),
	};
}

function visibility(fields: Fields): string | undefined {
	if (fields.permissions === undefined) return undefined;
	const value = requiredString(object(fields.permissions, 'permissions'), 'visibility');
	if (!VISIBILITIES.includes(value)) throw invalidBody(`visibility must be one of ${VISIBILITIES.join(', ')}`);
	return value;
}

function attachment(fields: Fields, files: Files): AskedAttachment {
	const jobId = optionalString(fields, 'upload_job_id');
	const url = optionalUrl(fields, 'url');
	const unzip = optionalBoolean(fields, 'unzip') ?? false;
	if (jobId !== undefined && url !== undefined) throw invalidBody('An attachment has upload_job_id or url, not both');
	if (url !== undefined) return { kind: 'url', url, unzip };
	if (jobId === undefined) throw invalidBody('An attachment needs upload_job_id or url');
	const { fileName, contentType, upload } = files.uploaded(jobId);
	const { contentLength, sha256 } = upload;
	return { kind: 'upload', jobId, fileName, contentType, contentLength, sha256, unzip };
}

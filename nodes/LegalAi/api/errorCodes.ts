import { serviceMessages, type MessageTemplate } from '../messages';
import type { ApiError, ApiErrorKind } from './errors';

/** What an `error_code` of the API means. It comes before everything that its status would say. */
interface ErrorCode {
	/** The HTTP status that the specification gives it. */
	status: number;
	/** When the service says so, for docs/messages.md. */
	cause: string;
	/** What the person in the editor reads. */
	text: MessageTemplate;
	/** What follows from it, if that is not what follows from its status. */
	kind?: ApiErrorKind;
}

/** The codes that say more than their status. */
export const ERROR_CODES: ReadonlyMap<string | undefined, ErrorCode> = new Map(
	Object.entries<ErrorCode>({
		invalid_request_body: {
			status: 400,
			cause: 'the body lacks something, or has something else in its place',
			text: serviceMessages.rejected,
		},
		invalid_upload_job: {
			status: 400,
			cause: 'an upload job is unknown or has expired',
			text: serviceMessages.invalidUploadJob,
		},
		session_still_processing: {
			status: 400,
			cause: 'the previous question of the session has no answer yet',
			text: serviceMessages.sessionBusy,
			kind: 'sessionBusy',
		},
		unsupported_file_type: {
			status: 400,
			cause: 'a content type that the service does not read',
			text: serviceMessages.unsupportedFileType,
		},
	}),
);

/** Codes of a 403 that are about what the key may do; others, e.g. of a quota, speak for themselves. */
const PERMISSION = /permission|forbid|denied|access|unauthori|not_allowed/i;

/** Whether the service means that the key may not do this. */
export function isForbidden({ details: { status, errorCode } }: ApiError): boolean {
	return status === 403 && PERMISSION.test(errorCode ?? 'permission');
}

/** Whether the API itself says that there is no such thing: a proxy says so without a code. */
export function isMissing({ details: { status, errorCode } }: ApiError): boolean {
	return status === 404 && errorCode !== undefined;
}

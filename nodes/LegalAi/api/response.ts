import { InvalidResponseError } from './errors';
import { errorOfResponse, type HttpResponse } from './http';
import { isRecord, readJson, textOrNull, type JsonRecord } from './json';
import { redactedExcerpt } from './redactedExcerpt';

/** What a response means that carries one of these codes although its status is one of success. */
const STATUS_BY_ERROR_CODE = new Map<unknown, number>([
	['unauthorized', 401],
	['resource_not_found', 404],
	['rate_limit_exceeded', 429],
]);

/**
 * Reads the JSON of a response: an object or a list.
 *
 * @throws {ApiError} that the response means, if its status or its body is that of an error
 * @throws {InvalidResponseError} if it is neither
 */
export function readResponse(response: HttpResponse): unknown {
	if (response.status >= 300) throw errorOfResponse(response);
	const content = typeof response.body === 'string' ? readJson(response.body) : undefined;
	if (typeof content !== 'object' || content === null) {
		throw new InvalidResponseError({
			status: response.status,
			serviceMessage: redactedExcerpt(textOrNull(response.body) ?? ''),
		});
	}
	const only: unknown = Array.isArray(content) && content.length === 1 ? content[0] : content;
	if (isRecord(only) && isError(only)) {
		throw errorOfResponse({ ...response, status: statusOf(only), body: JSON.stringify(only) });
	}
	return content;
}

/** Whether an object says that something went wrong. A question may do so about itself: its status tells. */
function isError(content: JsonRecord): boolean {
	if ('session_id' in content) return false;
	const { error_code, svc_api_error_code, error, errors } = content;
	if ([error_code, svc_api_error_code].some((code) => typeof code === 'string' && code !== '')) return true;
	const saysMore = [error, errors].some((value) => {
		return typeof value === 'string' ? value.trim() !== '' : typeof value === 'object' && value !== null && Object.keys(value).length > 0;
	});
	return saysMore && !('id' in content);
}

/** The status that an error would have come with. */
function statusOf({ error_code, svc_api_error_code, status, statusCode }: JsonRecord): number {
	const said = [status, statusCode].find((value) => typeof value === 'number' && value >= 400 && value < 600);
	return STATUS_BY_ERROR_CODE.get(error_code || svc_api_error_code) ?? (typeof said === 'number' ? said : 400);
}

import { NodeApiError, NodeOperationError, type IDataObject, type INode } from 'n8n-workflow';

import { ApiError, type ApiErrorDetails } from '../api/errors';
import { redactedExcerpt } from '../api/redactedExcerpt';
import { serviceDetails, serviceMessages } from '../messages/serviceMessages';
import { fillTemplate, fillText, InvalidInputError, type UserMessage } from '../messages/template';
import { apiErrorMessage } from './apiErrorMessage';

export type NodeError = NodeApiError | NodeOperationError;

/** What JavaScript throws if a program is wrong: its text is for programmers. */
const PROGRAMMING_ERRORS = [TypeError, RangeError, ReferenceError, SyntaxError];

const SHOWN_IDS = 5;

/**
 * Puts whatever went wrong with one item into words for the editor: `NodeApiError` if the service or the way to it is
 * the cause, `NodeOperationError` for what the person entered. An error that is already one of them stays as it is.
 */
export function toNodeError(node: INode, error: unknown, itemIndex?: number): NodeError {
	if (error instanceof NodeApiError || error instanceof NodeOperationError) return error;
	const where = itemIndex === undefined ? '' : ` [item ${itemIndex}]`;
	if (error instanceof ApiError) {
		const details = safeDetails(error.details);
		const { message, description } = userMessageOf(error);
		return new NodeApiError(
			node,
			{ message, error_code: details.errorCode ?? null, service_message: details.serviceMessage ?? null },
			{ message: message + where, description, httpCode: details.status?.toString(), itemIndex, level: 'warning' },
		);
	}
	if (error instanceof InvalidInputError) {
		return new NodeOperationError(node, error.message + where, { itemIndex, description: error.description });
	}
	if (error instanceof Error && !PROGRAMMING_ERRORS.some((kind) => error instanceof kind)) {
		return new NodeOperationError(node, error, { itemIndex });
	}
	const { message, description } = userMessageOf(error);
	return new NodeOperationError(node, message + where, { itemIndex, description });
}

/** What the person reads about an error. */
export function userMessageOf(error: unknown): UserMessage {
	if (error instanceof ApiError) return apiErrorMessage(error, safeDetails(error.details));
	if (error instanceof InvalidInputError) return error;
	return fillTemplate(serviceMessages.unexpected, { details: redactedExcerpt(String(error)) ?? '' });
}

/** The JSON of an item that failed. n8n's error output knows it by these very names. */
export function failedItemJson(error: NodeError): IDataObject {
	const details: IDataObject = { description: error.description ?? null };
	if (error instanceof NodeApiError && error.httpCode) details.http_code = error.httpCode;
	return { error: error.message, details };
}

/** Adds to an error that ends the node what the service has accepted before it. */
export function addAccepted(error: NodeError, accepted: Array<{ item: number; id: string }>): NodeError {
	if (accepted.length === 0) return error;
	error.context.accepted = accepted;
	const shown = accepted.slice(0, SHOWN_IDS).map(({ item, id }) => `item ${item}: ${id}`);
	const list = shown.join(', ') + (accepted.length > SHOWN_IDS ? ', …' : '');
	error.description = (error.description ?? '') + fillText(serviceDetails.accepted, { count: accepted.length, list });
	return error;
}

/** What others have said, with nothing in it that should not be shown. */
function safeDetails(details: ApiErrorDetails): ApiErrorDetails {
	const { serviceMessage, fileName } = details;
	return {
		...details,
		serviceMessage: serviceMessage === undefined ? undefined : redactedExcerpt(serviceMessage),
		fileName: fileName === undefined ? undefined : redactedExcerpt(fileName),
	};
}

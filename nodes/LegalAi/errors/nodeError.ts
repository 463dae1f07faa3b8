import {
	NodeApiError,
	NodeOperationError,
	type IDataObject,
	type INode,
	type INodeExecutionData,
} from 'n8n-workflow';

import { type AcceptedRecord, ApiError, reachOf, redactedExcerpt } from '../api';
import {
	fillTemplate,
	fillText,
	InvalidInputError,
	serviceDetails,
	serviceMessages,
	shortList,
	type UserMessage,
} from '../messages';
import { apiErrorMessage } from './apiErrorMessage';

export type NodeError = NodeApiError | NodeOperationError;

/** What JavaScript throws if a program is wrong: its text is for programmers. */
const PROGRAMMING_ERRORS = [TypeError, RangeError, ReferenceError, SyntaxError];

/**
 * What went wrong with an item, in words for the editor: `NodeApiError` if the service or the way to it is the cause,
 * `NodeOperationError` for what the person entered.
 *
 * @param accepted what the service had accepted of the item by then
 */
export function toNodeError(
	node: INode,
	error: unknown,
	itemIndex?: number,
	accepted?: AcceptedRecord,
): NodeError {
	if (error instanceof NodeApiError || error instanceof NodeOperationError) return error;
	const reference = accepted === undefined ? '' : questionReference(accepted);
	if (isOfN8n(error))
		return new NodeOperationError(node, error, {
			itemIndex,
			description: reference.trim() || undefined,
		});
	const { message: what, description: advice } = userMessageOf(error);
	const description = advice + reference;
	const message = itemIndex === undefined ? what : `${what} [item ${itemIndex}]`;
	if (!(error instanceof ApiError))
		return new NodeOperationError(node, message, { itemIndex, description });
	const { status, errorCode } = error.details;
	const response = { message, error_code: errorCode ?? null };
	const options = {
		message,
		description,
		itemIndex,
		httpCode: status?.toString(),
		level: 'warning',
	} as const;
	const nodeError = new NodeApiError(node, response, options);
	// n8n has a text of its own for a message with the network's code in it.
	nodeError.message = message;
	if (errorCode !== undefined) nodeError.context.errorCode = errorCode;
	return nodeError;
}

/** n8n's own errors, e.g. of an expression, keep their words. */
function isOfN8n(error: unknown): error is Error {
	const isOwn = error instanceof ApiError || error instanceof InvalidInputError;
	return (
		error instanceof Error && !isOwn && !PROGRAMMING_ERRORS.some((kind) => error instanceof kind)
	);
}

/** What the person reads about an error. */
export function userMessageOf(error: unknown): UserMessage {
	if (error instanceof ApiError) return apiErrorMessage(error);
	if (error instanceof InvalidInputError) return error;
	// This package makes no address of what may be none: n8n does, of WEBHOOK_URL, before it reads anything for a node.
	if (error instanceof TypeError && Reflect.get(error, 'code') === 'ERR_INVALID_URL')
		return serviceMessages.webhookUrlInvalid;
	return fillTemplate(serviceMessages.unexpected, {
		details: redactedExcerpt(String(error)) ?? '',
	});
}

/** The JSON of an item that failed. n8n's error output knows it by these very names. */
export function failedItemJson(error: NodeError): IDataObject {
	const details: IDataObject = { description: error.description ?? null };
	if (error instanceof NodeApiError) {
		const { httpCode, context } = error;
		if (httpCode) details.http_code = httpCode;
		if (typeof context.errorCode === 'string') details.error_code = context.errorCode;
	}
	return { error: error.message, details };
}

/**
 * An item that failed, ready to be output. For n8n's error output, an item has nothing but `error` and `details`, or an `error` beside
 * its JSON, which n8n drops. One with a question keeps its JSON: its `error` is one that n8n does not copy.
 */
export function failedItem(node: INode, item: INodeExecutionData): INodeExecutionData {
	if (node.onError !== 'continueErrorOutput' || !('id' in item.json)) return item;
	const error = new NodeOperationError(node, String(item.json.error));
	return Object.defineProperty(item, 'error', { value: error, enumerable: false });
}

/**
 * Adds to an error that ends the node what it has sent and the service has accepted before.
 *
 * @param isUncertain whether the service may have accepted others, too
 * @param isCalled whether a retry is one of a caller, which calls the node anew
 */
export function addAccepted(
	error: NodeError,
	accepted: ReadonlyArray<{ item: number; id: string }>,
	{ isUncertain, isCalled }: { isUncertain: boolean; isCalled: boolean },
): NodeError {
	if (accepted.length === 0) return error;
	error.context.accepted = accepted;
	// Beside what may have been accepted, everything has to be found.
	const ids = accepted.map(({ item, id }) => `item ${item}: ${id}`);
	const list = isUncertain ? ids.join(', ') : shortList(ids);
	error.description =
		(error.description ?? '') + fillText(serviceDetails.accepted, { count: accepted.length, list });
	error.description += isCalled ? serviceDetails.sentAgain : serviceDetails.notSentAgain;
	if (isUncertain && !isCalled) error.description += serviceDetails.wayOut;
	return error;
}

/** How to find a question that was asked; nothing for a task. */
function questionReference(record: AcceptedRecord): string {
	const { id, assistant_id: assistant } = record;
	if (typeof assistant !== 'string') return '';
	const reference = fillText(serviceDetails.questionReference, {
		id: redactedExcerpt(id) ?? '',
		assistant: redactedExcerpt(assistant) ?? '',
	});
	const url = sessionLinkOf(record);
	return reference + (url === undefined ? '' : fillText(serviceDetails.questionLink, { url }));
}

/** Where a question can be seen, without the query of the address; undefined if the service gives no web address. */
export function sessionLinkOf({ session_url: address }: IDataObject): string | undefined {
	if (typeof address !== 'string' || !URL.canParse(address)) return undefined;
	const { protocol, hostname, href } = new URL(address);
	const isWeb = protocol === 'https:' || (protocol === 'http:' && reachOf(hostname) === 'loopback');
	return isWeb ? redactedExcerpt(href) : undefined;
}

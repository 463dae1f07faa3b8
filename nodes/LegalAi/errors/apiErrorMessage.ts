import {
	type ApiError,
	type ApiErrorKind,
	ERROR_CODES,
	isForbidden,
	redactedExcerpt,
} from '../api';
import { isLinkExpired } from '../files/fileStorage';
import {
	downloadMessages,
	fillTemplate,
	fillText,
	type MessageTemplate,
	serviceDetails,
	serviceMessages,
	uploadMessages,
	type UserMessage,
} from '../messages';

/** By the kind of the error, if nothing else says more. */
const BY_KIND: Readonly<Record<ApiErrorKind, MessageTemplate>> = {
	...serviceMessages,
	outOfTurn: serviceMessages.rateLimited,
	addressNotAllowed: serviceMessages.invalidResponse,
	fileTooLarge: serviceMessages.invalidResponse,
};

/** By the message of a 401, in lower case and without a period at its end. */
const UNAUTHORIZED = new Map<string | undefined, MessageTemplate>([
	['missing authorization header', serviceMessages.authorizationMissing],
	['invalid api key format', serviceMessages.invalidKeyFormat],
	['invalid api key', serviceMessages.invalidKey],
]);

const BY_NETWORK_CODE = new Map<string | undefined, MessageTemplate>([
	['ECONNREFUSED', serviceMessages.connectionRefused],
	['ENOTFOUND', serviceMessages.unknownHost],
	['EAI_AGAIN', serviceMessages.hostLookupFailed],
	['EPROTO', serviceMessages.noTls],
	['ECONNABORTED', serviceMessages.timedOut],
	['ETIMEDOUT', serviceMessages.timedOut],
]);

const OF_FILES = {
	upload: {
		...uploadMessages,
		fileTooLarge: uploadMessages.rejected,
		redirected: uploadMessages.rejected,
	},
	download: { ...downloadMessages, redirected: downloadMessages.rejected },
};

/** What the person reads about an error of the service, or of the way to it; with nothing in it that should not be shown. */
export function apiErrorMessage(error: ApiError): UserMessage {
	const { kind, details } = error;
	const { serviceMessage, retryAfterMs = 0, words, received = 0 } = details;
	// Of a list whose end can't be reached, the beginning has arrived.
	const isCut = kind === 'invalidPage' && received > 0;
	const ofList = isCut
		? fillTemplate(serviceMessages.listIncomplete, { count: received })
		: undefined;
	const { message, description } = fileErrorMessage(error) ?? ofList ?? findTemplate(error);
	// What other codes of the network mean, the message says in words.
	const code = kind === 'tlsFailed' ? details.networkCode : details.status;
	const shownCode = code === undefined ? '' : ` (${code})`;
	const quoted = serviceMessage === undefined ? '' : `: ${redactedExcerpt(serviceMessage) ?? ''}`;
	const wait =
		retryAfterMs > 0 ? fillText(serviceDetails.retryAfter, { time: duration(retryAfterMs) }) : '';
	const checkFirst = details.maybeAccepted ? words?.maybeAccepted : undefined;
	return {
		message: `${message}${shownCode}${quoted}`,
		description: checkFirst ?? description + wait,
	};
}

/** A time in words, e.g. "45 seconds" or "20 minutes". */
function duration(ms: number): string {
	const [value, unit] = ms < 120_000 ? [ms / 1000, 'second'] : [ms / 60_000, 'minute'];
	const count = Math.ceil(value);
	return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

function fileErrorMessage(error: ApiError): UserMessage | undefined {
	const { kind, details } = error;
	const { transfer, fileName } = details;
	if (transfer === undefined) return undefined;
	const templates = OF_FILES[transfer];
	if (!(kind in templates)) return undefined;
	const shownName = fileName && redactedExcerpt(fileName);
	const file = shownName ? `"${shownName}"` : 'the file';
	const isExpired = transfer === 'download' && isLinkExpired(error);
	const template = isExpired ? downloadMessages.expired : templates[kind as keyof typeof templates];
	const { message, description } = fillTemplate(template, { file });
	return { message: message.charAt(0).toUpperCase() + message.slice(1), description };
}

function findTemplate(error: ApiError): MessageTemplate {
	const { kind, details } = error;
	const { status = 0, serviceMessage, errorCode, networkCode, words, transfer } = details;
	if (details.maybeAccepted && kind === 'rejected') return serviceMessages.timedOut;
	const byCode = ERROR_CODES.get(errorCode);
	if (byCode !== undefined) return byCode.text;
	const said = serviceMessage?.toLowerCase().replace(/\.$/, '');
	if (status === 401) return UNAUTHORIZED.get(said) ?? serviceMessages.unauthorized;
	if (isForbidden(error)) return serviceMessages.forbidden;
	if (status === 404 && transfer === undefined)
		return words?.notFound ?? serviceMessages.addressNotFound;
	if (kind === 'outcomeUnknown' && status > 0) return serviceMessages.serverError;
	return BY_NETWORK_CODE.get(networkCode) ?? BY_KIND[kind];
}

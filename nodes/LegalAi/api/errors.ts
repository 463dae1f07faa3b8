import { NodeApiError, NodeOperationError, type INode } from 'n8n-workflow';

import { BaseUrlRefused } from './baseUrl';
import { ApiFailure, type FailureFacts, type FailureKind, type FileSubject, type Subject } from './failure';
import { fileStoreWords } from './fileStoreWords';
import { quotation } from './quotation';

/** What the person in the editor reads: what happened, and how to get on. */
export interface Words {
	message: string;
	description: string;
}

const CREDENTIAL = "Open the 'Legal AI API' credential";

const BY_ERROR_CODE: Record<string, Words> = {
	invalid_request_body: {
		message: 'The service did not accept what was sent',
		description: 'Check the fields of this item against what the service says.',
	},
	invalid_upload_job: {
		message: 'An attached file is not known to the service, or its upload has expired',
		description: "Upload the file again and pass on its new job ID. Check 'Upload Job ID' in 'Attachments'.",
	},
	session_still_processing: {
		message: 'The session is still busy with its previous question',
		description: "Wait for that answer first, e.g. with the operation 'Wait for Answer', then ask again in this 'Session ID'.",
	},
	unsupported_file_type: {
		message: 'The service does not read files of this type',
		description: 'Send one of the supported kinds, e.g. PDF, DOCX, XLSX, PPTX, TXT, PNG, JPEG or ZIP.',
	},
	rate_limit_exceeded: {
		message: 'Your organisation is over the limit of the service (400 requests and 60 new sessions a minute)',
		description: 'Run fewer items at once, or run the workflow again in a minute.',
	},
};

const UNAUTHORIZED: Record<string, Words> = {
	'Missing Authorization header': {
		message: 'The API key did not reach the service',
		description: 'A proxy between n8n and the service seems to remove it. Ask whoever runs it to let the Authorization header through.',
	},
	'Invalid API key format': {
		message: 'The API key is not one of this service',
		description: `${CREDENTIAL} and enter the whole API key; it begins with sk-svc-api1-.`,
	},
	'Invalid API key': {
		message: 'The service does not know this API key',
		description: `${CREDENTIAL} and enter a current API key: it may have been deleted or belong to another organisation.`,
	},
};

const NOT_FOUND: Record<Exclude<Subject, FileSubject>, Words> = {
	assistant: {
		message: 'This assistant does not take questions over the API',
		description: "Choose another in 'Assistant', or have its API intake switched on.",
	},
	question: {
		message: 'No such question is known for this assistant',
		description: "Check 'Question ID' and 'Assistant': a question is found only with the assistant that it was asked of.",
	},
	session: {
		message: 'No such session is known',
		description: "Check 'Session ID' and 'Assistant'.",
	},
	syncQuestion: {
		message: 'The assistant, or the session, does not take this question',
		description: "Check 'Assistant' and 'Session ID'.",
	},
	task: { message: 'No such task is known', description: "Check 'Task' (for a new task: 'Parent Task'): it may have been deleted, or not be shared with you." },
	taskList: { message: 'The list of tasks was not found', description: `${CREDENTIAL} and check its 'Base URL'.` },
	other: { message: 'The service has nothing at this address', description: `${CREDENTIAL} and check its 'Base URL'; it ends in /api/v1.` },
};

const BY_NETWORK_CODE: Record<string, Words> = {
	ECONNREFUSED: {
		message: 'The service refused the connection',
		description: "It may be down for the moment. If this goes on, check the 'Base URL' in the 'Legal AI API' credential.",
	},
	ENOTFOUND: {
		message: "The name in the 'Base URL' is not known",
		description: `${CREDENTIAL} and check the spelling of its 'Base URL'.`,
	},
	EAI_AGAIN: {
		message: "The name in the 'Base URL' could not be looked up",
		description: 'Check the network and DNS of the machine that n8n runs on, then run this again.',
	},
	EPROTO: {
		message: "The address in 'Base URL' does not speak https, so nothing was sent",
		description: `${CREDENTIAL} and check the host and the port of its 'Base URL'.`,
	},
	ECONNABORTED: { message: 'The service did not answer in time', description: 'Run this again in a few minutes.' },
	ETIMEDOUT: { message: 'The service did not answer in time', description: 'Run this again in a few minutes.' },
};

const BY_KIND: Record<FailureKind, Words> = {
	unreached: { message: 'The service could not be reached', description: "Check the network of the machine that n8n runs on and the credential's 'Base URL'." },
	untrusted: {
		message: 'The certificate of the service was not accepted, so nothing was sent',
		description: "Check that the credential's 'Base URL' is right. If it leads through a proxy of your company, have its certificate added to n8n.",
	},
	throttled: BY_ERROR_CODE.rate_limit_exceeded!,
	interrupted: { message: 'The service did not finish its answer', description: 'Run this again in a few minutes.' },
	unreadable: {
		message: 'What came back is not an answer of the Legal AI service',
		description: "Check the credential's 'Base URL': a proxy or a log-in page may stand in between.",
	},
	unlistable: {
		message: 'The list can not be read to its end',
		description: "Ask for less: switch off 'Return All' and set a smaller 'Limit', or narrow the list with 'Filters'. If that changes nothing, the service has changed, and a newer version of this node may know it.",
	},
	refused: { message: 'The service did not accept the request', description: 'Check the fields of this item against what the service says.' },
	// n8n-core knows a stopped execution from a failed one by the word "canceled" in the message.
	unanswered: { message: 'The service could not answer', description: 'Ask again, perhaps in other words or with other files.' },
	cancelled: { message: 'The execution was canceled', description: 'Nothing more was sent. What was asked before goes on at the service.' },
};

const LOOK_FIRST: Partial<Record<Subject, string>> = {
	assistant: 'The question may have been accepted all the same. Look for it in the web application before you ask again; it was not sent twice.',
	session: 'The question may have been accepted all the same. Look at the session in the web application before you ask again; it was not sent twice.',
	syncQuestion: "The service gives a synchronous question 30 seconds. This one may have been accepted all the same and go on: look for it in the web application before you ask again; it was not sent twice. For longer answers, choose another way in 'Wait Using'.",
	task: "The task may have been created all the same. Look for its title (operation 'Get Many') before you create it again; it was not sent twice.",
};

/** What JavaScript throws where a program is wrong: its words are for programmers. */
const BUGS = [TypeError, RangeError, ReferenceError, SyntaxError];

/**
 * Puts whatever went wrong with one item into words for the editor: `NodeApiError` where the service or the
 * way to it is the cause, `NodeOperationError` for what the person entered. An error that is already one of
 * them stays as it is.
 */
export function toNodeError(node: INode, error: unknown, itemIndex?: number): NodeApiError | NodeOperationError {
	if (error instanceof NodeApiError || error instanceof NodeOperationError) return error;
	const where = itemIndex === undefined ? '' : ` [item ${itemIndex}]`;
	if (error instanceof ApiFailure) {
		const facts = shownOf(error.facts);
		const { message, description } = wordsFor(error.kind, facts);
		return new NodeApiError(
			node,
			{ message, error_code: facts.errorCode ?? null, service_message: facts.serviceMessage ?? null },
			{ message: message + where, description, httpCode: facts.status?.toString(), itemIndex, level: 'warning' },
		);
	}
	if (error instanceof BaseUrlRefused) return new NodeOperationError(node, error.message, { itemIndex });
	if (error instanceof Error && !BUGS.some((bug) => error instanceof bug)) {
		return new NodeOperationError(node, error, { itemIndex });
	}
	return new NodeOperationError(node, `This node came upon something it was not made for${where}`, {
		itemIndex,
		description: `It stopped at: ${quotation(String(error)) ?? 'nothing it could name'}. Please report that to the makers of the node, with what this item was.`,
	});
}

/** What is known of a failure, with nothing in what others have said that should not be shown. */
function shownOf(facts: FailureFacts): FailureFacts {
	const { serviceMessage, fileName } = facts;
	return {
		...facts,
		serviceMessage: serviceMessage === undefined ? undefined : quotation(serviceMessage),
		fileName: fileName === undefined ? undefined : quotation(fileName),
	};
}

function wordsFor(kind: FailureKind, facts: FailureFacts): Words {
	const { message, description } = findWords(kind, facts);
	const says = facts.serviceMessage === undefined ? '' : `: ${facts.serviceMessage}`;
	const wait =
		kind === 'throttled' && facts.retryAfterMs !== undefined
			? ` It asks to wait ${Math.ceil(facts.retryAfterMs / 1000)} seconds, longer than this item may take.`
			: '';
	const lookFirst = facts.mayHaveBeenAccepted ? LOOK_FIRST[facts.subject ?? 'other'] : undefined;
	const wayBack = facts.question === undefined ? '' : wayBackTo(facts.question);
	return {
		message: `${message}${facts.status === undefined ? '' : ` (${facts.status})`}${says}`,
		description: (lookFirst ?? description + wait) + wayBack,
	};
}

/** How to get at a question that was asked. */
function wayBackTo({ id, assistant_id, session_url }: NonNullable<FailureFacts['question']>): string {
	const link = session_url === null ? '' : ` It is shown at ${quotation(session_url)}.`;
	return ` Question ID: ${quotation(id)}, assistant: ${quotation(assistant_id)}.${link}`;
}

function findWords(kind: FailureKind, facts: FailureFacts): Words {
	if (facts.subject === 'upload' || facts.subject === 'download') {
		return fileStoreWords(facts.subject, kind, facts.fileName) ?? BY_KIND[kind];
	}
	if (facts.status === 401) return entryOf(UNAUTHORIZED, facts.serviceMessage) ?? UNAUTHORIZED['Invalid API key']!;
	if (facts.status === 403) {
		return {
			message: 'The API key is not allowed to do this',
			description: 'It sees and does what its user may. Ask that user, or the support of the service, for access.',
		};
	}
	if (facts.status === 404) return NOT_FOUND[facts.subject ?? 'other'];
	if (facts.status !== undefined && facts.status >= 300 && facts.status < 400) {
		return {
			message: 'The service sends the request on to another address, which the API key is not sent to',
			description: `${CREDENTIAL} and enter the address that the service really has in 'Base URL'.`,
		};
	}
	return entryOf(BY_ERROR_CODE, facts.errorCode) ?? entryOf(BY_NETWORK_CODE, facts.networkCode) ?? BY_KIND[kind];
}

/** A table's own entry: what others send for a name may be that of something every object has. */
function entryOf(table: Record<string, Words>, name: string | undefined): Words | undefined {
	return name !== undefined && Object.hasOwn(table, name) ? table[name] : undefined;
}

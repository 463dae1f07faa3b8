import { messages } from './template';

/** Where the address of the service is entered. */
export const BASE_URL = '"Base URL" in the "Legal AI API" credential';
/** Added where a certificate is not accepted. */
export const PROXY_CERTIFICATE =
	"Your company's proxy may be replacing the certificate: ask your IT team to add the certificate of the proxy to n8n (NODE_EXTRA_CA_CERTS).";

/** Requests to the service, and its responses. */
export const serviceMessages = messages({
	rejected:
		'The service did not accept the request. Compare the fields of this item with what the service says.',
	invalidUploadJob:
		'The service does not know an attached file, or its upload has expired. Run this item again. If "Attachments" has an "Upload Job ID", upload that file again and use the new job ID.',
	sessionBusy:
		'The session is still busy with its previous question. Wait for that answer first, e.g. with the operation "Wait for Answer", then ask again in this session.',
	unsupportedFileType:
		"The service can't read files of this type. Send a supported file type, e.g. PDF, DOCX, XLSX, PPTX, TXT, PNG, JPEG or ZIP.",
	rateLimited:
		"Your organization has reached the service's limit (400 requests and 60 new sessions per minute). Try again later, or with fewer items.",
	authorizationMissing:
		'The API key did not reach the service. A proxy between n8n and the service may remove it. Ask your IT team to let the Authorization header through.',
	invalidKeyFormat:
		'This is not the format of the service\'s API keys. Enter the complete API key in the "Legal AI API" credential. It begins with sk-svc-api1-.',
	unauthorized: `The API key was not accepted. Check the API key and ${BASE_URL}. A proxy between n8n and the service may have rejected the request, too.`,
	invalidKey:
		'The service does not know this API key. Enter the key in the "Legal AI API" credential again. If that does not help, it may have been deleted: create a new one in the API section of your account settings.',
	forbidden:
		"The API key does not have permission to do this. The key has the permissions of its user. Ask that user, or the service's support team, for access.",
	assistantNotFound:
		'This assistant does not accept questions through the API. Choose another assistant in "Assistant", or ask whoever administers the service to turn on its API intake.',
	questionNotFound:
		'The question was not found for this assistant. Check "Question ID" and "Assistant". A question can be found only with the assistant that it was asked.',
	sessionNotFound:
		'This assistant does not accept questions through the API, or it does not have this session. Ask your administrator to turn on the API intake of the assistant, and check "Assistant" and "Session ID".',
	taskNotFound:
		'The task was not found. Check "Task" (for a new task: "Parent Task"). The task may have been deleted, or not be shared with you.',
	addressNotFound: `The service has nothing at this address. Check ${BASE_URL}. It must end in /api/v1.`,
	redirected: `The service redirected the request to another address. The API key is not sent there. If you trust that address, enter it as ${BASE_URL}.`,
	connectionRefused: `The connection to the service was refused. Check the host and the port of ${BASE_URL}. If they are right, the service may be down: try again later.`,
	unknownHost: `The host in "Base URL" was not found. Check the spelling of ${BASE_URL}, and the DNS settings of the machine that runs n8n.`,
	hostLookupFailed:
		'The host in "Base URL" could not be looked up. Check the network and DNS settings of the machine that runs n8n, then run this again.',
	noTls: `The host in "Base URL" does not support https at this port. Check the host and the port of ${BASE_URL}.`,
	tlsFailed: `The service's certificate was not accepted, so nothing was sent. Check ${BASE_URL}. ${PROXY_CERTIFICATE}`,
	connectionFailed: `Could not connect to the service. Check the network of the machine that runs n8n, and ${BASE_URL}.`,
	blockedByN8n:
		'This n8n instance does not allow requests to this address, so nothing was sent. Ask whoever runs your n8n to allow it (N8N_SSRF_ALLOWED_HOSTNAMES or N8N_SSRF_ALLOWED_IP_RANGES).',
	timedOut: 'The service did not respond in time. Run this again in a few minutes.',
	outcomeUnknown: "The service's response was cut off. Run this again in a few minutes.",
	serverError: 'The service could not process the request. Run this again in a few minutes.',
	sendingInterrupted:
		'Sending was interrupted when n8n stopped. The service may have accepted it, so it was not sent again. Check the web app before you run this again.',
	sentUnclear:
		"When n8n stopped, some items had been sent, and this may be one of them. It can't be told, because the content of the items has changed since then, so it was not sent. Check the web app before you run this again.",
	sentNotKnown:
		'The database of n8n did not say what was sent before this retry, so this was not sent. Retry this execution in a few minutes.',
	otherVersion:
		'This execution was paused by another version of this node, which keeps what it waits for in another way. Nothing was sent again. Install the version that you had before and retry the execution, or get what the service has accepted by its ID. IDs: <ids>.',
	invalidResponse: `The response could not be read. Check ${BASE_URL}. A proxy or a login page may have responded. If not, check for a newer version of this node.`,
	responseTooLarge: `The service's response is larger than 32 MB. Check ${BASE_URL}. If it is right, send this message to the service's support team.`,
	invalidPage: `The list could not be read. Check ${BASE_URL}. If it is right, check for a newer version of this node.`,
	listIncomplete:
		'The list could not be loaded completely. To load the first records, set "Limit" to <count> or less. In a list of the editor, enter the ID instead. A newer version of this node may load the whole list.',
	credentialChanged:
		'The credential was changed while the list was read, so nothing is output. Run this again.',
	filterIgnored:
		'The service did not filter the tasks. It may not support the filter, write its values differently, or have no such task. For statuses, choose those that your tasks have. Remove "Archived" or "Draft" from "Filters", and filter the output with a Filter node.',
	questionFailed:
		'The service could not answer. Ask again, for example in other words or with other files.',
	fieldsMissing:
		'Required answer fields are missing or could not be read. Read "answer": it may say why. You can describe the fields in "Answer Fields", or turn off "Required".',
	questionUnanswered:
		'The question has no answer yet. Wait for the answer first, e.g. with the operation "Wait for Answer" of the "Question" resource.',
	// n8n-core tells a stopped execution from a failed one by the word "canceled" in the message.
	canceled:
		'The execution was canceled. Nothing more was sent. The service keeps working on questions that were already asked.',
	webhookUrlInvalid:
		"The fields of this node can't be read, because WEBHOOK_URL of your n8n instance is not a web address. Ask whoever runs your n8n to set it to its public address, e.g. https://n8n.example.com/.",
	unexpected:
		'Something unexpected happened in this node. Please report it at https://github.com/n8n-nodes-legal-ai/n8n-nodes-legal-ai/issues with the following text, without confidential content: <details>',
});

/** Sentences that are added to a description if they apply. */
export const serviceDetails = {
	retryAfter: ' The service asks you to wait <time>.',
	questionReference: ' Question ID: <id>, assistant: <assistant>.',
	questionLink: ' You can see it at <url>.',
	questionMaybeAccepted:
		'The service may still have accepted the question, so it was not sent again. Check the web app before you ask again.',
	syncQuestionMaybeAccepted:
		'The service has 30 seconds for a synchronous question. It may still have accepted the question, so it was not sent again. Check the web app before you ask again, and choose another way in "Wait Using" for longer answers.',
	taskMaybeAccepted:
		'The service may still have created the task, so it was not sent again. Look for its title with the operation "Get Many" before you create it again.',
	accepted: ' Accepted by the service before this: <list> (<count> in all).',
	notSentAgain:
		' If you retry this execution, they will not be sent again, unless you edit this node first or the service could not answer them.',
	wayOut:
		' To go on with the items that are certain, set "On Error" in the settings of this node to "Continue", then retry this execution with the currently saved workflow. Look for the others in the web app.',
	sentAgain: ' If you retry the workflow or AI agent that called this, they will be sent again.',
} as const;

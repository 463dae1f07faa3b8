import { messages } from './template';

const PASTE_URL =
	'set "Send Answer To" to "URL" and paste the Production URL of the Legal AI Trigger';

/** Why no trigger listens, by what "Send Answer To" is. */
export const triggerNotListening = messages({
	trigger: `No Legal AI Trigger listens in this workflow, so the question was not asked. Add one if there is none, then publish the workflow, again if you changed it since. If it is published with one, ${PASTE_URL}.`,
	workflow: `No Legal AI Trigger listens in the workflow in "Workflow", so the question was not asked. Check that you entered its address or ID, not its name, and that it is published with a Legal AI Trigger in it. If so, ${PASTE_URL}.`,
});

/** Why a trigger would not accept an answer, by what its probe finds. `otherResponse`: something else is at its address. */
export const triggerProblems = messages({
	otherResponse: `Something other than the Legal AI Trigger responded at its address (status <response>), so the question was not asked. Publish the workflow of the Legal AI Trigger, and make sure that no other webhook of your n8n instance has its path. If a proxy or a login page responded, ask whoever runs your n8n to let n8n reach its own webhook addresses. If that is not possible, ${PASTE_URL}.`,
	otherSecret:
		'The Legal AI Trigger has a different "Webhook Secret" and would reject the answer, so the question was not asked. Select the same "Legal AI API" credential in this node and in the Legal AI Trigger.',
	noSecret:
		'The Legal AI Trigger has no "Webhook Secret" and would reject the answer, so the question was not asked. Enter the webhook secret in the "Legal AI API" credential of the Legal AI Trigger.',
	noCredential:
		'The credential of the Legal AI Trigger was deleted or is not accessible, so the question was not asked. Select a "Legal AI API" credential in the Legal AI Trigger and publish its workflow again.',
});

/** Where n8n shows one text and no description: as somebody executes a Legal AI Trigger in the editor. */
export const triggerTexts = {
	publishThenAsk:
		'Publish this workflow, then ask: answers reach a published workflow only. To build the next steps with a real answer, open the execution that it starts and click "Copy to editor".',
} as const;

/** Where answers are sent to. */
export const callbackMessages = messages({
	workflowNotSaved:
		'This workflow has no address yet. Save and publish the workflow, then run it again.',
	webhookUrlNotPlain:
		'WEBHOOK_URL of your n8n instance is not a plain web address, so the Legal AI Trigger would not receive the answer, and the question was not asked. Ask whoever runs your n8n to correct it, e.g. to https://n8n.example.com/, with nothing behind the slash.',
	triggerUrlUnknown: `The URL of the Legal AI Trigger could not be determined. Your n8n instance does not use the default webhook addresses: ${PASTE_URL}.`,
	passAlongWithoutSecret:
		'"Pass Along" needs a "Webhook Secret" in the "Legal AI API" credential. The values travel in the callback address, encrypted with the secret. Enter it in the credential, or remove the values.',
	passAlongTooLong:
		'The values in "Pass Along" make the callback address <excess> characters too long. The address can have 1,500 characters. Pass along an ID instead of long texts, and look them up after the Legal AI Trigger.',
});

/** What is wrong with a signature, as the sender of a callback is told. */
export const signatureResponses = {
	missing: 'The Service-Signature header is missing.',
	malformed:
		'The Service-Signature header must have the form t=<unix_timestamp>,v1=<hex_signature>.',
	wrong: 'The signature does not match the body and the webhook secret of this receiver.',
	stale: 'The signature is more than 60 seconds old or in the future.',
	noSecret: 'This receiver has no webhook secret to check signatures with.',
} as const;

/** Added to the message about a file that the trigger could not download. */
export const triggerFileDetails = {
	retry:
		'This execution keeps the answer. Retry it from the list of executions within 24 hours to download the files again.',
	link: 'You can also see the answer at <url>.',
} as const;

/** What n8n answers the sender of a callback, and what it logs. */
export const callbackResponses = {
	accepted: 'Accepted.',
	listening: 'This trigger is listening.',
	logRejected: '<name> rejected a callback: <message>',
	logNotPassedAlong:
		'<name> could not read the values of "Pass Along" in the address of a callback, so "passed_along" is missing. The address was changed, or the webhook secret is another one.',
	logNotRecorded:
		'<name> could not tell whether a callback was already received, so it starts the workflow: <message>',
	logNotNoted:
		'<name> could not note what it is sending. If n8n is killed now, a retry may send it again: <message>',
	logSentNotKnown:
		'<name> could not find out what was sent before this retry, so it sends nothing: <message>',
	acceptedNotListening:
		'Accepted. This trigger does not listen for this event, so nothing was started.',
	acceptedDuplicate: 'Accepted. This callback was already received, so nothing was started.',
	logFailed: '<name> could not process a callback: <message>',
	failed: 'The callback could not be processed.',
	notWaiting: 'Accepted. This execution is not waiting for this question.',
	noted: 'Accepted. The execution waits for other answers.',
	resuming: 'Accepted. The execution continues.',
	noCredential: "The credential of this receiver can't be read. Select another one in n8n.",
	notObject: 'The body must be a JSON object.',
	tooLarge: 'The body is too large for a callback.',
	invalidId: 'The field "id" must be text.',
	invalidStatus: 'The field "status" must be one of: <statuses>.',
	invalidText: 'The field "<field>" must be text or null.',
	invalidAttachments: 'The field "attachments" must be a list of files or null.',
} as const;

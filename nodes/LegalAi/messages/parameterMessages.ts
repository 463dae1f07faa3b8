import { messages } from './template';

/** Values in the node's fields, checked before anything is sent. */
export const parameterMessages = messages({
	empty:
		'"<field>" is empty. Enter a value. If it comes from an earlier node, check that the field has a value there.',
	notText:
		'"<field>" is not text. Enter text. If it comes from an expression, check that the expression returns text and not a list or an object.',
	questionTooLong:
		'"Question" has <length> characters, <excess> more than the limit of 10,000. Shorten it, or send the long part as a file in "Attachments". The names of the playbook and the template, and the answer fields, count, too.',
	notNumber: '"<field>" must be a <kind> from <min> to <max>. Enter a <kind> in this range.',
	notLimit:
		'"<field>" must be a whole number of at least <min>. Enter how many results you want, e.g. 50, or turn on "Return All".',
	nameIsNumber:
		'"Field Name" can\'t be a whole number: <name>. Enter a name with a letter in it, e.g. clause <name>.',
	oneChoice: '"Choices" has only "<choice>". Enter at least two, separated by commas.',
	notUnique: '"<field>" has "<value>" twice. Remove one of them, or change it.',
	notBoolean:
		'"<field>" must be true or false. Turn it on or off, or use an expression that returns true or false.',
	notChoice: '"<field>" can\'t be "<value>". Use one of these values: <choices>.',
	notList:
		'"<field>" must be a list of words. Enter the words separated by commas, or use an expression that returns a list.',
	notJsonArray:
		'"<field>" must be a JSON array. Enter it in square brackets, e.g. [{ "type": "task", "id": "…" }].',
	notTextOrNumber:
		'"<field>" can\'t be <value>. Choose a value from the list, or enter text or a number.',
	notDate:
		'"<field>" is not a date: <value>. Choose a date, or enter one such as 2026-05-31, 2026-05-31T17:00 (both in the time zone of this workflow, <timezone>), 2026-05-31T17:00:00+02:00, the date of an email (Sun, 31 May 2026 17:00:00 +0200), or milliseconds since 1970.',
	notWebAddress: '"<field>" is not a web address. Enter the full address, beginning with https://.',
	fieldSetAndCleared:
		'"<field>" is both set and cleared. Remove it from "Update Fields" or from "Clear Fields".',
	fileNameForSeveral:
		'"<field>" can\'t be the same for <count> files. Remove the option, or enter the name of a single field in "Input Binary Field".',
	noBinaryField:
		'The item has no binary field "<field>". Its binary fields: <fields>. Enter one of them in "Input Binary Field", or check the node that outputs the files.',
	// Engine 2.0 keeps nothing but the message of what a node throws.
	engineCannotPause:
		'Engine 2.0 of n8n can\'t pause an execution to wait for answers: use "Ask" with a Legal AI Trigger, or turn off Engine 2.0 for this workflow. To try things out, choose "Sync" in "Wait Using".',
	engineCannotWait:
		'Engine 2.0 of n8n can\'t pause an execution to wait for answers: turn off Engine 2.0 for this workflow. To look without waiting, use "Get".',
	unknownOperation:
		'"<operation>" is not an operation of "<resource>". Choose an operation from the list.',
});

/** Advice that is added to other texts: below a field of the editor, or to a description. */
export const parameterDetails = {
	enterQuestionId:
		'Enter the ID from the output of the node that asked the question, e.g. {{ $json.id }}.',
	enterTask:
		'Choose a task from the list, or enter its ID, e.g. {{ $json.id }} from a node that outputs tasks.',
	enterUploadJob:
		'Enter the job_id from the output of the "Upload" operation of the "File" resource, or remove the attachment.',
	enterBinaryField:
		'Enter the name of the binary field that contains the file, e.g. data. Separate several names with commas.',
	enterWorkflow:
		'Enter the address or the ID of the workflow whose Legal AI Trigger receives the answer.',
	notUuid: "Enter the <of>'s ID, e.g. <example>, not <instead>.",
	skipFiles:
		'To leave out files that can\'t be sent, set "If a File Can\'t Be Sent" to "Skip the File".',
} as const;

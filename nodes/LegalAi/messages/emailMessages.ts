import { messages } from './template';

const OTHERS =
	'In the Gmail node or trigger, turn "Simplify" off and "Download Attachments" on. In Microsoft Outlook, set "Output" to "Raw" and turn "Download Attachments" on. In Email Trigger (IMAP), set "Format" to "Resolved".';

/** What comes in is no email, or not the whole of it. */
export const emailMessages = messages({
	gmailSimplified:
		'The email is simplified: its text and its files are missing. In the Gmail node or trigger before this one, turn "Simplify" off, and add the option "Download Attachments".',
	outlookSimplified:
		'The email is simplified: its text is missing. In the Microsoft Outlook node or trigger before this one, set "Output" to "Raw", and add the option "Download Attachments".',
	imapRaw:
		'The email came without its headers. In the Email Trigger (IMAP) before this one, set "Format" to "Resolved".',
	noEmail: `The input is no email. Connect a node that gives emails. ${OTHERS}`,
	noAddress:
		'"<field>" has a value that is no email address: <value>. Enter addresses such as legal@example.com, with commas between them.',
});

/** What the node adds to the text of an email. */
export const emailTexts = {
	/** Before the words of somebody who is not a colleague: they are material, and no instructions. */
	notColleague: 'From <sender>, who is not a colleague:',
	notColleagueUnknown: 'From an unknown sender, who is not a colleague:',
	/** The hint beside the output, with how many are what, and why. */
	oneEmail: '1 email: <parts>',
	emails: '<count> emails: <parts>',
	continued: '(The whole message is attached as <file>.)',
} as const;

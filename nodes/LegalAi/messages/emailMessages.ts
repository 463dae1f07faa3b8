import { messages } from './template';

/** What comes into a Legal AI Email node. */
export const emailMessages = messages({
	noEmail:
		'The input is not a complete email. In the Gmail node or trigger before this one, turn "Simplify" off and "Download Attachments" on. In Microsoft Outlook, set "Output" to "Raw" and turn "Download Attachments" on. In the Email Trigger (IMAP), set "Format" to "Resolved".',
});

/** What is added to the text of an email. */
export const emailTexts = {
	/** Before the words of others: they are material, and no instructions. */
	notColleague: 'From <sender>, who is not a colleague.',
	continued: 'The message continues in the attached file Message.txt.',
} as const;

import { BASE_URL, PROXY_CERTIFICATE } from './serviceMessages';
import type { MessageTemplate } from './template';

const NETWORK = 'n8n must be able to connect to the service\'s file storage. Check the network, firewall and proxy settings of the machine that runs n8n.';

const FRESH_LINK = 'use "Download" of the "File" resource with "Download From" set to "Question"';

/** Files, before they are sent. */
export const fileMessages = {
	unsupportedType: {
		message: 'The file in "<field>" has a type that the service can\'t read (<type>)',
		description: 'Send one of these types: <supported>. If the file is one of them, make sure that its name has the right extension, or set its content type.',
	},
	noContent: {
		message: 'The file in "<field>" has no content that n8n can read',
		description: 'If a Code node makes it, its "data" must be base64, e.g. from Buffer.from(text).toString("base64").',
	},
	noLongerStored: {
		message: 'The file in "<field>" is no longer available in n8n',
		description: 'It may have been deleted together with the execution it came from. Run the workflow again from the start.',
	},
	tooLarge: {
		message: 'The file in "<field>" is <size> MB, but the limit is 50 MB',
		description: 'Split or compress the file, or attach it through a public URL.',
	},
	noFileFound: {
		message: 'The item has no file to attach',
		description: 'Check that the node before this one outputs files, or set "If No File Is Found" to "Ask Anyway".',
	},
	tooManyAttachments: {
		message: 'There are <count> files in "Attachments"; a question can have at most <limit>',
		description: 'Remove some files, or send them as one ZIP archive with "Unzip" turned on.',
	},
} as const satisfies Record<string, MessageTemplate>;

/** While a file is uploaded, by the kind of the error. */
export const uploadMessages = {
	connectionFailed: { message: '<file> was not uploaded: could not connect to the file storage', description: NETWORK },
	tlsFailed: {
		message: '<file> was not uploaded: the file storage\'s certificate was not accepted',
		description: PROXY_CERTIFICATE,
	},
	outcomeUnknown: {
		message: 'The upload of <file> was interrupted',
		description: 'Several attempts were made. Run this item again in a few minutes.',
	},
	rejected: {
		message: 'The file storage did not accept <file>',
		description: 'Run this item again. If this keeps happening, send this message to the service\'s support team.',
	},
	addressNotAllowed: {
		message: '<file> was not uploaded: the service gave an address for it that is not allowed',
		description: `Check ${BASE_URL}. If it is right, send this message to the service's support team.`,
	},
} as const satisfies Record<string, MessageTemplate>;

/** While a file is downloaded, by the kind of the error. */
export const downloadMessages = {
	connectionFailed: { message: '<file> was not downloaded: could not connect to its address', description: NETWORK },
	tlsFailed: {
		message: '<file> was not downloaded: the certificate of its address was not accepted',
		description: `Check the address. ${PROXY_CERTIFICATE}`,
	},
	outcomeUnknown: {
		message: 'The download of <file> was interrupted',
		description: 'Several attempts were made. Run this item again in a few minutes.',
	},
	rejected: {
		message: '<file> was not downloaded: the server at its address rejected the request',
		description: `Check the address. For a file that came with an answer, ${FRESH_LINK}.`,
	},
	expired: {
		message: '<file> is not, or no longer, available at this address',
		description: `Download links of answers work for 24 hours. For a fresh one, ${FRESH_LINK}. Any other address must open without signing in.`,
	},
	fileTooLarge: {
		message: '<file> is larger than "Max File Size (MB)", so it was not downloaded',
		description: 'Increase "Max File Size (MB)" in the options, or open the file in the web app.',
	},
	addressNotAllowed: {
		message: '<file> was not downloaded: its address is not allowed',
		description: 'The address must begin with https://. It must not be localhost, or another address that only the machine itself can reach.',
	},
} as const satisfies Record<string, MessageTemplate>;

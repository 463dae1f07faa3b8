import { BASE_URL, PROXY_CERTIFICATE } from './serviceMessages';
import { messages } from './template';

const NETWORK =
	"n8n must be able to connect to the service's file storage. Check the network, firewall and proxy settings of the machine that runs n8n.";

const FRESH_LINK = 'use "Download" of the "File" resource with "Download From" set to "Question"';

/** Files, before they are sent. */
export const fileMessages = messages({
	unsupportedType:
		'The file in "<field>" has a type that the service can\'t read (<type>). Send one of these types: <supported>. If the file is one of them, make sure that its name has the right extension, or set its content type.',
	noContent:
		'The file in "<field>" has no content that n8n can read. If a Code node makes it, its "data" must be base64, e.g. from Buffer.from(text).toString("base64").',
	noLongerStored:
		'The file in "<field>" is no longer available in n8n. It may have been deleted together with the execution it came from. Run the workflow again from the start.',
	tooLarge:
		'The file in "<field>" is <size> MB, but the limit is 50 MB. Split or compress the file, or attach it through a public URL.',
	noFileFound:
		'The item has no file to attach. Check that the node before this one outputs files, or set "If No File Is Found" to "Ask Anyway".',
	tooManyAttachments:
		'There are <count> files in "Attachments"; a question can have at most <limit>. Remove some files, or send them as one ZIP archive with "Unzip" turned on.',
});

/** While a file is uploaded, by the kind of the error. */
export const uploadMessages = messages({
	connectionFailed: `<file> was not uploaded: could not connect to the file storage. ${NETWORK}`,
	tlsFailed: `<file> was not uploaded: the file storage's certificate was not accepted. ${PROXY_CERTIFICATE}`,
	outcomeUnknown:
		'The upload of <file> was interrupted. Several attempts were made. Run this item again in a few minutes.',
	rejected:
		"The file storage did not accept <file>. Run this item again. If this keeps happening, send this message to the service's support team.",
	addressNotAllowed: `<file> was not uploaded: the service gave an address for it that is not allowed. Check ${BASE_URL}. If it is right, send this message to the service's support team.`,
});

/** While a file is downloaded, by the kind of the error. */
export const downloadMessages = messages({
	connectionFailed: `<file> was not downloaded: could not connect to its address. ${NETWORK}`,
	tlsFailed: `<file> was not downloaded: the certificate of its address was not accepted. Check the address. ${PROXY_CERTIFICATE}`,
	outcomeUnknown:
		'The download of <file> was interrupted. Several attempts were made. Run this item again in a few minutes.',
	rejected: `<file> was not downloaded: the server at its address rejected the request. Check the address. For a file that came with an answer, ${FRESH_LINK}.`,
	expired: `<file> is not, or no longer, available at this address. Download links of answers work for 24 hours. For a fresh one, ${FRESH_LINK}. Any other address must open without signing in.`,
	fileTooLarge:
		'<file> is larger than "Max File Size (MB)", so it was not downloaded. Increase "Max File Size (MB)" in the options, or open the file in the web app.',
	addressNotAllowed:
		'<file> was not downloaded: its address is not allowed. The address must begin with https://. It must not be localhost, or another address that only the machine itself can reach.',
});

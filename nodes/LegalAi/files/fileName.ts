import { contentTypeOfExtension, extensionOfContentType } from './mediaTypes';

const LONGEST_NAME = 255;
/** Controls, halves of characters, line separators, and the marks that change the reading direction. */
const NOT_IN_NAMES = /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/** The last part of a path as a file name: without characters that it can't have, of at most 255. Empty if nothing remains. */
export function cleanFileName(path: string): string {
	const name = (
		path
			.split(/[/\\]/)
			.filter((part) => part.trim() !== '')
			.pop() ?? ''
	)
		.replace(NOT_IN_NAMES, '')
		.trim();
	return /^\.*$/.test(name) ? '' : shortened(name);
}

/** A file name's extension in lower case, without the dot; '' if it has none. */
export function extensionOf(fileName: string): string {
	return /\.([^.\s]{1,20})$/.exec(fileName.trim())?.[1]?.toLowerCase() ?? '';
}

/** The name that a file is sent under: cleaned, and with an extension of its content type if the service knows that. */
export function fileNameToSend(path: string, contentType: string): string {
	const name = cleanFileName(path);
	const whole = name === '' || /^\.[^.]*$/.test(name) ? `file${name}` : name;
	const [current, extension] = [extensionOf(whole), extensionOfContentType(contentType)];
	const typeOfCurrent = contentTypeOfExtension(current);
	if (extension === undefined || extensionOfContentType(typeOfCurrent ?? '') === extension)
		return shortened(whole);
	// An extension of another kind is wrong; any other may be a part of the name: "Contract v1.2".
	const stem = typeOfCurrent === undefined ? whole : whole.slice(0, -current.length - 1);
	return shortened(`${stem}.${extension}`);
}

function shortened(name: string): string {
	if (name.length <= LONGEST_NAME) return name;
	const extension = extensionOf(name);
	const ending = extension === '' ? '' : name.slice(-extension.length - 1);
	const stem = name.slice(0, LONGEST_NAME - ending.length).replace(/\p{Cs}/u, '');
	return `${stem.trimEnd()}${ending}`;
}

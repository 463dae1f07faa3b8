import type { Words } from './errors';
import type { FailureKind, FileSubject } from './failure';

type WordsForFile = (file: string) => Words;

const NETWORK = 'n8n must be able to open connections to the file store of the service too. Check the network, firewall and proxy of the machine that n8n runs on.';
const SHOW_SUPPORT = 'If it stays so, show the support of the service what the file store says.';

/** What is said of a file's way to or from the store behind presigned addresses, which knows no API key. */
const WORDS: Record<FileSubject, Partial<Record<FailureKind, WordsForFile>>> = {
	upload: {
		unreached: (file) => ({ message: `${file} was not sent: the file store could not be reached`, description: NETWORK }),
		untrusted: (file) => ({
			message: `${file} was not sent: the certificate of the file store was not accepted`,
			description: 'A proxy of your company may stand in between. If so, have its certificate added to n8n.',
		}),
		interrupted: (file) => ({
			message: `${file} did not get through to the file store`,
			description: 'It was sent again from its start several times. Run this item again in a few minutes.',
		}),
		refused: (file) => ({
			message: `The file store did not take ${file}`,
			description: `Run this item again. ${SHOW_SUPPORT}`,
		}),
	},
	download: {
		unreached: (file) => ({ message: `${file} was not fetched: its address could not be reached`, description: NETWORK }),
		untrusted: (file) => ({
			message: `${file} was not fetched: the certificate of its address was not accepted`,
			description: 'Check the address. Where a proxy of your company stands in between, have its certificate added to n8n.',
		}),
		interrupted: (file) => ({
			message: `${file} did not come through whole`,
			description: 'It was asked for several times. Run this item again in a few minutes.',
		}),
		refused: (file) => ({
			message: `${file} is not to be had at its address`,
			description:
				"Addresses of generated files are good for 24 hours. Download with 'Download From' set to 'Question', which asks for new ones.",
		}),
	},
};

/** The words for a failure on a file's way; undefined where the general ones will do. */
export function fileStoreWords(subject: FileSubject, kind: FailureKind, fileName?: string): Words | undefined {
	return WORDS[subject][kind]?.(fileName === undefined ? 'The file' : `'${fileName}'`);
}

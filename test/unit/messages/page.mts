import { catalog, type Entry } from './catalog.mts';
import { causesOf } from './causes.mts';

/** What the page says above the texts of each catalog, in the page's order. */
const SECTIONS: Readonly<Record<string, readonly [title: string, introduction?: string]>> = {
	credentialTexts: ['The test of the credential', 'Shown when the credential is saved, and when it is used for another address.'],
	credentialMessages: ['The credential'],
	parameterMessages: ['Fields of the node', 'Said before anything is sent.'],
	fileMessages: ['Files'],
	serviceMessages: ['The service, and the way to it'],
	responseDetails: ['What is wrong with a response', 'Shown after the message about it.'],
	serviceDetails: ['Added to these', 'Sentences that follow if they apply.'],
	callbackMessages: ['Callbacks'],
	triggerFileDetails: ['Files that the trigger could not download', 'Added to the message about the file.'],
	hints: ['Hints beside the output', 'Nothing has failed.'],
	singleHints: ['Hints about one item'],
	countedHints: ['Hints about several items'],
	callbackResponses: ['Responses to callbacks', 'What the sender of a callback is told, and the log if one is rejected.'],
};

const INTRODUCTION = `# Messages

Every message that the nodes can show, and what to do about it. Words in *italics* differ from case to case. A message
about one item ends in \`[item N]\`, counted from 0. One about a response of the service has its HTTP status and quotes
what the service said. This page is made from the sources: \`npm run docs\` writes it, and a test compares it.
`;

/** The page that lists every text of the catalog. */
export function messagesPage(): string {
	const unknown = catalog.find((entry) => SECTIONS[entry.catalog] === undefined);
	if (unknown !== undefined) throw new Error(`The page has no section for ${unknown.catalog}`);
	return [INTRODUCTION, ...Object.entries(SECTIONS).map(([name, words]) => section(name, words))].join('\n');
}

function section(name: string, [title, introduction]: readonly [string, string?]): string {
	const entries = catalog.filter((entry) => entry.catalog === name);
	const columns = columnsOf(entries);
	const lines = [
		`## ${title}`,
		'',
		...(introduction === undefined ? [] : [introduction, '']),
		row(columns.map(([header]) => header)),
		row(columns.map(() => '---')),
		...entries.map((entry) => row(columns.map(([, cell]) => cell(entry)))),
		'',
	];
	return lines.join('\n');
}

type Column = readonly [header: string, cell: (entry: Entry) => string];

/** Columns that would be empty are left out. */
function columnsOf(entries: readonly Entry[]): Column[] {
	const columns: Column[] = [
		['Message', ({ message }) => prose(message)],
		['What to do', ({ description }) => prose(description)],
		['When', causesOf],
	];
	return columns.filter(([, cell]) => entries.some((entry) => cell(entry) !== ''));
}

function row(cells: readonly string[]): string {
	return `| ${cells.join(' | ')} |`;
}

function prose(text: string): string {
	return text.trim().replaceAll('|', '\\|').replace(/<(\w+)>/g, (_placeholder, name: string) => `*${name.replaceAll('_', ' ')}*`);
}

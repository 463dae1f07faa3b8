import { catalog, type Entry } from './catalog.mts';
import { causesOf } from './causes.mts';

/** What the page says above the texts of each catalog, in the page's order. */
const SECTIONS: Record<string, [title: string, introduction?: string]> = {
	credentialTexts: [
		'Testing the credential',
		'Shown when you save the credential, publish a workflow that uses it, or use it for another address.',
	],
	credentialMessages: ['Fields of the credential'],
	parameterMessages: ['Fields of the node', 'Shown before anything is sent.'],
	parameterDetails: [
		'Further advice on fields',
		'Shown below a field, or added to a message if it applies.',
	],
	fileMessages: ['Files to send'],
	uploadMessages: ['Uploading files'],
	downloadMessages: ['Downloading files'],
	serviceMessages: ['Requests to the service'],
	responseDetails: [
		"Responses that can't be used",
		'Added to the message: what was found instead.',
	],
	serviceDetails: ['Further advice', 'Added to the messages above if it applies.'],
	triggerNotListening: ['Finding the Legal AI Trigger', 'The question was not asked.'],
	triggerProblems: ['Sending answers to a Legal AI Trigger', 'The question was not asked.'],
	triggerTexts: ['Executing a Legal AI Trigger in the editor'],
	callbackMessages: ['The address of a Legal AI Trigger'],
	triggerFileDetails: [
		'Downloading files in a Legal AI Trigger',
		'Added to the message about the file.',
	],
	taskWaitMessages: ['Waiting for the status of a task'],
	taskTriggerMessages: ['Checking for tasks in a Legal AI Task Trigger'],
	taskTriggerLog: ['What n8n logs of a Legal AI Task Trigger'],
	emailMessages: ['Preparing emails with the Legal AI Email node'],
	emailTexts: ['What the Legal AI Email node adds to the text of an email'],
	hints: ['Hints next to the output', 'Shown although nothing has failed.'],
	countedHints: ['Hints about items'],
	waitingTooltips: ['What a node says while it waits', 'Shown on the canvas.'],
	signatureResponses: [
		'Signatures of callbacks',
		'What n8n answers a sender whose signature is not accepted.',
	],
	callbackResponses: [
		'Responses to callbacks',
		'What n8n answers the service. If it rejects a callback, its log says so, too.',
	],
};

const INTRODUCTION = `# Messages

Every message that the nodes can show, and what to do about it: search this page for what you see in n8n. Words in *italics* differ
from case to case. A message about one item ends in \`[item N]\`, counted from 0. A message about a response of the service also has
its HTTP status, and quotes what the service said.
`;

/** The page that lists every text of the catalog. */
export function messagesPage(): string {
	const unknown = catalog.find((entry) => SECTIONS[entry.catalog] === undefined);
	if (unknown !== undefined) throw new Error(`The page has no section for ${unknown.catalog}`);
	return [
		INTRODUCTION,
		...Object.entries(SECTIONS).map(([name, words]) => section(name, words)),
	].join('\n');
}

function section(name: string, [title, introduction]: [string, string?]) {
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

type Column = [header: string, cell: (entry: Entry) => string];

/** Columns that would be empty are left out. */
function columnsOf(entries: Entry[]) {
	const columns: Column[] = [
		['Message', ({ message }) => prose(message)],
		['What to do', ({ description }) => prose(description)],
		['When', causesOf],
	];
	return columns.filter(([, cell]) => entries.some((entry) => cell(entry) !== ''));
}

function row(cells: string[]) {
	return `| ${cells.join(' | ')} |`;
}

function prose(text: string) {
	return text
		.trim()
		.replaceAll('|', '\\|')
		.replace(/<(\w+)>/g, (_placeholder, name: string) => `*${name.replaceAll('_', ' ')}*`);
}

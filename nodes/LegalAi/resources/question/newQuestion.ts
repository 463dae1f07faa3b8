import {
	type AcceptedRecord,
	askQuestion,
	inOutputOrder,
	listField,
	mapConcurrently,
	type QuestionBody,
	recordField,
	type SendingTurn,
	SERVICE_LIMITS,
	textField,
} from '../../api';
import type { ItemRun, Services } from '../../execution/itemRun';
import { CONCURRENT_FILES } from '../../files/binaryData';
import { countedHints, fillText, hints, invalidInput, parameterMessages } from '../../messages';
import {
	by,
	choice,
	collection,
	converted,
	emptiedByEditor,
	fromList,
	ifSet,
	locator,
	number,
	required,
	text,
	textIfAdded,
	YEAR,
	type ParametersOf,
	type Picked,
	type ValuesOf,
} from '../../parameters';
import { attachments, prepareAttachments, type PreparedAttachments } from './attachments';
import { assistant } from './questionReference';

/** What can be added to a question's text. */
const references = {
	playbook: locator('playbook', 'Playbook', {
		description: "The review playbook to use. Its name and ID are added to the question's text.",
		modes: [
			fromList('searchPlaybooks', 'Optional'),
			by('ID', 'e.g. 3b9e6a70-52c4-4d1f-a8b3-6f7e8d9c0b1a'),
			by('Name', 'e.g. Mutual NDA'),
		],
	}),
	template: locator('template', 'Template', {
		description: "The template to draft from. Its name and ID are added to the question's text.",
		modes: [
			fromList('searchTemplates', 'Optional'),
			by('ID', 'e.g. 6e219da3-85f7-4042-9be6-9ca1b02f3e4d'),
			by('Name', 'e.g. Consultancy Agreement'),
		],
	}),
};

/** What is asked. */
export const newQuestion = {
	words: required(
		text('question', 'Question', {
			typeOptions: { rows: 4 },
			placeholder: 'e.g. Which clauses of the attached contract deviate from our playbook?',
			hint: 'Try "Review this contract", "Redline this NDA" or "Draft an NDA"',
			description:
				'What you want to know or get done (up to 10,000 characters). For a review, a summary or a redline, attach the contract.',
		}),
	),
	attachments,
	...references,
};

/** What the body may have besides what is asked, and how the answer is sent. */
type OptionalFields = Omit<QuestionBody, 'question' | 'attachments' | keyof Delivery>;

/** How the answer is sent. */
type Delivery = Pick<QuestionBody, 'callback_url' | 'sync_mode'>;

/** Optional fields of a new question, by the API's names. */
const additionalFields = collection(
	'additionalFields',
	'Additional Fields',
	{ placeholder: 'Add Field' },
	{
		session_id: textIfAdded('sessionId', 'Session ID', {
			placeholder: 'e.g. {{ $json.session_id }}',
			description:
				'The session (conversation) to continue: "session_id" of an earlier question. The question is asked once the previous one in the session is answered.',
		}),
		permissions: converted(
			ifSet(
				choice(
					'visibility',
					'Visibility',
					{
						default: 'private',
						description: 'Who can see the session in the web app',
					},
					{
						organization: {
							name: 'Organization',
							description: 'Anyone in your organization',
						},
						private: { name: 'Private', description: 'Only the user of the API key' },
						public: { name: 'Public', description: 'Anyone with the link' },
					},
				),
			),
			(visibility) => visibility && { visibility },
		),
	} satisfies ParametersOf<OptionalFields>,
);

/** Who is asked, and in which session. */
export const recipient = { assistantId: assistant, additional: additionalFields };

const fail = { name: 'Fail the Item', description: 'The item fails before anything is asked' };

/** Options of asking, for the collection `options`. */
export const askOptions = {
	giveUpAfter: number(
		'giveUpAfter',
		'Max Time to Submit (Minutes)',
		{
			default: 60,
			description:
				'How long sending the questions of all items can take. The service accepts 60 new sessions per minute. With 0, each question is tried once.',
		},
		{ min: 0, max: YEAR },
	),
	noFileFound: choice(
		'noFileFound',
		'If No File Is Found',
		{
			default: 'ask',
			description: 'What to do with an item that has none of the files to attach',
		},
		{
			ask: {
				name: 'Ask Anyway',
				description: 'Ask the question without a file, and show a hint',
			},
			fail,
		},
	),
	unsupportedFiles: choice(
		'unsupportedFiles',
		"If a File Can't Be Sent",
		{
			default: 'fail',
			description:
				"What to do with files that the service can't read, or that are too large or too many",
		},
		{
			fail,
			skip: {
				name: 'Skip the File',
				description:
					'Ask without the file, and list it in "skipped_files". Of more than ten, documents are sent first.',
			},
		},
	),
};

/** How a new question takes its turn. */
export const asking = {
	session: ({ additional }: NewQuestion): string | undefined => additional.session_id ?? undefined,
	giveUpAfter: (options: { giveUpAfter: number }): number => options.giveUpAfter,
};

/** Output fields about the files that were sent with a question. */
export const sentFields = {
	attachments_sent: listField(textField),
	skipped_files: listField(recordField({ file_name: textField, reason: textField })),
};

type NewQuestion = ValuesOf<typeof newQuestion & typeof recipient>;

/** A question as its item asks for it, checked; nothing was sent yet. */
export interface PreparedQuestion {
	question: string;
	files: PreparedAttachments;
}

/**
 * Checks a question's text and attachments; sends nothing.
 *
 * @param more what the node adds to the text
 * @throws {InvalidInputError} if the text with all that is added is too long, or an attachment can't be sent
 */
export async function prepareQuestion(
	{ context }: Services,
	{ words, playbook, template, attachments: entries }: ValuesOf<typeof newQuestion>,
	options: Pick<ValuesOf<typeof askOptions>, 'noFileFound' | 'unsupportedFiles'>,
	more?: string,
): Promise<PreparedQuestion> {
	const question = [
		words,
		reference('Use the playbook', playbook),
		reference('Draft from the template', template),
		more,
	]
		.filter((part) => part !== undefined)
		.join('\n\n');
	const { length } = Array.from(question);
	const excess = length - SERVICE_LIMITS.questionCharacters;
	if (excess > 0) {
		const shown = (count: number): string => count.toLocaleString('en-US');
		throw invalidInput(parameterMessages.questionTooLong, {
			length: shown(length),
			excess: shown(excess),
		});
	}
	return { question, files: await prepareAttachments(context.helpers, entries, options) };
}

/** What tells a question from others: its files by their names, since they are uploaded anew. */
export function contentOf(
	{ assistantId, additional }: NewQuestion,
	{ question, files }: PreparedQuestion,
): unknown {
	return [assistantId, question, additional, namesOf(files)];
}

function namesOf({ attachments }: PreparedAttachments): string[] {
	return attachments.map(({ file }) => file.fileName);
}

/** Sends the attachments and the question, once only. Returns the question as the service accepted it. */
export async function submitQuestion(
	item: ItemRun,
	values: NewQuestion,
	prepared: PreparedQuestion,
	delivery: Delivery,
	turn: SendingTurn,
): Promise<AcceptedRecord> {
	const { assistantId, attachments: entries, additional } = values;
	const { question, files } = prepared;
	const notes: Note[] = [];
	const session_id = additional.session_id ?? undefined;
	if (additional.session_id === null) notes.push('newSession');
	// A session that is continued may have the file already.
	const hasFile = Object.keys(item.item.binary ?? {}).length > 0;
	if (hasFile && session_id === undefined && entries.length === 0) notes.push('fileNotAttached');
	if (files.isMissingFiles && files.attachments.length === 0) notes.push('noFile');
	const ask = async (beforeSending: () => Promise<void>): Promise<AcceptedRecord> => {
		const sent = await mapConcurrently(
			files.attachments,
			CONCURRENT_FILES,
			async ({ send }) => await send(item),
		);
		const body: QuestionBody = {
			question,
			attachments: sent.length === 0 ? undefined : sent,
			...additional,
			session_id,
			...delivery,
		};
		const asked = await askQuestion(item.client, assistantId, body, { ...turn, beforeSending });
		return inOutputOrder({
			...asked,
			...(sent.length > 0 && { attachments_sent: namesOf(files) }),
			...(files.skipped.length > 0 && { skipped_files: files.skipped }),
		});
	};
	return await item.sendOnce(contentOf(values, prepared), ask, notes);
}

/** What was probably meant to go with a question: an earlier session, or the item's file. */
type Note = 'newSession' | 'fileNotAttached' | 'noFile';

/** Hints at what was probably meant to go with the question, and at what the editor emptied. */
export function hintAtInput({ context, notes, count, hint }: ItemRun): void {
	const has = (note: Note): boolean => notes.includes(note);
	if (has('newSession')) count(countedHints.newSession);
	if (has('fileNotAttached')) hint(hints.fileNotAttached);
	if (has('noFile')) count(countedHints.askedWithoutFile);
	const emptied = emptiedByEditor(
		context.getNode().parameters,
		assistant,
		references.playbook,
		references.template,
	);
	for (const field of emptied) hint(fillText(hints.emptiedByEditor, { field }));
}

/** A playbook or template as a sentence of the question: by name and ID, as far as they are known. */
function reference(sentence: string, picked: Picked | undefined): string | undefined {
	if (picked === undefined) return undefined;
	const { id, name } = picked;
	if (id === undefined) return `${sentence} "${name}".`;
	return name === undefined
		? `${sentence} with the id ${id}.`
		: `${sentence} "${name}" (id: ${id}).`;
}

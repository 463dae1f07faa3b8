import { isRecord, textOrNull } from '../../api/json';
import type { QuestionBody } from '../../api/question';
import { planAttachments } from '../../files/attachments';
import type { Run } from '../../operation';
import { readText, refusal } from '../../parameters';

const LONGEST_QUESTION = 10_000;

/** A question as its item asks for it, read and checked. */
export interface PlannedQuestion {
	assistantId: string;
	sessionId: string | undefined;
	/** Uploads the attachments and gives the body to send. */
	prepare: () => Promise<QuestionBody>;
}

/**
 * Reads an item's question with its attachments, references and additional fields; sends nothing.
 *
 * @throws {NodeOperationError} where the question is missing or, with its references, longer than 10,000 characters
 */
export async function planQuestion(run: Run, itemIndex: number): Promise<PlannedQuestion> {
	const words = readText(run, 'question', itemIndex);
	if (words === '') {
		throw refusal(
			run,
			itemIndex,
			"'Question' is empty",
			'Enter what you want to know. If it comes from an earlier node, check that the field there has a value.',
		);
	}

	const question = [
		words,
		reference(run, itemIndex, 'playbook', 'Use the playbook'),
		reference(run, itemIndex, 'template', 'Draft from the template'),
	]
		.filter((part) => part !== '')
		.join('\n\n');
	const length = Array.from(question).length;
	if (length > LONGEST_QUESTION) {
		throw refusal(
			run,
			itemIndex,
			`'Question' has ${length.toLocaleString('en')} characters, and the service takes 10,000`,
			"Shorten it, or send the long part as a file in 'Attachments'. The names of a playbook and template count too.",
		);
	}

	const sessionId = readText(run, 'additionalFields.sessionId', itemIndex) || undefined;
	const visibility = readText(run, 'additionalFields.visibility', itemIndex) || undefined;
	const attachments = await planAttachments(run, itemIndex);
	return {
		assistantId: readAssistantId(run, itemIndex),
		sessionId,
		prepare: async () => {
			const uploaded = await attachments.upload();
			return {
				question,
				...(uploaded.length === 0 ? {} : { attachments: uploaded }),
				...(sessionId === undefined ? {} : { session_id: sessionId }),
				...(visibility === undefined ? {} : { permissions: { visibility } }),
			};
		},
	};
}

/** The assistant chosen for an item. */
export function readAssistantId(run: Run, itemIndex: number): string {
	const assistantId = readText(run, 'assistantId', itemIndex);
	if (assistantId !== '') return assistantId;
	throw refusal(
		run,
		itemIndex,
		"'Assistant' is empty",
		'Choose one from the list, or enter the ID default for the general assistant.',
	);
}

/** A playbook or template as a sentence of the question: by name and id, as far as they are known. */
function reference(run: Run, itemIndex: number, kind: 'playbook' | 'template', sentence: string): string {
	const value = readText(run, `additionalFields.${kind}`, itemIndex);
	if (value === '') return '';

	const locator: unknown = run.context.getNodeParameter(`additionalFields.${kind}`, itemIndex, '');
	if (isRecord(locator) && locator.mode === 'name') return `${sentence} "${value}".`;
	const name = isRecord(locator) ? textOrNull(locator.cachedResultName) : null;
	return name === null ? `${sentence} with the id ${value}.` : `${sentence} "${name}" (id: ${value}).`;
}

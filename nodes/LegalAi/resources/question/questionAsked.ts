import { isRecord, textOrNull } from '../../api/json';
import { isTerminal, QUESTION_STATUSES, readQuestion, type Question } from '../../api/question';
import type { Run } from '../../operation';
import { readText, refusal } from '../../parameters';
import { readAssistantId } from './questionBody';

/** A question that was asked before, as an item names it. */
export interface QuestionAsked {
	assistantId: string;
	questionId: string;
	/** The question as the input item carries it, where the item is that very question and nothing more can become of it. */
	answered: Question | undefined;
}

/**
 * Reads which question an item is about. An input item that is this question itself (it came out of `ask` or
 * `askAndWait`) knows its assistant, which then goes before the field 'Assistant'.
 *
 * @throws {NodeOperationError} where 'Question ID' is empty
 */
export function readQuestionAsked(run: Run, itemIndex: number): QuestionAsked {
	const questionId = readText(run, 'questionId', itemIndex);
	if (questionId === '') {
		throw refusal(
			run,
			itemIndex,
			"'Question ID' is empty",
			'Enter the ID that came out when the question was asked, e.g. {{ $json.id }} of the node that asked it.',
		);
	}

	const item: unknown = run.context.getInputData()[itemIndex]?.json;
	const itself = isRecord(item) && item.id === questionId ? item : undefined;
	const itsAssistant = textOrNull(itself?.assistant_id);
	const assistantId = itsAssistant ?? readAssistantId(run, itemIndex);
	return { assistantId, questionId, answered: answeredBy(itself, itsAssistant) };
}

function answeredBy(item: unknown, assistantId: string | null): Question | undefined {
	const known = isRecord(item) && QUESTION_STATUSES.some((status) => status === item.status);
	if (!known || assistantId === null) return undefined;
	const question = readQuestion(item, assistantId);
	return isTerminal(question) ? question : undefined;
}

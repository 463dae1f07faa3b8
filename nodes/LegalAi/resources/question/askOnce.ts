import { askQuestion, type Question, type QuestionBody } from '../../api/question';
import type { Run } from '../../operation';
import type { PlannedQuestion } from './questionBody';

/** What each execution of a node has asked already, by item; n8n hands out the same execute data for every try. */
const asked = new WeakMap<object, Map<number, Question>>();

/**
 * Asks an item's question, once and once only: where n8n runs the node again because of "Retry On Fail", a
 * question that was accepted in an earlier try is not asked a second time.
 */
export async function askOnce(
	run: Run,
	itemIndex: number,
	planned: PlannedQuestion,
	extra: Pick<QuestionBody, 'callback_url' | 'sync_mode'>,
	deadline: number,
): Promise<Question> {
	const execution = run.context.getExecuteData();
	const accepted = asked.get(execution) ?? new Map<number, Question>();
	asked.set(execution, accepted);

	const before = accepted.get(itemIndex);
	if (before !== undefined) return before;
	const body = await planned.prepare();
	const question = await askQuestion(run.client, planned.assistantId, { ...body, ...extra }, deadline);
	accepted.set(itemIndex, question);
	return question;
}

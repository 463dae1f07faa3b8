import { askQuestion, type Question, type QuestionBody } from '../../api/question';
import type { Run } from '../../operation';
import { isAgentTool } from '../../run';
import type { PlannedQuestion } from './questionBody';

/** What each execution of a node has asked already, by item. */
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
	const execution = sameForEveryTry(run);
	const accepted = asked.get(execution) ?? new Map<number, Question>();
	asked.set(execution, accepted);

	const before = accepted.get(itemIndex);
	if (before !== undefined) return before;
	const body = await planned.prepare();
	const question = await askQuestion(run.client, planned.assistantId, { ...body, ...extra }, deadline);
	accepted.set(itemIndex, question);
	return question;
}

/**
 * What n8n hands out anew for each execution of a node, and again for each try of it. A tool may be called many
 * times with the one execute data of its agent: there, each call has arguments of its own.
 */
function sameForEveryTry({ context }: Run): object {
	const [call] = isAgentTool(context.getNode()) ? context.getInputData() : [];
	return call?.json ?? context.getExecuteData();
}

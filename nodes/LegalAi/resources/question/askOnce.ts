import { askQuestion, type Question, type QuestionBody } from '../../api/question';
import { oncePerItem } from '../../oncePerItem';
import type { Run } from '../../operation';
import type { PlannedQuestion } from './questionBody';

const once = oncePerItem<Question>();

/** Asks an item's question, once and once only. */
export async function askOnce(
	run: Run,
	itemIndex: number,
	planned: PlannedQuestion,
	extra: Pick<QuestionBody, 'callback_url' | 'sync_mode'>,
	deadline: number,
): Promise<Question> {
	return await once(run, itemIndex, async () => {
		const body = await planned.prepare();
		return await askQuestion(run.client, planned.assistantId, { ...body, ...extra }, deadline);
	});
}

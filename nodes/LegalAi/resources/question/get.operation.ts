import { fetchLatest, questionFields, things } from '../../api';
import { defineOperation } from '../../execution/operation';
import { optionsOf } from '../../parameters';
import { answerItem, answerOptions, resultForTools } from './answerItem';
import { questionReference } from './questionReference';

/** GET a question as it stands now. */
export const get = defineOperation({
	option: {
		name: 'Get',
		action: 'Get question with its answer',
		description: "Get a question's current status and answer, without waiting",
	},
	toolDescription: `Get the current status and answer of a question asked earlier. If there is no answer yet, try again after a minute: answers usually take 2 to 5 minutes. In the result, ${resultForTools}`,
	parameters: { question: questionReference, options: optionsOf(answerOptions) },
	output: questionFields(),
	execute: async (item, { question: { assistant_id, id }, options }) => {
		const question = await fetchLatest(item.client, things.question, { assistant_id, id });
		item.found(question);
		return [await answerItem(item, question, options)];
	},
});

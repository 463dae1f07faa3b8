import { getQuestion, questionFields } from '../../api/questions';
import { defineOperation } from '../../execution/operation';
import { collection } from '../../parameters/collection';
import { answerItem, answerOptions } from './answerItem';
import { questionReference } from './questionReference';

/** GET a question as it stands now. */
export const get = defineOperation({
	option: {
		name: 'Get',
		value: 'get',
		action: 'Get question with its answer',
		description: "Get a question's current status and answer, without waiting",
	},
	parameters: {
		question: questionReference,
		options: collection({ displayName: 'Options', name: 'options', placeholder: 'Add Option' }, answerOptions),
	},
	output: questionFields(),
	execute: async (item, { question: { assistantId, questionId }, options }) => [
		await answerItem(item, await getQuestion(item.client, assistantId, questionId), options),
	],
});

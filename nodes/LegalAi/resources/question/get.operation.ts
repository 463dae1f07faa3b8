import { getQuestion } from '../../api/question';
import { assistantLocator } from '../../lookups/locators';
import type { Operation } from '../../operation';
import { answerItem, readAnswerOptions } from './answer';
import { answerOptions, questionId } from './fields';
import { readQuestionAsked } from './questionAsked';

/** GET a question as it stands now. */
export const get: Operation = {
	option: {
		name: 'Get',
		value: 'get',
		action: 'Get question with its answer',
		description: 'Look up how a question stands and what was answered, without waiting',
	},
	fields: [assistantLocator, questionId, answerOptions],
	plan: (run, itemIndex) => {
		const { context, client } = run;
		const asked = readQuestionAsked(run, itemIndex);
		const options = readAnswerOptions(context.getNodeParameter('options', itemIndex, {}));
		return {
			perform: async () => {
				const question = await getQuestion(client, asked.assistantId, asked.questionId);
				return [await answerItem(context, client, question, options)];
			},
		};
	},
};

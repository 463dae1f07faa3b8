import { getQuestion, pollUntilTerminal } from '../../api/question';
import { assistantLocator } from '../../lookups/locators';
import type { Operation } from '../../operation';
import { answerItem, readAnswerOptions } from './answer';
import { answerOptions, maxWait, questionId } from './fields';
import { readMaxWaitMs } from './maxWait';
import { readQuestionAsked } from './questionAsked';

/** Waits for questions asked before. Those answered already pass straight through, without a request. */
export const waitForAnswer: Operation = {
	option: {
		name: 'Wait for Answer',
		value: 'waitForAnswer',
		action: 'Wait for answer to question',
		description: 'Look up a question again and again until it is answered. Items that are answered already pass through.',
	},
	fields: [assistantLocator, questionId, maxWait, answerOptions],
	plan: (run, itemIndex) => {
		const { context, client } = run;
		const asked = readQuestionAsked(run, itemIndex);
		const maxWaitMs = readMaxWaitMs(run, itemIndex);
		const options = readAnswerOptions(context.getNodeParameter('options', itemIndex, {}));
		const item = context.getInputData()[itemIndex];
		return {
			perform: async () => {
				if (asked.answered !== undefined) {
					return item?.binary === undefined
						? [await answerItem(context, client, asked.answered, options)]
						: [{ json: asked.answered, binary: item.binary }];
				}
				const deadline = Date.now() + maxWaitMs;
				const now = await getQuestion(client, asked.assistantId, asked.questionId);
				const question = await pollUntilTerminal(client, now, deadline);
				return [await answerItem(context, client, question, options)];
			},
		};
	},
};

import { ApiError } from '../../api/errors';
import { getQuestion, isFinal, questionFields } from '../../api/questions';
import { countedHints } from '../../messages/hints';
import { optionsOf } from '../../parameters/collection';
import { CHECK_TIMEOUT_MS } from '../../waiting/checkQuestion';
import { defineWaitingOperation } from '../../waiting/waitingOperation';
import { answerItem, answerOptions, resultForTools } from './answerItem';
import { maxWait, timedOutField } from './maxWait';
import { questionReference } from './questionReference';

const MINUTE_MS = 60_000;

/** Waits for questions asked before. Those answered already pass through, without a request. */
export const waitForAnswer = defineWaitingOperation({
	option: {
		name: 'Wait for Answer',
		value: 'waitForAnswer',
		action: 'Wait for answer to question',
		description: 'Wait until a question asked earlier is answered',
	},
	toolDescription: `Wait for the answer to a question asked earlier. Answers usually take 2 to 5 minutes. In the result, ${resultForTools} "timed_out" is true if no answer arrived in time.`,
	parameters: { question: questionReference },
	options: optionsOf({ ...answerOptions, maxWait }),
	output: questionFields(timedOutField),
	limits: (options) => ({ maxWait: options.maxWait, giveUpAfter: 0 }),
	channel: () => ({ kind: 'checks' }),
	begin: async ({ client }, { values: { question }, options }) => {
		const { known, assistantId, questionId } = question;
		if (known !== undefined && isFinal(known)) return known;
		const deadline = Date.now() + Math.max(options.maxWait * MINUTE_MS, CHECK_TIMEOUT_MS);
		return await getQuestion(client, assistantId, questionId, deadline).catch((error: unknown) => {
			// A question that was asked a moment ago may not be known everywhere at the service yet.
			if (known !== undefined && error instanceof ApiError && error.details.status === 404) return known;
			throw error;
		});
	},
	finish: async (item, question, options) => {
		if (question.timed_out === true) item.count(countedHints.timedOut);
		return await answerItem(item, question, options);
	},
});

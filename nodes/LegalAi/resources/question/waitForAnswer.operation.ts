import { timedOutField } from '../../api/fields';
import {
	getQuestion,
	isFinal,
	OPEN_STATUS,
	questionFields,
	readQuestion,
} from '../../api/questions';
import { isInEngine2 } from '../../execution/ledgerStorage';
import { countedHints } from '../../messages/hints';
import { parameterMessages } from '../../messages/parameterMessages';
import { invalidInput } from '../../messages/template';
import { optionsOf } from '../../parameters/collection';
import { defineSendingOperation } from '../../waiting/sendingOperation';
import { answerItem, answerOptions, resultForTools } from './answerItem';
import { forQuestion, keptQuestion, latestQuestion, maxWait } from './checkQuestion';
import { questionReference } from './questionReference';

/** Waits for questions asked before. Those answered already pass through, without a request. */
export const waitForAnswer = defineSendingOperation({
	option: {
		name: 'Wait for Answer',
		action: 'Wait for answer to question',
		description: 'Wait until a question asked earlier is answered',
	},
	toolDescription: `Wait for the answer to a question asked earlier. Answers usually take 2 to 5 minutes. In the result, ${resultForTools} "timed_out" is true if no answer arrived in time.`,
	parameters: { question: questionReference },
	options: optionsOf({ ...answerOptions, maxWait }),
	output: questionFields(timedOutField),
	begin: async (item, { values: { question }, options }) => {
		const { known, assistantId, questionId } = question;
		if (known !== undefined && isFinal(known)) return known;
		if (options.maxWait === 0) return await getQuestion(item.client, assistantId, questionId);
		// A question that was asked a moment ago may not be known everywhere at the service yet.
		const open = known ?? readQuestion({ id: questionId, status: OPEN_STATUS }, assistantId);
		return await latestQuestion(item, open, known === undefined ? Infinity : 0);
	},
	...keptQuestion,
	wait: {
		...forQuestion,
		maxWait: (options) => options.maxWait,
		chooseChannel: () => ({ kind: 'polling' }),
	},
	finish: async (item, question, options, isTimedOut) => {
		if (isTimedOut && isInEngine2(item.context))
			throw invalidInput(parameterMessages.engineCannotWait);
		if (isTimedOut) item.count(countedHints.timedOut);
		return await answerItem(item, question, options);
	},
});

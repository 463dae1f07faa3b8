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
		const { status, answer } = known;
		if (typeof status === 'string' && typeof answer === 'string' && isFinal({ status }))
			return readQuestion(known, assistantId);
		if (options.maxWait === 0) return await getQuestion(item.client, assistantId, questionId);
		const asked = { ...known, id: questionId, status: OPEN_STATUS, answer: null };
		// A question that was asked a moment ago may not be known everywhere at the service yet.
		const ageMs = known.id === undefined ? Infinity : 0;
		return await latestQuestion(item, readQuestion(asked, assistantId), ageMs);
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

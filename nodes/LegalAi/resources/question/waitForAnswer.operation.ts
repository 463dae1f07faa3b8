import { fetchLatest, outcomeOf, questionFields, things, timedOutField } from '../../api';
import { isInEngine2 } from '../../execution/ledgerStorage';
import { countedHints, invalidInput, parameterMessages, waitingTooltips } from '../../messages';
import { optionsOf } from '../../parameters';
import { latestOf } from '../../waiting/latest';
import { defineSendingOperation } from '../../waiting/sendingOperation';
import { answerItem, answerOptions, maxWait, resultForTools } from './answerItem';
import { questionReference } from './questionReference';

/** Waits for questions asked before. Those answered already pass through, without a request. */
export const waitForAnswer = defineSendingOperation({
	thing: things.question,
	waitingTooltip: waitingTooltips.waitingForAnswer,
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
		const { known, ...reference } = question;
		if (known !== undefined && outcomeOf(known.status) && typeof known.answer === 'string')
			return things.question.read(known, reference);
		const asked = things.question.unanswered({ ...known, ...reference });
		if (options.maxWait === 0) return await fetchLatest(item.client, things.question, asked);
		// A question that was asked a moment ago may not be known everywhere at the service yet.
		return await latestOf(item, things.question, asked, known === undefined ? Infinity : 0);
	},
	wait: {
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

import { questionFields, things } from '../../api';
import { waitingTooltips } from '../../messages';
import { optionsOf } from '../../parameters';
import { defineSendingOperation } from '../../waiting/sendingOperation';
import { answerItem, answerOptions, resultForTools } from './answerItem';
import {
	asking,
	askOptions,
	contentOf,
	hintAtInput,
	newQuestion,
	prepareQuestion,
	recipient,
	sentFields,
	submitQuestion,
} from './newQuestion';
import { callback, callbackAddress, ensureTriggerAccepts, passAlong } from './sendAnswerTo';

/** Asks without waiting; the answer goes to a Legal AI Trigger, to another address, or is fetched later. */
export const ask = defineSendingOperation({
	thing: things.question,
	waitingTooltip: waitingTooltips.sendingQuestions,
	option: {
		name: 'Ask',
		action: 'Ask legal question without waiting',
		description:
			'Ask a legal question without waiting for the answer. Receive it in a Legal AI Trigger, or get it later.',
	},
	toolDescription: `Ask the legal AI service a question without waiting for the answer, which usually takes 2 to 5 minutes. In the result, ${resultForTools}`,
	parameters: { ...newQuestion, callback, passAlong, ...recipient },
	options: optionsOf({ ...answerOptions, ...askOptions }),
	output: questionFields(sentFields),
	prepare: async (services, values, options) => ({
		question: await prepareQuestion(services, values, options),
		address: await callbackAddress(services, values),
	}),
	...asking,
	content: ({ values, prepared }) => contentOf(values, prepared.question),
	begin: async (item, { values, prepared: { question, address } }, turn) => {
		if (address !== undefined) await ensureTriggerAccepts(item, address);
		return await submitQuestion(item, values, question, { callback_url: address?.url }, turn);
	},
	finish: async (item, question, options) => {
		hintAtInput(item);
		return await answerItem(item, question, options);
	},
});

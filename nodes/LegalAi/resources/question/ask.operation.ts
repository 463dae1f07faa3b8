import { questionFields } from '../../api/questions';
import { defineOperation } from '../../execution/operation';
import { optionsOf } from '../../parameters/collection';
import { answerItem, answerOptions, resultForTools } from './answerItem';
import { callback, callbackAddress, ensureTriggerAccepts, passAlong } from './callback';
import {
	additionalFields,
	askOptions,
	hintAtInput,
	newQuestion,
	prepareQuestion,
	sentFields,
	submitQuestion,
} from './newQuestion';

const MINUTE_MS = 60_000;

/** Asks without waiting; the answer goes to a Legal AI Trigger, to another address, or is fetched later. */
export const ask = defineOperation({
	option: {
		name: 'Ask',
		value: 'ask',
		action: 'Ask legal question without waiting',
		description: 'Ask a legal question without waiting for the answer. Receive it in a Legal AI Trigger, or get it later.',
	},
	toolDescription: `Ask the legal AI service a question without waiting for the answer, which usually takes 2 to 5 minutes. In the result, ${resultForTools}`,
	parameters: {
		...newQuestion,
		callback,
		passAlong,
		additional: additionalFields,
		options: optionsOf({ ...answerOptions, ...askOptions }),
	},
	output: questionFields(sentFields),
	prepare: async (services, values) => ({
		question: await prepareQuestion(services, values, values.options),
		address: await callbackAddress(services, values),
		askUntil: Date.now() + values.options.giveUpAfter * MINUTE_MS,
	}),
	concurrencyKey: ({ additional }) => additional.sessionId ?? undefined,
	execute: async (item, values, { question, address, askUntil }) => {
		if (address !== undefined) await ensureTriggerAccepts(item, address);
		const delivery = { callback_url: address?.url };
		const asked = await submitQuestion(item, values, question, delivery, { askUntil });
		hintAtInput(item);
		return [await answerItem(item, asked, values.options)];
	},
});

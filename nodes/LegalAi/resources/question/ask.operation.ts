import { callbackTargetFields, ensureTriggerListens, planCallbackTarget } from '../../callbacks/target';
import { attachmentsField } from '../../files/attachments';
import { assistantLocator } from '../../lookups/locators';
import type { Operation } from '../../operation';
import { answerItem, readAnswerOptions } from './answer';
import { askOnce } from './askOnce';
import { additionalFields, answerOptions, questionText } from './fields';
import { planQuestion } from './questionBody';

/** How long a session may stay busy with its previous question before the next one gives up, in ms. */
const SESSION_PATIENCE_MS = 30 * 60_000;

/** Asks and goes on at once; the answer comes to a Legal AI Trigger, to another address, or is looked up later. */
export const ask: Operation = {
	option: {
		name: 'Ask',
		value: 'ask',
		action: 'Ask legal question',
		description: 'Ask a legal question and go on without its answer, which a Legal AI Trigger or a later look-up brings',
	},
	fields: [assistantLocator, questionText, attachmentsField, ...callbackTargetFields, additionalFields, answerOptions],
	plan: async (run, itemIndex) => {
		const { context, client } = run;
		const planned = await planQuestion(run, itemIndex);
		const callbackUrl = planCallbackTarget(run, itemIndex);
		const options = readAnswerOptions(context.getNodeParameter('options', itemIndex, {}));
		return {
			lane: planned.sessionId,
			perform: async () => {
				if (callbackUrl !== undefined) await ensureTriggerListens(run, callbackUrl);
				const extra = callbackUrl === undefined ? {} : { callback_url: callbackUrl };
				const question = await askOnce(run, itemIndex, planned, extra, Date.now() + SESSION_PATIENCE_MS);
				return [await answerItem(context, client, question, options)];
			},
		};
	},
};

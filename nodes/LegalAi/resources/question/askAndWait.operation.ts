import { isOutOfReach } from '../../api/reach';
import { questionFields } from '../../api/questions';
import type { Services } from '../../execution/itemRun';
import { readRunOption } from '../../execution/itemScope';
import { resumeAddress } from '../../execution/resumeAddress';
import { countedHints, hints } from '../../messages/hints';
import { fillText } from '../../messages/template';
import { choice } from '../../parameters/choice';
import { optionsOf } from '../../parameters/collection';
import { displayedIf, notForTools } from '../../parameters/parameter';
import { defineSendingOperation, type AnswerChannel } from '../../waiting/sendingOperation';
import { answerItem, answerOptions, resultForTools } from './answerItem';
import { forQuestion, keptQuestion } from './checkQuestion';
import { maxWait, timedOutField } from './maxWait';
import {
	additionalFields,
	askOptions,
	hintAtInput,
	newQuestion,
	prepareQuestion,
	sentFields,
	submitQuestion,
} from './newQuestion';

const waitUsing = choice(
	{
		displayName: 'Wait Using',
		name: 'waitUsing',
		noDataExpression: true,
		default: 'callback',
		description: 'How the node finds out that the answer is ready',
	},
	[
		{
			name: 'Callback',
			value: 'callback',
			description: 'Pause the execution until the service calls back. Frees the worker.',
		},
		{
			name: 'Polling',
			value: 'polling',
			description: "Keep checking for the answer. Works if the service can't reach your n8n instance.",
		},
		{ name: 'Sync', value: 'sync', description: 'Wait within the request, up to 30 seconds. For trying things out.' },
	],
);

/** Asks and outputs the answer: paused until it is ready, or within the request itself. */
export const askAndWait = defineSendingOperation({
	option: {
		name: 'Ask and Wait',
		value: 'askAndWait',
		action: 'Review contract or ask legal question',
		description: 'Ask a legal question, or have a contract reviewed, redlined or drafted. The answer takes 2 to 5 minutes.',
	},
	toolDescription: `Ask the legal AI service a question, e.g. to review, redline, summarize or draft a contract, and get the answer. This usually takes 2 to 5 minutes, so ask everything at once. In the result, ${resultForTools} "timed_out" is true if no answer arrived in time.`,
	parameters: { ...newQuestion, additional: additionalFields },
	options: optionsOf({
		...answerOptions,
		...askOptions,
		maxWait: displayedIf({ hide: { waitUsing: ['sync'] } }, maxWait),
		waitUsing: notForTools(waitUsing),
	}),
	output: questionFields({ ...sentFields, ...timedOutField }),
	prepare: async (services, values, options) => await prepareQuestion(services, values, options),
	sends: 'question',
	session: ({ additional }) => additional.sessionId ?? undefined,
	giveUpAfter: (options) => options.giveUpAfter,
	begin: async (item, { values, prepared }, turn, channel) => {
		const delivery = { sync_mode: channel.kind === 'sync' || undefined, callback_url: channel.callbackUrl };
		return await submitQuestion(item, values, prepared, delivery, turn);
	},
	...keptQuestion,
	wait: {
		...forQuestion,
		maxWait: (options) => (options.waitUsing === 'sync' ? 0 : options.maxWait),
		chooseChannel,
	},
	finish: async (item, question, options, isTimedOut) => {
		if (isTimedOut) {
			if (options.waitUsing === 'sync') item.hint(hints.syncTookTooLong);
			else item.count(countedHints.timedOut);
		}
		hintAtInput(item);
		return await answerItem(item, question, options, isTimedOut);
	},
});

/** By callback if that is wanted, and n8n and the service can do it; else the node checks by itself. */
function chooseChannel({ context, client, hint }: Services, canPark: boolean): AnswerChannel {
	const chosen = readRunOption(context, waitUsing);
	if (chosen === 'sync') return { kind: 'sync' };
	const address = resumeAddress(context);
	if (chosen === 'polling' || address === undefined || !canPark) return { kind: 'polling' };
	if (!isOutOfReach(address.href, client.baseUrl)) return { kind: 'callback', callbackUrl: address.href };
	hint(fillText(hints.answersComeLater, { host: address.hostname }));
	return { kind: 'polling' };
}

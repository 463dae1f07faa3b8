import {
	ApiError,
	isOutOfReach,
	listField,
	outcomeOf,
	type Question,
	questionFields,
	recordField,
	textField,
	things,
	timedOutField,
} from '../../api';
import { isWellFormed, resumeAddress } from '../../callbacks/resumeAddress';
import type { ItemRun, Services } from '../../execution/itemRun';
import { isInEngine2 } from '../../execution/ledgerStorage';
import {
	countedHints,
	fillText,
	hints,
	invalidInput,
	parameterMessages,
	waitingTooltips,
} from '../../messages';
import {
	choice,
	displayedIf,
	notForTools,
	optionsOf,
	readItem,
	readRunOption,
} from '../../parameters';
import type { AnswerChannel } from '../../waiting/sendingDefinition';
import { defineSendingOperation } from '../../waiting/sendingOperation';
import { answerFields, readFields, requestForFields } from './answerFields';
import { answerItem, answerOptions, maxWait, resultForTools } from './answerItem';
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

const waitUsing = choice(
	'waitUsing',
	'Wait Using',
	{
		noDataExpression: true,
		default: 'callback',
		description: 'How the node finds out that the answer is ready',
	},
	{
		callback: {
			name: 'Callback',
			description: 'Pause the execution until the service calls back. Frees the worker.',
		},
		polling: {
			name: 'Polling',
			description:
				"Keep checking for the answer. Works if the service can't reach your n8n instance.",
		},
		sync: {
			name: 'Sync',
			description: 'Wait within the request, up to 30 seconds. For trying things out.',
		},
	},
);

const onMissingFields = choice(
	'onMissingFields',
	'If Required Fields Are Missing',
	{
		default: 'output',
		description: 'What to do with an answer that lacks required answer fields',
	},
	{
		fail: {
			name: 'Fail the Item',
			description: 'The item fails, with the answer beside the error',
		},
		output: {
			name: 'Output the Answer',
			description: 'The answer is output with "missing_fields", and a hint',
		},
	},
);

/** Asks and outputs the answer: paused until it is ready, or within the request itself. */
export const askAndWait = defineSendingOperation({
	thing: things.question,
	waitingTooltip: waitingTooltips.waitingForAnswer,
	option: {
		name: 'Ask and Wait',
		action: 'Review contract or ask legal question',
		description:
			'Ask a legal question, or have a contract reviewed, redlined or drafted. The answer takes 2 to 5 minutes.',
	},
	toolDescription: `Ask the legal AI service a question, e.g. to review, redline, summarize or draft a contract, and get the answer. This usually takes 2 to 5 minutes, so ask everything at once. In the result, ${resultForTools} "timed_out" is true if no answer arrived in time.`,
	parameters: { ...newQuestion, answerFields, ...recipient },
	options: optionsOf({
		...answerOptions,
		...askOptions,
		maxWait: displayedIf({ hide: { waitUsing: ['sync'] } }, maxWait),
		onMissingFields,
		waitUsing: notForTools(waitUsing),
	}),
	output: questionFields({
		fields: recordField({}),
		unread_fields: recordField({}),
		missing_fields: listField(textField),
		...sentFields,
		...timedOutField,
	}),
	prepare: async (services, values, options) =>
		await prepareQuestion(services, values, options, requestForFields(values.answerFields)),
	...asking,
	content: ({ values, prepared }) => contentOf(values, prepared),
	begin: async (item, { values, prepared }, turn, channel) => {
		const delivery = {
			sync_mode: channel.kind === 'sync' || undefined,
			callback_url: channel.callbackUrl,
		};
		return await submitQuestion(item, values, prepared, delivery, turn);
	},
	wait: {
		maxWait: (options) => (options.waitUsing === 'sync' ? 0 : options.maxWait),
		chooseChannel,
	},
	finish: async (item, question, options, isTimedOut) => {
		if (isTimedOut) {
			if (options.waitUsing === 'sync') item.hint(hints.syncTookTooLong);
			else item.count(countedHints.timedOut);
		}
		hintAtInput(item);
		return await answerItem(item, withFields(item, question, options), options);
	},
});

/** The question with the values of the answer fields, if there are any. */
function withFields(
	item: ItemRun,
	question: Question,
	options: { onMissingFields: 'output' | 'fail' },
): Question {
	const wanted = readItem(item.context, item.itemIndex, answerFields);
	if (wanted.length === 0 || !outcomeOf(question.status)?.isAnswer) return question;
	const { answer, isRead, isAmbiguous, ...read } = readFields(question.answer, wanted);
	const { unread_fields: unread = {}, missing_fields: missing = [] } = read;
	if (missing.length > 0 && options.onMissingFields === 'fail')
		throw new ApiError('fieldsMissing', { serviceMessage: missing.join(', ') });
	if (isAmbiguous) item.count(countedHints.fieldsTwice);
	const withoutValue = isRead
		? [...missing, ...Object.keys(unread)]
		: wanted.map(({ name }) => name);
	if (withoutValue.length > 0) item.count(countedHints.fieldsMissing, withoutValue);
	return { ...question, ...read, answer };
}

/** By callback if that is wanted, and n8n and the service can do it; else the node checks by itself. */
function chooseChannel({ context, client, hint }: Services, canPark: boolean): AnswerChannel {
	const chosen = readRunOption(context, waitUsing);
	if (chosen === 'sync') return { kind: 'sync' };
	if (isInEngine2(context)) throw invalidInput(parameterMessages.engineCannotPause);
	const address = resumeAddress(context);
	if (chosen === 'polling' || address === undefined || !canPark) return { kind: 'polling' };
	if (!isWellFormed(address)) hint(hints.webhookUrlNotPlain);
	else if (isOutOfReach(address.href, client.baseUrl))
		hint(fillText(hints.answersComeLater, { host: address.hostname }));
	else return { kind: 'callback', callbackUrl: address.href };
	return { kind: 'polling' };
}

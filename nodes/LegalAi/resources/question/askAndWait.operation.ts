import type { INodeExecutionData } from 'n8n-workflow';

import { getQuestion, isTerminal, pollUntilTerminal, type Question } from '../../api/question';
import { findResumeAddress, park } from '../../callbacks/parking';
import { attachmentsField } from '../../files/attachments';
import { assistantLocator } from '../../lookups/locators';
import type { Operation, Run } from '../../operation';
import { answerItem, readAnswerOptions } from './answer';
import { askOnce } from './askOnce';
import { additionalFields, answerOptions, maxWait, questionText, waitUsing } from './fields';
import { readMaxWaitMs } from './maxWait';
import { pendingQuestion } from './pendingQuestion';
import { planQuestion } from './questionBody';

/**
 * Once a run has taken this long (ms), its questions are looked at once more before parking: a callback that comes
 * while the execution is still running is turned away by n8n, and gone.
 */
const WORTH_A_LOOK_MS = 2_000;

/** How long the service may take over a synchronous question, in ms, with some room for the way. */
const SYNC_MS = 45_000;

/** Asks and brings the answer: parked until the callback, polling, or within the request itself. */
export const askAndWait: Operation = {
	option: {
		name: 'Ask and Wait',
		value: 'askAndWait',
		action: 'Ask legal question and wait for answer',
		description: 'Ask a legal question about contracts or other documents and get its answer, which takes 2 to 5 minutes',
	},
	fields: [
		assistantLocator,
		questionText,
		attachmentsField,
		waitUsing,
		{ ...maxWait, displayOptions: { show: { waitUsing: ['callback', 'polling'] } } },
		additionalFields,
		answerOptions,
	],
	plan: async (run, itemIndex) => {
		const { context, client } = run;
		const planned = await planQuestion(run, itemIndex);
		const options = readAnswerOptions(context.getNodeParameter('options', itemIndex, {}));
		const sync = context.getNodeParameter('waitUsing', itemIndex) === 'sync';
		const maxWaitMs = sync ? SYNC_MS : readMaxWaitMs(run, itemIndex);
		const callbackUrl = resumeAddress(run);

		const awaitAnswer = async (question: Question, deadline: number): Promise<Question> => {
			if (isTerminal(question) || callbackUrl !== undefined) return question;
			if (!sync) return await pollUntilTerminal(client, question, deadline);
			run.hint("The service took longer than the 30 seconds of a synchronous question and goes on with it. 'Wait for Answer' brings the answer.");
			return { ...question, timed_out: true };
		};
		return {
			lane: planned.sessionId,
			perform: async () => {
				const deadline = Date.now() + maxWaitMs;
				const question = await askOnce(
					run,
					itemIndex,
					planned,
					sync ? { sync_mode: true } : { callback_url: callbackUrl },
					deadline,
				);
				return [await answerItem(context, client, await awaitAnswer(question, deadline), options)];
			},
		};
	},
	finish: async (run, output) => {
		if (resumeAddress(run) === undefined) return output;

		const items = Date.now() - run.startedAt < WORTH_A_LOOK_MS ? output : await lookAgain(run, output);
		const waits = items.flatMap((item, itemIndex) =>
			pendingQuestion(item) === undefined ? [] : [readMaxWaitMs(run, itemIndex)],
		);
		if (waits.length === 0) return items;

		const unanswered = items.map((item) =>
			pendingQuestion(item) === undefined ? item : { ...item, json: { ...item.json, timed_out: true } },
		);
		const longest = Math.max(...waits);
		if (longest === 0) return unanswered;
		await park(run.context, unanswered, Date.now() + longest);
		return items;
	},
};

/** Where the run's answers are to be sent to, where it waits by callback and can. */
function resumeAddress(run: Run): string | undefined {
	return run.context.getNodeParameter('waitUsing', 0) === 'callback' ? findResumeAddress(run) : undefined;
}

/** Looks at all questions still out, side by side; one that can't be looked at stays out, its callback may come. */
async function lookAgain(run: Run, output: INodeExecutionData[]): Promise<INodeExecutionData[]> {
	const { context, client } = run;
	const options = readAnswerOptions(context.getNodeParameter('options', 0, {}));
	const looked = output.map(async (item, itemIndex) => {
		const question = pendingQuestion(item);
		if (question === undefined) return [item];
		const now = await getQuestion(client, question.assistant_id, question.id).catch(() => question);
		return await run.settle(itemIndex, async () => [await answerItem(context, client, now, options)]);
	});
	return (await Promise.all(looked)).flat();
}

import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { ApiError } from '../api/errors';
import { redactedExcerpt } from '../api/redactedExcerpt';
import { getQuestion, isFinal, readQuestion } from '../api/questions';
import { readCallback, type Rejection } from '../callbacks/callback';
import { throttle } from '../callbacks/throttle';
import { NO_CREDENTIAL, readReceiver, receivedRequest, reject, respondNow } from '../callbacks/webhookRequest';
import { createClient } from '../execution/connection';
import { userMessageOf } from '../execution/nodeError';
import type { WaitState } from '../execution/runState';
import { callbackResponses } from '../messages/callbackMessages';
import { fillText } from '../messages/template';
import { continueFrom, readContinuation, type Continuation } from './executionStack';
import { answerKey, receivedAnswers } from './receivedAnswers';
import { awaitedItems, openItems, parkedItems } from './waitingItem';

/**
 * A callback that takes longer, because its body or a check is slow, resumes nothing: another process may have continued the
 * execution meanwhile.
 */
const MAX_MS = 10_000;

/** From this long before a planned check until n8n has woken the execution for it, a callback is only noted. */
const BEFORE_CHECK_MS = 10_000;

/** A callback that is rejected has an execution check for itself at most once a minute. */
const allowCheck = throttle(60_000);

/**
 * Receives a callback for an execution that is parked at this node: verifies it, notes the answer, and leaves the rest to
 * `execute()`, which n8n runs again. Only what was signed with the webhook secret is believed. Without a secret in the
 * credential, the question is checked. If a callback is rejected, the execution checks for itself, at most once a minute.
 */
export async function resumeByCallback(this: IWebhookFunctions): Promise<IWebhookResponseData> {
	// A throw would make n8n run the next nodes with an empty item.
	return await receive(this).catch((error: unknown) => {
		const message = error instanceof ApiError ? userMessageOf(error).message : (redactedExcerpt(String(error)) ?? '');
		this.logger.error(fillText(callbackResponses.logFailed, { name: this.getNode().name, message }));
		return respondNow(this, 503, { message: callbackResponses.failed });
	});
}

async function receive(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const until = Date.now() + MAX_MS;
	const request = await receivedRequest(context);
	const continuation = readContinuation(context);
	if (continuation === undefined) return respondNow(context, 200, { message: callbackResponses.notWaiting });
	if ('rejection' in request) return turnAway(context, continuation, request.rejection, until);
	const receiver = await readReceiver(context);
	if (receiver === undefined) return reject(context, NO_CREDENTIAL);
	const { secrets } = receiver;
	const received = readCallback(request, secrets.length === 0 ? undefined : secrets);
	if ('rejection' in received) return turnAway(context, continuation, received.rejection, until);

	const executionId = context.getExecutionId();
	const { state, wait } = continuation;
	const items = parkedItems(state, wait);
	const open = openItems(items).map(({ accepted }) => accepted);
	const asked = open.find(({ record }) => record.id === received.callback.id)?.record;
	if (asked === undefined) return respondNow(context, 200, { message: callbackResponses.notWaiting });
	if (!receivedAnswers.has(answerKey(executionId, asked))) {
		// Without a secret, a callback only says which question to check.
		const { assistant_id, id } = asked;
		const answer = secrets.length > 0 ? received.callback : await getQuestion(await createClient(context), assistant_id, id, until);
		const question = readQuestion({ ...asked, ...answer }, assistant_id);
		if (!isFinal(question)) return respondNow(context, 200, { message: callbackResponses.noted });
		receivedAnswers.set(answerKey(executionId, asked), question);
	}
	for (const accepted of open) accepted.record = receivedAnswers.get(answerKey(executionId, accepted.record)) ?? accepted.record;
	const isWaitedFor = wait.blockingIds.includes(asked.id) || awaitedItems(items, Date.now()).length === 0;
	if (!isWaitedFor || !resume(continuation, { ...wait, isCalledBack: true }, until)) {
		return respondNow(context, 200, { message: callbackResponses.noted });
	}
	// The state has them now: another process may run the node.
	for (const { record } of open) receivedAnswers.delete(answerKey(executionId, record));
	// n8n stores the execution when it resumes, and only then responds to the sender.
	return { webhookResponse: { message: callbackResponses.resuming }, workflowData: [] };
}

/** What was rejected may have been an answer: at most once a minute, the execution checks for itself. */
function turnAway(context: IWebhookFunctions, from: Continuation, rejection: Rejection, until: number): IWebhookResponseData {
	const response = reject(context, rejection);
	if (allowCheck(context.getExecutionId()) === undefined) return response;
	const isResumed = resume(from, { ...from.wait, rejected: rejection.signature ?? from.wait.rejected }, until);
	return isResumed ? { ...response, workflowData: [] } : response;
}

/**
 * Prepares what the execution continues with; false if it has, or may have, continued already, or if a check will continue it.
 * Around a check, n8n has read the execution for it, and may continue it with that once more after it has parked again.
 */
function resume(continuation: Continuation, wait: WaitState, until: number): boolean {
	const { nextCheckAt, lastWakeAt = Infinity } = wait;
	const now = Date.now();
	// Where n8n may cancel the execution as it wakes it, only a callback is sure to bring the answer.
	const isLeftToCheck = now >= nextCheckAt - BEFORE_CHECK_MS && nextCheckAt < lastWakeAt;
	return now <= until && !isLeftToCheck && continueFrom(continuation, wait);
}

import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import {
	type AcceptedRecord,
	ApiError,
	fetchLatest,
	hasKind,
	redactedExcerpt,
	type Thing,
	things,
} from '../api';
import { readCallback, type Rejection } from '../callbacks/callback';
import { throttle } from '../callbacks/throttle';
import {
	NO_CREDENTIAL,
	readSecrets,
	receivedRequest,
	reject,
	respondNow,
} from '../callbacks/webhookRequest';
import { createClient } from '../connection/createClient';
import { userMessageOf } from '../errors/nodeError';
import { continueFrom, readContinuation, type Continuation } from '../execution/executionStack';
import { isOpen, Ledger, type Plan } from '../execution/ledger';
import { callbackResponses, fillText } from '../messages';
import { next } from './next';

/** By the value of the parameter "resource". */
const THINGS = new Map<unknown, Thing>(Object.entries(things));

/** A callback that takes longer resumes nothing: another process may have continued the execution meanwhile. */
const MAX_MS = 10_000;

/** From this long before a planned wake until n8n has woken the execution, a callback is only noted. */
const BEFORE_WAKE_MS = 10_000;

/** A callback that is rejected has an execution check for itself at most once a minute. */
const allowCheck = throttle(60_000);

/**
 * Receives a callback for an execution that is parked at this node: verifies it, notes the answer, and has n8n run `execute()` again.
 * Without a webhook secret in the credential, or after a callback that was rejected, the service is asked for the answer.
 */
export async function resumeByCallback(this: IWebhookFunctions): Promise<IWebhookResponseData> {
	// A throw would make n8n run the next nodes with an empty item.
	return await receive(this).catch((error: unknown) => {
		const message =
			error instanceof ApiError
				? userMessageOf(error).message
				: (redactedExcerpt(String(error)) ?? '');
		this.logger.error(
			fillText(callbackResponses.logFailed, { name: this.getNode().name, message }),
		);
		return respondNow(this, 503, { message: callbackResponses.failed });
	});
}

async function receive(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const until = Date.now() + MAX_MS;
	const request = await receivedRequest(context);
	const continuation = readContinuation(context);
	const thing = THINGS.get(context.getNodeParameter('resource'));
	if (continuation === undefined || thing === undefined)
		return respondNow(context, 200, { message: callbackResponses.notWaiting });
	if ('rejection' in request) return turnAway(context, continuation, request.rejection, until);
	const secrets = await readSecrets(context);
	if (secrets === undefined) return turnAway(context, continuation, NO_CREDENTIAL, until);
	const received = readCallback(request, secrets.length === 0 ? undefined : secrets);
	if ('rejection' in received) return turnAway(context, continuation, received.rejection, until);

	const { kept, plan } = continuation;
	// n8n stores nothing for a webhook that does not resume: the process keeps the answers until then.
	const ledger = new Ledger(kept);
	ledger.recallAll();
	const itemIndex = ledger.entries.findIndex(
		(entry) => isOpen(entry) && entry.record.id === received.callback.id,
	);
	const asked = ledger.entryOf(itemIndex);
	if (!isOpen(asked)) return respondNow(context, 200, { message: callbackResponses.notWaiting });
	// Without a secret, a callback only says what to check.
	const check = async (): Promise<AcceptedRecord> =>
		await fetchLatest(await createClient(context), thing, asked.record, until);
	const record =
		secrets.length > 0
			? thing.read(received.callback, asked.record)
			: await check().catch((error: unknown) => {
					if (!hasKind(error, 'rejected')) throw error;
					return undefined;
				});
	if (record === undefined) return turnAway(context, continuation, NO_CREDENTIAL, until);
	if (!thing.isOver(record)) return respondNow(context, 200, { message: callbackResponses.noted });
	ledger.update(itemIndex, { record, answerBy: undefined });

	const now = Date.now();
	const calledBack = { ...plan, isCalledBack: true };
	const situation = { ...PARKED, runId: plan.id, runBeganAt: now, now };
	const isWaitedFor = next({ entries: ledger.entries, plan: calledBack }, situation).act !== 'park';
	if (!isWaitedFor || !resume(continuation, calledBack, until)) {
		return respondNow(context, 200, { message: callbackResponses.noted });
	}
	ledger.release(thing.unanswered);
	// n8n stores the execution when it resumes, and only then responds to the sender.
	return { webhookResponse: { message: callbackResponses.resuming }, workflowData: [] };
}

/** Where a callback finds the execution: it costs nothing to have the node run. */
const PARKED = {
	answersBy: 'callback',
	canPark: true,
	isSubExecution: false,
	timeoutAt: undefined,
	jitter: 0,
} as const;

/** What was rejected may have been an answer: at most once a minute, the execution checks for itself. */
function turnAway(
	context: IWebhookFunctions,
	from: Continuation,
	rejection: Rejection,
	until: number,
): IWebhookResponseData {
	const response = reject(context, rejection);
	if (!allowCheck(context.getExecutionId())) return response;
	const isResumed = resume(
		from,
		{ ...from.plan, rejected: rejection.signature ?? from.plan.rejected },
		until,
	);
	return isResumed ? { ...response, workflowData: [] } : response;
}

/**
 * Prepares what the execution continues with; false if it may have continued already, or if n8n is about to wake it: n8n has read it
 * by then, and may continue it with that once more after it has parked again.
 */
function resume(continuation: Continuation, plan: Plan, until: number): boolean {
	const { wakeAt, lastWakeAt = Infinity } = plan;
	const now = Date.now();
	// Where n8n may cancel the execution as it wakes it, only a callback is sure to bring the answer.
	const isLeftToWake = now >= wakeAt - BEFORE_WAKE_MS && wakeAt < lastWakeAt;
	return now <= until && !isLeftToWake && continueFrom(continuation, plan);
}

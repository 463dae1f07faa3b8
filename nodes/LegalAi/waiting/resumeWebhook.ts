import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { redactedExcerpt } from '../api/redactedExcerpt';
import { getQuestion, isFinal, readQuestion, type Question } from '../api/questions';
import { readCallback, readSignedCallback } from '../callbacks/callback';
import { Throttle } from '../callbacks/throttle';
import { receivedRequest, reject, rejectWithoutCredential, respondNow } from '../callbacks/webhookRequest';
import { readWebhookSecrets } from '../callbacks/webhookSecrets';
import type { EntryMemory, ParkedMemory } from '../execution/entryMemory';
import { createClient, DEFAULT_CONCURRENT_REQUESTS } from '../execution/nodeRun';
import { callbackResponses } from '../messages/callbackMessages';
import { fillText } from '../messages/template';
import { answerCache } from './answerCache';
import { adoptEarlierPark } from './earlierVersion';
import { readParkedMemory, writeParkedMemory } from './executionStack';

/** The sender of a callback does not wait much longer for its response. */
const LOOK_UP_MS = 20_000;

/** A callback whose signature does not fit has an execution look for itself at most once a minute. */
const looks = new Throttle(60_000);

/** n8n 1 resumes an execution twice if it is called back twice at the same moment: what comes next would run twice. */
const resumptions = new Throttle(2_000, 100);

/**
 * Receives a callback for an execution that is parked at this node: verifies it, notes the answer, and hands over to
 * `execute()`, which n8n runs again. Nothing is believed that was not signed with the webhook secret: without one in
 * the credential, the question is looked up; if a signature does not fit, the execution looks for itself, once a while.
 */
export async function resumeByCallback(this: IWebhookFunctions): Promise<IWebhookResponseData> {
	// A throw would make n8n run the next nodes with an empty item.
	return await receive(this).catch((error: unknown) => {
		const { name } = this.getNode();
		this.logger.error(fillText(callbackResponses.logFailed, { name, message: redactedExcerpt(String(error)) ?? '' }));
		return respondNow(this, 503, { message: callbackResponses.failed });
	});
}

async function receive(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const request = await receivedRequest(context);
	if ('rejection' in request) return reject(context, request.rejection);
	const kept = readParkedMemory(context);
	const memory = kept ?? adoptEarlierPark(context);
	if (memory === undefined) return respondNow(context, 200, { message: callbackResponses.notWaiting });

	const secrets = await readWebhookSecrets(context);
	if (secrets === undefined) return rejectWithoutCredential(context);
	const received =
		secrets.length === 0 ? readCallback(request.rawBody) : readSignedCallback(request, secrets, Date.now());
	if ('rejection' in received) {
		const response = reject(context, received.rejection);
		if (received.rejection.status !== 401 || looks.pass(context.getExecutionId(), Date.now()) === undefined) return response;
		writeParkedMemory(context, { ...memory, parked: { ...memory.parked, hasBadSignatures: true } });
		return { ...response, workflowData: [] };
	}

	const { callback } = received;
	const open = openQuestions(memory);
	const asked = open.find(({ id }) => id === callback.id);
	if (asked === undefined) return respondNow(context, 200, { message: callbackResponses.notWaiting });
	const executionId = context.getExecutionId();
	if (!answerCache.get(executionId).has(asked.id)) {
		const answer = secrets.length === 0 ? await lookUp(context, asked) : callback;
		const question = readQuestion({ ...asked, ...answer }, asked.assistant_id);
		if (!isFinal(question)) return respondNow(context, 200, { message: callbackResponses.noted });
		answerCache.add(executionId, question);
	}
	const answers = answerCache.get(executionId);
	const isWaitedFor = memory.parked.holding.includes(asked.id) || open.every(({ id }) => answers.has(id));
	if (!isWaitedFor || !resumesFirst(executionId, open)) return respondNow(context, 200, { message: callbackResponses.noted });
	// What was heard before, for an execution of an earlier version, nobody knows: it looks.
	writeParkedMemory(context, withAnswers(memory, answers, { isCalledBack: kept !== undefined }));
	return resume();
}

/** Without a secret, a callback only says which question to look at. */
async function lookUp(context: IWebhookFunctions, { assistant_id, id }: Question): Promise<Question> {
	const client = await createClient(context, { concurrentRequests: DEFAULT_CONCURRENT_REQUESTS });
	return await getQuestion(client, assistant_id, id, Date.now() + LOOK_UP_MS);
}

/** Whether no other callback has just resumed the execution from here: each resumption leaves fewer or other questions open. */
function resumesFirst(executionId: string, open: Question[]): boolean {
	return resumptions.pass([executionId, ...open.map(({ id }) => id)].join(), Date.now()) !== undefined;
}

/** n8n stores the execution as it resumes, and answers the sender only then. */
function resume(): IWebhookResponseData {
	return { webhookResponse: { message: callbackResponses.resuming }, workflowData: [] };
}

function openQuestions({ accepted }: EntryMemory): Question[] {
	return Object.values(accepted)
		.map(({ record }) => readQuestion(record, String(record.assistant_id)))
		.filter((question) => !isFinal(question));
}

function withAnswers(
	memory: ParkedMemory,
	answers: ReadonlyMap<string, Question>,
	{ isCalledBack }: { isCalledBack: boolean },
): ParkedMemory {
	const entries = Object.entries(memory.accepted).map(([itemIndex, accepted]) => {
		return [itemIndex, { ...accepted, record: answers.get(accepted.record.id) ?? accepted.record }] as const;
	});
	return { ...memory, accepted: Object.fromEntries(entries), parked: { ...memory.parked, isCalledBack } };
}

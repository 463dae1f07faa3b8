import { ApiError } from '../api/errors';
import { getQuestion, withQuestion, type Question } from '../api/questions';
import { abortableSleep, backOffMs } from '../api/retry';
import type { Services } from '../execution/itemRun';
import type { NodeRun } from '../execution/nodeRun';
import { userMessageOf } from '../execution/nodeError';
import { hints } from '../messages/hints';
import { fillText } from '../messages/template';
import { answerKey, receivedAnswers } from './receivedAnswers';
import { dueItems, isAsked, openItems, type AskedItem, type WaitingItem, type WaitingItems } from './waitingItem';

/** How long a single check may take: the next one, or a callback, finds the answer too. */
const CHECK_TIMEOUT_MS = 60_000;

/** The API's own guidance: start at 2 to 3 seconds and back off exponentially. */
const CHECK_INTERVAL_MS = { first: 2_500, longest: 20_000 };

/** The checks of one run together stay below 300 a minute, which leaves room within the API's 400. */
const MS_BETWEEN_CHECKS = 200;

/** A service of several machines may need a moment until all of them know a new question. */
const NOT_FOUND_YET_MS = 2 * 60_000;

/** What the API itself says of a key, of a time and of a limit may change while the question is answered. */
const PASSING_STATUSES = [401, 403, 408, 429];

/** Checks the chosen items once, several at a time. Each result is kept immediately. */
export async function checkOnce(run: NodeRun, items: WaitingItems, chosen: AskedItem[]): Promise<WaitingItems> {
	const executionId = run.context.getExecutionId();
	const toCheck = new Set<WaitingItem>(chosen);
	return await run.executeItems(items, async (_item, waiting) => {
		if (!isAsked(waiting) || !toCheck.has(waiting)) return waiting;
		const { accepted } = waiting;
		const { record: question, acceptedAt } = accepted;
		const key = answerKey(executionId, question);
		const received = receivedAnswers.get(key);
		receivedAnswers.delete(key);
		accepted.record = received ?? (await latestQuestion(run, question, Date.now() - acceptedAt).catch((error: unknown) => {
			throw withQuestion(error, question);
		}));
		return { ...waiting, isChecked: true };
	});
}

/**
 * A question as it stands now. During a wait only the API's own word that there is no such question, or that it can't be had,
 * ends an item. Everything else (no connection, a redirect, a page of a proxy, a key that does not work at the moment) means "not
 * yet", with the reason in a hint.
 *
 * @param ageMs since the question was accepted
 * @throws {ApiError} the API's word
 */
export async function latestQuestion({ client, hint }: Services, question: Question, ageMs: number): Promise<Question> {
	const { id, assistant_id, attachments_sent, skipped_files } = question;
	const latest = await getQuestion(client, assistant_id, id, Date.now() + CHECK_TIMEOUT_MS).catch((error: unknown) => {
		if (!(error instanceof ApiError) || error.kind === 'canceled' || isWordOfApi(error, ageMs)) throw error;
		hint(fillText(hints.checkFailed, { reason: userMessageOf(error).message }));
		return question;
	});
	// Only this node knows what was sent with the question.
	return { ...(attachments_sent && { attachments_sent }), ...(skipped_files && { skipped_files }), ...latest };
}

function isWordOfApi({ details: { status = 0, errorCode } }: ApiError, ageMs: number): boolean {
	if (errorCode === undefined || status < 400 || status >= 500 || PASSING_STATUSES.includes(status)) return false;
	return status !== 404 || ageMs >= NOT_FOUND_YET_MS;
}

/**
 * Checks the chosen items in the process, at growing intervals: until they are answered, until another item has its turn, or
 * until a time (ms since the epoch). The last check comes when the last of them is given up. The first does not come
 * immediately: what was asked just now has no answer yet.
 */
export async function checkOften(run: NodeRun, items: WaitingItems, chosen: AskedItem[], until: number): Promise<WaitingItems> {
	const toCheck = new Set(chosen.map(({ accepted }) => accepted));
	const givenUpAt = Math.max(...chosen.map(({ answerDeadline }) => answerDeadline));
	let latest = items;
	for (let round = 0; ; round++) {
		const now = Date.now();
		const open = openItems(latest).filter(({ accepted }) => toCheck.has(accepted));
		if (open.length === 0 || dueItems(latest, now).size > 0) return latest;
		const interval = Math.max(backOffMs(round, CHECK_INTERVAL_MS), open.length * MS_BETWEEN_CHECKS);
		const nextCheckAt = Math.min(now + interval, givenUpAt);
		if (now >= givenUpAt || nextCheckAt > until) return latest;
		await abortableSleep(nextCheckAt - now, run.signal);
		latest = await checkOnce(run, latest, open);
	}
}

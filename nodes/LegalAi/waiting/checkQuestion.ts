import { ApiError } from '../api/errors';
import { getQuestion, withQuestion, type Question } from '../api/questions';
import { abortableSleep, backOffMs, isTemporary } from '../api/retry';
import type { NodeRun } from '../execution/nodeRun';
import { userMessageOf } from '../execution/nodeError';
import { hints } from '../messages/hints';
import { fillText } from '../messages/template';
import { answerCache } from './answerCache';
import { dueItems, isAsked, openItems, type AskedItem, type WaitingItem, type WaitingItems } from './waitingItem';

/** How long a single check may take: the next one, or a callback, finds the answer too. */
export const CHECK_TIMEOUT_MS = 60_000;

/** The API's own guidance: start at 2 to 3 seconds and back off exponentially. */
const CHECK_INTERVAL_MS = { first: 2_500, longest: 20_000 };

/** The checks of one run together stay below 300 a minute, which leaves room within the API's 400. */
const MS_BETWEEN_CHECKS = 200;

/** A service of several machines may need a moment until all of them know a new question. */
const NOT_FOUND_YET_MS = 2 * 60_000;

/** Checks some items once, several at a time. Each result is kept immediately. */
export async function checkQuestions(run: NodeRun, items: WaitingItems, toCheck: WaitingItem[]): Promise<WaitingItems> {
	const chosen = new Set(toCheck);
	const received = answerCache.get(run.context.getExecutionId());
	return await run.executeItems(items, async ({ itemIndex }, item) => {
		if (!isAsked(item) || !chosen.has(item)) return item;
		const question = received.get(item.question.id) ?? (await checkQuestion(run, item));
		const accepted = run.state.accepted[itemIndex];
		if (accepted !== undefined) accepted.record = question;
		return { ...item, question, isChecked: true };
	});
}

/**
 * A question as it stands now. During a wait, a failed check means "not yet": the service can't be reached, the key does not
 * work at the moment, or the service has only just accepted the question.
 *
 * @throws {ApiError} if the service says that there is no such question; it names the question
 */
async function checkQuestion(run: NodeRun, { question, acceptedAt }: AskedItem): Promise<Question> {
	const { id, assistant_id, attachments_sent, skipped_files } = question;
	const latest = await getQuestion(run.client, assistant_id, id, Date.now() + CHECK_TIMEOUT_MS).catch((error: unknown) => {
		if (!(error instanceof ApiError) || error.kind === 'canceled') throw error;
		if (!meansNotYet(error, Date.now() - acceptedAt)) throw withQuestion(error, question);
		run.hint(fillText(hints.checkFailed, { reason: userMessageOf(error).message }));
		return question;
	});
	// Only this node knows what was sent with the question.
	return { ...(attachments_sent && { attachments_sent }), ...(skipped_files && { skipped_files }), ...latest };
}

function meansNotYet(error: ApiError, ageMs: number): boolean {
	const { status, errorCode } = error.details;
	// A response that is not the API's own comes from something in between, e.g. while the service is updated.
	if (status === 404) return errorCode === undefined || ageMs < NOT_FOUND_YET_MS;
	return isTemporary(error) || status === 401 || status === 403;
}

/**
 * Checks some open items in the process, at growing intervals: until they are answered, until another item has its turn, or
 * until a time (ms since the epoch). The last check comes when the last of them is given up. The first does not come
 * immediately: what was asked just now has no answer yet.
 */
export async function keepChecking(
	run: NodeRun,
	items: WaitingItems,
	toCheck: AskedItem[],
	until: number,
): Promise<WaitingItems> {
	const ids = new Set(toCheck.map(({ question }) => question.id));
	const givenUpAt = Math.max(...toCheck.map(({ deadline }) => deadline));
	let latest = items;
	for (let round = 0; ; round++) {
		const now = Date.now();
		const open = openItems(latest).filter(({ question }) => ids.has(question.id));
		if (open.length === 0 || dueItems(latest, now).size > 0) return latest;
		const interval = Math.max(backOffMs(round, CHECK_INTERVAL_MS), open.length * MS_BETWEEN_CHECKS);
		const nextCheckAt = Math.min(now + interval, givenUpAt);
		if (now >= givenUpAt || nextCheckAt > until) return latest;
		await abortableSleep(nextCheckAt - now, run.signal);
		latest = await checkQuestions(run, latest, open);
	}
}

import { CanceledError } from '../api/errors';
import { mapConcurrently } from '../api/mapConcurrently';
import { getQuestion, isFinal, lookAt, pollUntil, readQuestion, type Question } from '../api/questions';
import { DEFAULT_CONCURRENT_REQUESTS, type NodeRun, type Outcome } from '../execution/nodeRun';
import { hints } from '../messages/hints';
import { fillText } from '../messages/template';
import { answerCache } from './answerCache';
import { isAsked, openOf, type AskedItem, type WaitingItem } from './waitingItem';

/** How long a single look may take: the next one, or a callback, finds the answer too. */
export const LOOK_PATIENCE_MS = 60_000;

/** Polls of one run together stay below 300 a minute, which leaves room within the API's 400. */
const MS_BETWEEN_POLLS = 200;

/** Looks once at each of these. What can't be looked at stays open. */
export async function look(run: NodeRun, items: AskedItem[]): Promise<void> {
	const received = answerCache.get(run.context.getExecutionId());
	await mapConcurrently(items, DEFAULT_CONCURRENT_REQUESTS, async (item) => {
		const { id, assistant_id } = item.question;
		const latest = received.get(id) ?? (await getQuestion(run.client, assistant_id, id, Date.now() + LOOK_PATIENCE_MS).catch((error: unknown) => {
			if (error instanceof CanceledError) throw error;
			run.hint(fillText(hints.lookFailed, { id }));
			return item.question;
		}));
		Object.assign(item, { question: updated(item.question, latest), isLookedAt: true });
	});
}

/**
 * Looks again and again, in the process, at the open questions of some items: until they are answered, until it is
 * enough, or until a time (ms since the epoch). An item whose question the service won't show fails.
 */
export async function poll<Item extends WaitingItem>(
	run: NodeRun,
	outcomes: Array<Outcome<Item>>,
	polled: ReadonlySet<WaitingItem>,
	{ until, isEnough }: { until: number; isEnough: (outcomes: Array<Outcome<Item>>) => boolean },
): Promise<Array<Outcome<Item>>> {
	const openOnes = (): AskedItem[] => openOf(latest).filter((item) => polled.has(item));
	let latest = outcomes;
	const deadline = Math.max(...openOnes().map((item) => item.deadline));
	const budget = { deadline, pollDeadline: until, minPollMs: () => openOnes().length * MS_BETWEEN_POLLS };
	await pollUntil(run.client, budget, async () => {
		latest = await run.executeItems(
			latest,
			async (_item, waiting) => {
				if (isAsked(waiting) && polled.has(waiting) && !isFinal(waiting.question)) {
					const question = await lookAt(run.client, waiting.question, deadline);
					Object.assign(waiting, { question: updated(waiting.question, question), isLookedAt: true });
				}
				return waiting;
			},
			{ limit: Infinity },
		);
		return openOnes().length === 0 || isEnough(latest);
	});
	return latest;
}

/** A question as it stands now, with what this package has added to it when it was asked. */
function updated({ attachments_sent, skipped_files }: Question, latest: Question): Question {
	return readQuestion(
		{
			...(attachments_sent === undefined ? {} : { attachments_sent }),
			...(skipped_files === undefined ? {} : { skipped_files }),
			...latest,
		},
		latest.assistant_id,
	);
}

import type { NodeRun, Outcome } from '../execution/nodeRun';
import { hints } from '../messages/hints';
import { fillText } from '../messages/template';
import { executionTimeout, parkAndWake } from './executionStack';
import { nextWake } from './schedule';
import { holdersOf, isAsked, openOf, unaskedOf, type WaitingItem } from './waitingItem';

/** n8n may wake an execution so much before its time; what comes earlier is another reason to run. */
const EARLIEST_WAKE_MS = 5_000;

/**
 * Parks until the next look, if something is waited for and there is time left.
 *
 * @param since when this run has begun, in ms since the epoch
 * @param isCalledBack whether the service calls back, so that something may come without a look, too
 * @param wakesSafely whether nothing else can resume the execution at the moment at which it wakes
 */
export async function park(
	run: NodeRun,
	outcomes: Array<Outcome<WaitingItem>>,
	{ since, isCalledBack, wakesSafely }: { since: number; isCalledBack: boolean; wakesSafely: boolean },
): Promise<boolean> {
	const { context, memory } = run;
	const { woken } = memory;
	const [open, holders, now] = [openOf(outcomes), holdersOf(outcomes), Date.now()];
	const over = Math.max(...open.map((item) => item.deadline), ...unaskedOf(outcomes).map(({ giveUpAt = 0 }) => giveUpAt));
	if (over <= now) return false;

	const lastWake = woken?.lastWake ?? executionTimeout(context);
	const planned = woken?.nextLook !== undefined && woken.nextLook > now + EARLIEST_WAKE_MS ? woken.nextLook : undefined;
	const isFresh = woken === undefined || open.some(({ acceptedAt }) => acceptedAt >= since);
	const round = isFresh ? 0 : woken.round + (planned === undefined ? 1 : 0);
	const { at, isPastLastWake } = nextWake({
		now,
		round,
		planned,
		open: open.length,
		deadline: Math.min(over, ...holders.map((item) => item.deadline)),
		wakesSafely,
		executionTimeout: lastWake,
		jitter: Math.random(),
	});
	if (isPastLastWake && (!isCalledBack || open.length === 0)) {
		run.hint(hints.executionTimeoutNear);
		return false;
	}
	showProgress(run, outcomes, over);
	const parked = {
		round,
		nextLook: at,
		giveUpAt: byItem(outcomes, (outcome) => ('value' in outcome && !isAsked(outcome.value) ? outcome.value.giveUpAt : undefined)),
		holding: holders.map(({ question }) => question.id),
		failures: byItem(outcomes, (outcome) => ('failure' in outcome ? outcome.failure : undefined)),
		hasBadSignatures: woken?.hasBadSignatures ?? false,
		lastWake,
		isPastLastWake,
	};
	await parkAndWake(context, memory.toPark(parked), new Date(at));
	return true;
}

/** Says what the node waits for. The editor shows it while the execution is parked; n8n drops it when it resumes. */
function showProgress({ context, hint }: NodeRun, outcomes: Array<Outcome<WaitingItem>>, deadline: number): void {
	const asked = outcomes.filter((outcome) => 'value' in outcome).length;
	const timeZone = context.getTimezone();
	const time = new Date(deadline).toLocaleString('en-US', { timeZone, dateStyle: 'medium', timeStyle: 'short' });
	const unasked = unaskedOf(outcomes).length;
	const answered = asked - openOf(outcomes).length - unasked;
	if (asked === 1) hint(fillText(hints.waitingForOne, { time }));
	else hint(fillText(unasked > 0 ? hints.waitingInTurn : hints.waitingForSeveral, { asked, answered, time }));
}

/** What there is of an outcome, by item index. */
function byItem<Item, Value>(outcomes: Array<Outcome<Item>>, pick: (outcome: Outcome<Item>) => Value | undefined): Record<string, Value> {
	return Object.fromEntries(
		outcomes.flatMap((outcome, itemIndex) => {
			const picked = pick(outcome);
			return picked === undefined ? [] : [[itemIndex, picked]];
		}),
	);
}

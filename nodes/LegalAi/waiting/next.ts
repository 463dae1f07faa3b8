import { CHECK_INTERVAL_MS } from '../api';
import { isOpen, type Accepted, type Entry, type Ledger, type Plan } from '../execution/ledger';

/** Waits are given in minutes. */
export const MINUTE_MS = 60_000;

/** As frequent as n8n allows until minute 6. */
const POLLING = [0, 0, 0, 0, 0, 2, 3, 5, 8, 13, 21, 30];
/** In minutes, before each check; the last one stays. By minute 5, most callbacks have come: a check before would be in vain. */
const INTERVALS = { callback: [5, 5, 8, 13, 21, 30], polling: POLLING, person: POLLING, sync: [0] };

/** n8n looks for executions to wake once a minute: a shorter wait may come late, so it gains nothing. */
export const SHORTEST_WAIT_MS = 65_000;

/** The shortest waits are spread over this. */
const SPREAD_MS = 10_000;

/** While a node runs, n8n rejects callbacks. A run that is shorter than this hardly misses one. */
const SHORT_RUN_MS = 20_000;

/** How long the node checks for answers in the process before it parks: what is quick comes at once. A restart waits 30 s. */
export const IN_PROCESS_MS = 20_000;

/** The checks of one run together stay below 300 a minute, which leaves room within the API's 400. */
const MS_BETWEEN_CHECKS = 200;

/** A check asks for every open item: the more there are, the less often it runs. */
const MS_PER_ITEM = 1_000;

/** n8n cancels an execution that wakes after its timeout; the last wake keeps this distance. */
const BEFORE_TIMEOUT_MS = 10_000;

/** n8n may wake an execution this much too early; a node that runs earlier was resumed for another reason. */
export const EARLY_WAKE_MS = 5_000;

/** What the decision depends on, beside the ledger; all times in ms since the epoch. */
export interface Situation {
	/** The ID of the run. */
	runId: string;
	/** By callback, by checking, within the request itself, or from a person, in hours or days: checked for only when parked. */
	answersBy: 'callback' | 'polling' | 'sync' | 'person';
	canPark: boolean;
	/** Whether a caller waits for the execution: it is canceled at the timeout, whatever a callback brings. */
	isSubExecution: boolean;
	runBeganAt: number;
	now: number;
	/** When n8n cancels the execution, which counts from its start; undefined without a timeout. */
	timeoutAt: number | undefined;
	/** Between 0 and 1: spreads checks, so that many executions do not come back at the same moment. */
	jitter: number;
}

/** What comes next. Items are given by their index. */
export type Step =
	| { act: 'send'; items: number[] }
	/** `at` is in ms since the epoch. */
	| { act: 'check'; items: number[]; at: number }
	| { act: 'park'; plan: Plan }
	| { act: 'output'; isCutShort: boolean };

/** What comes next, by what has become of the items: the one place that decides it, for a run of the node and for a callback. */
export function next(ledger: Pick<Ledger, 'entries' | 'plan'>, situation: Situation): Step {
	const { canPark, answersBy, runId, now } = situation;
	const view = viewOf(ledger.entries, now);
	const unchecked = (items: Open[]): Open[] => items.filter(({ checkedIn }) => checkedIn !== runId);

	const askedBefore = unchecked(view.watched).filter(({ acceptedIn }) => acceptedIn !== runId);
	if (askedBefore.length > 0 && isCheckDue(ledger.plan, situation))
		return checkOf(askedBefore, now);
	if (view.due.length > 0) return { act: 'send', items: view.due };
	const inProcess = checkInProcess(view, situation);
	if (inProcess !== undefined) return inProcess;

	const plan = planWake(ledger.plan, view, situation);
	const canBeCalledBack =
		answersBy === 'callback' && !situation.isSubExecution && view.open.length > 0;
	const isCutShort = plan?.isPastLastWake === true && !canBeCalledBack;
	if (plan !== undefined && canPark && !isCutShort) return { act: 'park', plan };
	const last = answersBy === 'sync' ? [] : unchecked(view.open);
	return last.length > 0 ? checkOf(last, now) : { act: 'output', isCutShort };
}

type Open = Accepted & { answerBy: number; item: number };

function checkOf(open: Open[], at: number): Step {
	return { act: 'check', items: open.map(({ item }) => item), at };
}

/** The items that are still to do. Times are in ms since the epoch, and Infinity if there is nothing of the kind. */
interface View {
	/** Their answers have not arrived. */
	open: Open[];
	/** Their answers are still waited for. */
	awaited: Open[];
	/**
	 * Those that are checked for. As long as some have to wait for their turn, nothing can be output, so these are only those that
	 * others of their session wait for.
	 */
	watched: Open[];
	/** When the first of those is given up that others of their session wait for. */
	blockedUntil: number;
	/** To send now: the first of each session, unless another one of the session is still open. */
	due: number[];
	/** When the next of those have their turn that nothing of their session holds up. */
	turnAt: number;
	/** When to stop waiting for the last answer or turn; -Infinity if nothing is waited for. */
	endsAt: number;
}

function viewOf(entries: readonly Entry[], now: number): View {
	const open = entries.flatMap((entry, item) => (isOpen(entry) ? [{ ...entry, item }] : []));
	const queued = entries.flatMap((entry, item) =>
		entry.state === 'inTurn'
			? [{ ...entry, item, turnAt: Math.min(entry.turnAt, entry.askUntil) }]
			: [],
	);
	const awaited = open.filter(({ answerBy }) => answerBy > now);
	const sessions = new Set(queued.map(({ session }) => session));
	const blocking = awaited.filter(({ session }) => session !== undefined && sessions.has(session));
	const busy = new Set(blocking.map(({ session }) => session));
	const first = queued.filter(({ session }) => {
		if (session === undefined) return true;
		const isFirst = !busy.has(session);
		busy.add(session);
		return isFirst;
	});
	const due = first.filter(({ turnAt }) => turnAt <= now + EARLY_WAKE_MS);
	return {
		open,
		awaited,
		watched: due.length < first.length ? blocking : awaited,
		blockedUntil: Math.min(...blocking.map(({ answerBy }) => answerBy)),
		due: due.map(({ item }) => item),
		turnAt: Math.min(...first.map(({ turnAt }) => turnAt)),
		endsAt: Math.max(
			...awaited.map(({ answerBy }) => answerBy),
			...queued.map(({ askUntil }) => askUntil),
		),
	};
}

/** When to stop waiting for the last answer or turn, in ms since the epoch. */
export function waitEndsAt(entries: readonly Entry[], now: number): number {
	return viewOf(entries, now).endsAt;
}

/** Whether to check what an earlier run has sent: by its plan, or since n8n runs the node for a reason that it does not know. */
function isCheckDue(plan: Plan | undefined, { runBeganAt }: Situation): boolean {
	if (plan === undefined) return true;
	if (plan.isCalledBack) return false;
	const { wakeAt, checkAt = Infinity } = plan;
	return checkAt <= runBeganAt + EARLY_WAKE_MS || runBeganAt < wakeAt - EARLY_WAKE_MS;
}

/** Quick answers that only checks bring are waited for a little; all answers, if the node can't park. */
function checkInProcess({ awaited }: View, situation: Situation): Step | undefined {
	const { canPark, answersBy, runId, runBeganAt, now, jitter } = situation;
	if (answersBy === 'person' || (canPark && answersBy === 'callback')) return undefined;
	const items = canPark ? awaited.filter(({ acceptedIn }) => acceptedIn === runId) : awaited;
	if (items.length === 0) return undefined;
	const givenUpAt = Math.max(...items.map(({ answerBy }) => answerBy));
	const ageMs = now - Math.max(...items.map(({ acceptedAt }) => acceptedAt));
	const { first, longest } = CHECK_INTERVAL_MS;
	const interval = Math.min(Math.max(first, ageMs), longest) * (0.8 + 0.4 * jitter);
	const at = Math.min(now + Math.max(interval, items.length * MS_BETWEEN_CHECKS), givenUpAt);
	return canPark && at > runBeganAt + IN_PROCESS_MS ? undefined : checkOf(items, at);
}

/** When a parked execution is to continue; undefined if the wait is over. */
function planWake(previous: Plan | undefined, view: View, situation: Situation): Plan | undefined {
	const { runId: id, answersBy, runBeganAt, now, timeoutAt = Infinity, jitter } = situation;
	const { open, watched, blockedUntil, turnAt, endsAt } = view;
	if (endsAt <= now) return undefined;

	// A planned check is not postponed by what happens before it.
	const { checkAt: plannedAt = Infinity } = previous ?? {};
	const isCheckOver = plannedAt <= now + EARLY_WAKE_MS;
	const hasNew = open.some(({ acceptedIn }) => acceptedIn === id);
	const round = previous === undefined || hasNew ? 0 : previous.round + (isCheckOver ? 1 : 0);
	const intervals = INTERVALS[answersBy];
	const isSoon = hasNew && now - runBeganAt >= SHORT_RUN_MS;
	const minutes = isSoon ? 0 : (intervals[Math.min(round, intervals.length - 1)] ?? 0);
	const interval = Math.max(
		SHORTEST_WAIT_MS + SPREAD_MS * jitter,
		isSoon ? 0 : open.length * MS_PER_ITEM,
		minutes * MINUTE_MS * (0.9 + 0.2 * jitter),
	);
	const nextCheckAt =
		watched.length > 0 ? Math.min(now + interval, isCheckOver ? Infinity : plannedAt) : Infinity;

	const { lastWakeAt = Infinity } = previous ?? { lastWakeAt: timeoutAt - BEFORE_TIMEOUT_MS };
	const isPastLastWake = now >= lastWakeAt;
	const until = Math.min(endsAt, blockedUntil);
	const wakeAt = isPastLastWake ? until : Math.min(nextCheckAt, until, turnAt, lastWakeAt);
	const checkAt = isPastLastWake ? until : Math.min(nextCheckAt, until, lastWakeAt);
	return {
		id,
		round,
		wakeAt,
		checkAt: watched.length > 0 ? checkAt : undefined,
		lastWakeAt: lastWakeAt === Infinity ? undefined : lastWakeAt,
		isPastLastWake,
		rejected: previous?.rejected,
		isCalledBack: false,
	};
}

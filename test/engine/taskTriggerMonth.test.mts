import type { INodeParameters } from 'n8n-workflow';

import { Random } from '../sandbox/random.mts';
import { type Sandbox, startSandbox } from '../sandbox/sandbox.mts';
import type { Task as ListedTask } from '../sandbox/state/tasks.mts';
import { pollingTrigger } from '../support/engine/engine.mts';
import { freshNodes } from '../support/engine/freshNodes.mts';

/** Every four hours of a month. */
const POLLS = 30 * 6;
const HOUR_MS = 3_600_000;
const SEED = process.env.FAST_CHECK_SEED ?? '1';
const REACHED = ['approved', 'sent'];
/** What puts a task further up or down on the list. */
const PRIORITIES = ['urgent', 'high', 'medium', 'low'];

interface Task {
	listed: ListedTask;
	isArchived: boolean;
	/** Since how many polls it has none of the statuses. */
	away: number;
	/** Whether the trigger may not have heard that it has left them. */
	isForgotten: boolean;
}

/** Something that has happened to a task, and how often that has started the workflow. */
interface Happening {
	/** Whether it has to; else it may, once. */
	must: boolean;
	starts: number;
}

/** A trigger, and what has happened that is for it. */
class WatchedTrigger {
	readonly event: string;
	readonly trigger: Awaited<ReturnType<typeof pollingTrigger>>;
	/** Starts that nothing has caused, or that are one too many. */
	readonly problems: string[] = [];
	/** By task, the last first. */
	readonly #happened = new Map<string, Happening[]>();

	constructor(event: string, trigger: WatchedTrigger['trigger']) {
		this.event = event;
		this.trigger = trigger;
	}

	get happenings() {
		return [...this.#happened.values()].flat();
	}

	/** The happenings that should have started the workflow, and have not. */
	get lost() {
		return [...this.#happened].flatMap(([id, all]) =>
			all.some(({ must, starts }) => must && starts === 0) ? `${this.event} ${id}` : [],
		);
	}

	happens(id: string, must: boolean) {
		this.#happened.set(id, [{ must, starts: 0 }, ...(this.#happened.get(id) ?? [])]);
	}

	isTold(id: string) {
		const [last] = this.#happened.get(id) ?? [];
		return last?.must !== true || last.starts > 0;
	}

	take(items: object[]) {
		for (const { id } of items as ListedTask[]) {
			const [last] = this.#happened.get(id) ?? [];
			if (last !== undefined) last.starts++;
			if (last?.starts !== 1)
				this.problems.push(`${this.event} ${id} at ${new Date().toISOString()}`);
		}
	}
}

/** The tasks of a month: how they come and change, and how badly the service lists them. */
class Month {
	readonly #sandbox: Sandbox;
	readonly #triggers: readonly WatchedTrigger[];
	readonly #isDurable: boolean;
	readonly #random = new Random(SEED);
	readonly #tasks: Task[] = [];
	/** What the service did not list at the last poll that reached it. */
	#missedBefore = new Set<Task>();
	/** What the service does not list at the moment. */
	#missed = new Set<Task>();

	constructor(service: Sandbox, triggers: readonly WatchedTrigger[], isDurable: boolean) {
		this.#sandbox = service;
		this.#triggers = triggers;
		this.#isDurable = isDurable;
	}

	add(status = 'open') {
		const listed = this.#sandbox.tasks.create({
			title: 'Task',
			status,
			priority: this.#anyPriority(),
		});
		const task = { listed, isArchived: false, away: Infinity, isForgotten: false };
		this.#tasks.push(task);
		return task;
	}

	/** Adds a few tasks, and changes some of those of which the triggers have told everything. */
	goOn() {
		for (let count = this.#random.between(0, 4); count > 1; count--) {
			const task = this.add();
			this.#happens('created', task);
			if (this.#chance(0.5)) this.#setDue(task);
		}
		for (const task of this.#tasks)
			if (this.#chance(0.02) && this.#isTold(task)) this.#change(task);
	}

	/** Has the service list all tasks, or leave some out and move another one between pages. */
	list(isWhole: boolean) {
		const share = isWhole ? 0 : this.#shareToMiss();
		this.#miss(share);
		const moved = this.#tasks[Math.floor(this.#random.between(0, this.#tasks.length))];
		const canMove = !isWhole && moved !== undefined && share < 0.1;
		// Between the first page and the next.
		const move = (page: string) => {
			if (canMove) this.#sandbox.tasks.update(moved.listed, { priority: this.#anyPriority() });
			return page;
		};
		this.#sandbox.faults.clear();
		if (this.#missedBefore.size < this.#tasks.length / 10)
			this.#sandbox.faults.add({ kind: 'body', match: 'GET /tasks', body: move });
	}

	/** What a new start of n8n makes a trigger forget: whether open tasks had a status before. */
	forget() {
		for (const task of this.#tasks) if (task.listed.status === 'open') task.isForgotten = true;
	}

	/** The triggers have seen the list. */
	isSeen() {
		for (const task of this.#tasks) if (task.listed.status === 'open') task.away++;
	}

	/** The triggers could not see the list. */
	isUnseen() {
		this.#missed = this.#missedBefore;
	}

	#chance(share: number) {
		return this.#random.between(0, 1) < share;
	}

	#anyPriority() {
		return PRIORITIES[Math.floor(this.#random.between(0, PRIORITIES.length))] ?? null;
	}

	#happens(event: string, { listed: { id } }: Task, must = true) {
		for (const each of this.#triggers) if (each.event === event) each.happens(id, must);
	}

	#isTold({ listed: { id } }: Task) {
		return this.#triggers.every((each) => each.isTold(id));
	}

	#setDue(task: Task) {
		// Due within what the trigger looks at, in whole seconds.
		const due = Math.floor((Date.now() + this.#random.between(2, 40) * HOUR_MS) / 1000) * 1000;
		this.#sandbox.tasks.update(task.listed, { complete_by: new Date(due).toISOString() });
		this.#happens('due', task);
	}

	#change(task: Task) {
		const { status } = task.listed;
		const hasReached = REACHED.includes(status);
		if (task.isArchived || this.#chance(0.1)) {
			task.isArchived = !task.isArchived;
			if (hasReached && !task.isArchived) this.#happens('statusReached', task, false);
		} else if (hasReached && this.#chance(0.6)) {
			this.#leave(task);
		} else if (status === 'open' && task.away >= 2) {
			this.#sandbox.tasks.update(task.listed, { status: 'approved' });
			this.#happens('statusReached', task, !task.isForgotten);
		} else this.#setDue(task);
	}

	/** Gives a task the other one of the statuses, or none of them. */
	#leave(task: Task) {
		const [other = ''] = REACHED.filter((each) => each !== task.listed.status);
		const isOther = this.#chance(0.5);
		this.#sandbox.tasks.update(task.listed, { status: isOther ? other : 'open' });
		if (isOther) this.#happens('statusReached', task);
		else Object.assign(task, { away: 0, isForgotten: this.#isDurable });
	}

	/** Which part of the tasks a list leaves out: seldom all or half of them. */
	#shareToMiss() {
		if (this.#chance(0.03)) return 1;
		return this.#chance(0.03) ? 0.5 : 0.02;
	}

	/** Leaves out tasks. One that a poll misses is on the next one's list, so that none has to be taken for gone. */
	#miss(share: number) {
		this.#missedBefore = this.#missed;
		this.#missed = new Set(
			this.#tasks.filter((task) => !this.#missedBefore.has(task) && this.#chance(share)),
		);
		for (const task of this.#tasks)
			this.#sandbox.tasks.update(task.listed, {
				archived: task.isArchived || this.#missed.has(task),
			});
	}
}

test.for(['ordinary', 'durable', 'durable with cursors'] as const)(
	'in a month in which tasks move between pages, lists are short or lag, keys are replaced and n8n is restarted, each event starts the workflow once (scheduler: %s)',
	{ timeout: 120_000 },
	async (scheduler) => {
		vi.useFakeTimers({ now: Date.UTC(2026, 4, 1, 6), toFake: ['Date', 'performance'] });
		onTestFinished(() => void vi.useRealTimers());
		const service = await startSandbox({ requestsPerMinute: Infinity });
		onTestFinished(() => service.close());
		service.tasks.clear();
		const credential = { apiKey: service.apiKey, baseUrl: service.baseUrl };
		const triggers = await Promise.all(
			Object.entries<INodeParameters>({
				created: {},
				statusReached: { statuses: REACHED },
				due: { daysBefore: 2 },
			}).map(async ([event, given]) => {
				const parameters = { ...given, event };
				return new WatchedTrigger(
					event,
					await pollingTrigger({ service, credential, scheduler, parameters }),
				);
			}),
		);
		const month = new Month(service, triggers, scheduler === 'durable');
		const replaceKey = (poll: number) => {
			if (poll === 50 || poll === 120) service.keys.clear();
			if (poll !== 62 && poll !== 132) return;
			credential.apiKey = `sk-svc-api1-of-poll-${poll}`;
			credential.baseUrl = `${service.baseUrl}/`;
			service.keys.set(credential.apiKey, undefined);
		};
		const restart = async () => {
			const nodes = await freshNodes();
			for (const each of triggers) each.take(await each.trigger.restart(nodes));
			month.forget();
		};
		const pollAll = async () => {
			for (const each of triggers) each.take(await each.trigger.poll());
			month.isSeen();
		};
		const failAll = async () => {
			for (const { trigger } of triggers) await expect(trigger.poll()).rejects.toThrow('API key');
			month.isUnseen();
		};

		for (let count = 0; count < 260; count++) month.add(count < 150 ? 'approved' : 'open');
		for (const { trigger } of triggers) expect(await trigger.register()).toEqual([]);
		for (let poll = 0; poll < POLLS; poll++) {
			vi.advanceTimersByTime(4 * HOUR_MS);
			month.goOn();
			const isRestart = poll % 60 === 55;
			// Started again, n8n polls twice at once.
			month.list(isRestart || poll > POLLS - 3);
			replaceKey(poll);
			if (isRestart) await restart();
			await (service.keys.size === 0 ? failAll() : pollAll());
		}
		const lost = triggers.flatMap((each) => each.lost);
		const problems = triggers.flatMap((each) => each.problems);
		expect({ lost, problems }).toEqual({ lost: [], problems: [] });
		for (const { happenings } of triggers) expect(happenings.length).toBeGreaterThan(200);
	},
);

import type { INodeParameters } from 'n8n-workflow';

import { Random } from '../sandbox/random.mts';
import { startSandbox } from '../sandbox/sandbox.mts';
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

test.for(['ordinary', 'durable', 'durable with cursors'] as const)(
	'in a month in which tasks move between pages, lists are short or lag, keys are replaced and n8n is restarted, each event starts the workflow once (scheduler: %s)',
	{ timeout: 120_000 },
	async (scheduler) => {
		vi.useFakeTimers({ now: Date.UTC(2026, 4, 1, 6), toFake: ['Date', 'performance'] });
		onTestFinished(() => void vi.useRealTimers());
		const random = new Random(SEED);
		const chance = (share: number) => random.between(0, 1) < share;
		const sandbox = await startSandbox({ requestsPerMinute: Infinity });
		onTestFinished(() => sandbox.close());
		sandbox.tasks.clear();
		const credential = { apiKey: sandbox.apiKey, baseUrl: sandbox.baseUrl };
		const tasks: Task[] = [];
		const anyPriority = () => PRIORITIES[Math.floor(random.between(0, PRIORITIES.length))] ?? null;
		const triggers = await Promise.all(
			Object.entries<INodeParameters>({
				created: {},
				statusReached: { statuses: REACHED },
				due: { daysBefore: 2 },
			}).map(async ([event, parameters]) => ({
				event,
				trigger: await pollingTrigger({
					sandbox,
					credential,
					scheduler,
					parameters: { ...parameters, event },
				}),
				/** By task, the last first. */
				happened: new Map<string, Happening[]>(),
			})),
		);
		const happens = (kind: string, { listed: { id } }: Task, must = true) => {
			for (const { event, happened } of triggers)
				if (event === kind) happened.set(id, [{ must, starts: 0 }, ...(happened.get(id) ?? [])]);
		};
		const isTold = ({ listed: { id } }: Task) =>
			triggers.every(({ happened }) => {
				const [last] = happened.get(id) ?? [];
				return last?.must !== true || last.starts > 0;
			});
		const add = (status = 'open') => {
			const listed = sandbox.tasks.create({ title: 'Task', status, priority: anyPriority() });
			const task = { listed, isArchived: false, away: Infinity, isForgotten: false };
			tasks.push(task);
			return task;
		};
		const setDue = (task: Task) => {
			// Due within what the trigger looks at, in whole seconds.
			const due = Math.floor((Date.now() + random.between(2, 40) * HOUR_MS) / 1000) * 1000;
			sandbox.tasks.update(task.listed, { complete_by: new Date(due).toISOString() });
			happens('due', task);
		};
		const change = (task: Task) => {
			const { status } = task.listed;
			const [other = ''] = REACHED.filter((each) => each !== status);
			const hasReached = REACHED.includes(status);
			if (task.isArchived || chance(0.1)) {
				task.isArchived = !task.isArchived;
				if (hasReached && !task.isArchived) happens('statusReached', task, false);
			} else if (hasReached && chance(0.6)) {
				const isOther = chance(0.5);
				sandbox.tasks.update(task.listed, { status: isOther ? other : 'open' });
				if (isOther) happens('statusReached', task);
				else Object.assign(task, { away: 0, isForgotten: scheduler === 'durable' });
			} else if (status === 'open' && task.away >= 2) {
				sandbox.tasks.update(task.listed, { status: 'approved' });
				happens('statusReached', task, !task.isForgotten);
			} else setDue(task);
		};
		const problems: string[] = [];
		/** What the service does not list at the moment. */
		let missed = new Set<Task>();
		const take = ({ event, happened }: (typeof triggers)[number], items: object[]) => {
			for (const { id } of items as ListedTask[]) {
				const [last] = happened.get(id) ?? [];
				if (last !== undefined) last.starts++;
				if (last?.starts !== 1) problems.push(`${event} ${id} at ${new Date().toISOString()}`);
			}
		};

		for (let count = 0; count < 260; count++) add(count < 150 ? 'approved' : 'open');
		for (const { trigger } of triggers) expect(await trigger.register()).toEqual([]);
		for (let poll = 0; poll < POLLS; poll++) {
			vi.advanceTimersByTime(4 * HOUR_MS);
			for (let count = random.between(0, 4); count > 1; count--) {
				const task = add();
				happens('created', task);
				if (chance(0.5)) setDue(task);
			}
			for (const task of tasks) if (chance(0.02) && isTold(task)) change(task);

			// A task that one poll misses is on the next one's list, so that none has to be taken for gone.
			const missedBefore = missed;
			const isRestart = poll % 60 === 55;
			// Started again, n8n polls twice at once.
			const isLast = isRestart || poll > POLLS - 3;
			const share = isLast ? 0 : chance(0.03) ? 1 : chance(0.03) ? 0.5 : 0.02;
			missed = new Set(tasks.filter((task) => !missedBefore.has(task) && chance(share)));
			for (const task of tasks)
				sandbox.tasks.update(task.listed, { archived: task.isArchived || missed.has(task) });
			const moved = tasks[Math.floor(random.between(0, tasks.length))];
			const canMove = !isLast && moved !== undefined && share < 0.1;
			// Between the first page and the next.
			const move = (page: string) => {
				if (canMove) sandbox.tasks.update(moved.listed, { priority: anyPriority() });
				return page;
			};
			sandbox.faults.clear();
			if (missedBefore.size < tasks.length / 10)
				sandbox.faults.add({ kind: 'body', match: 'GET /tasks', body: move });

			if (poll === 50 || poll === 120) sandbox.keys.clear();
			if (poll === 62 || poll === 132) {
				credential.apiKey = `sk-svc-api1-of-poll-${poll}`;
				credential.baseUrl = `${sandbox.baseUrl}/`;
				sandbox.keys.set(credential.apiKey, undefined);
			}
			const isFailing = sandbox.keys.size === 0;
			if (isRestart) {
				const nodes = await freshNodes();
				for (const each of triggers) take(each, await each.trigger.restart(nodes));
				for (const task of tasks) if (task.listed.status === 'open') task.isForgotten = true;
			}
			for (const each of triggers) {
				if (isFailing) await expect(each.trigger.poll()).rejects.toThrow('API key');
				else take(each, await each.trigger.poll());
			}
			if (isFailing) missed = missedBefore;
			else for (const task of tasks) if (task.listed.status === 'open') task.away++;
		}
		const lost = triggers.flatMap(({ event, happened }) =>
			[...happened].flatMap(([id, all]) =>
				all.some(({ must, starts }) => must && starts === 0) ? `${event} ${id}` : [],
			),
		);
		expect({ lost, problems }).toEqual({ lost: [], problems: [] });
		for (const { happened } of triggers)
			expect([...happened.values()].flat().length).toBeGreaterThan(200);
	},
);

import { Readable } from 'node:stream';

import type { IHttpRequestOptions, INodeParameters } from 'n8n-workflow';

import { Random } from '../sandbox/random.mts';
import { pollingTrigger } from '../support/engine/engine.mts';
import { freshNodes } from '../support/engine/freshNodes.mts';

/** Every four hours of a month. */
const POLLS = 30 * 6;
const HOUR_MS = 3_600_000;
const SEED = process.env.FAST_CHECK_SEED ?? '1';
const REACHED = ['approved', 'sent'];

interface Task {
	id: string;
	status: string;
	rank: number;
	due: number | null;
	isArchived: boolean;
	/** Since how many polls it has none of the statuses. */
	away: number;
	/** Whether the trigger may not have heard that it has left them. */
	isForgotten: boolean;
}

/** A service with one list, whose pages begin where the last one ended, by number: they shift with each change. */
class Service {
	tasks: Task[] = [];
	/** What it does not list at the moment. */
	hidden = new Set<string>();
	keys: Set<string>;
	/** Happens between two pages, once. */
	between: (() => void) | undefined;
	#key: () => string;

	constructor(key: () => string) {
		this.#key = key;
		this.keys = new Set([key()]);
	}

	respond({ url }: IHttpRequestOptions): unknown {
		const { pathname, searchParams: query } = new URL(url);
		const isKnown = this.keys.has(this.#key());
		const body = isKnown
			? pathname.endsWith('/me')
				? { customer_id: 'c', user_id: 'u' }
				: this.#page(query)
			: { message: 'Invalid API key' };
		return {
			statusCode: isKnown ? 200 : 401,
			headers: {},
			body: Readable.from([Buffer.from(JSON.stringify(body))]),
		};
	}

	#page(query: URLSearchParams): object {
		const from = Number(query.get('cursor') ?? 0);
		if (from > 0) this.between?.();
		if (from > 0) this.between = undefined;
		const statuses = query.get('status')?.split(',');
		const dueFrom = Date.parse(query.get('complete_by_from') ?? '');
		const dueTo = Date.parse(query.get('complete_by_to') ?? '');
		const matching = this.tasks
			.filter(({ id, isArchived }) => !isArchived && !this.hidden.has(id))
			.filter(({ status }) => statuses?.includes(status) ?? true)
			.filter(({ due }) => Number.isNaN(dueTo) || (due !== null && due >= dueFrom && due <= dueTo))
			.sort((one, other) => one.rank - other.rank || Number(other.id) - Number(one.id));
		return {
			tasks: matching.slice(from, from + 100).map(({ id, status, due }) => ({
				id,
				status,
				complete_by: due && new Date(due).toISOString(),
			})),
			next_cursor: from + 100 < matching.length ? String(from + 100) : null,
		};
	}
}

/** Something that has happened to a task, and how often that has started the workflow. */
interface Happening {
	/** Whether it has to; else it may, once. */
	must: boolean;
	starts: number;
}

test.for(['ordinary', 'durable', 'durable with cursors'] as const)(
	'in a month in which tasks move between pages, lists are short or lag, keys are replaced and n8n is restarted, each event starts the workflow once (scheduler: %s)',
	{ timeout: 60_000 },
	async (scheduler) => {
		vi.useFakeTimers({ now: Date.UTC(2026, 4, 1, 6), toFake: ['Date', 'performance'] });
		onTestFinished(() => void vi.useRealTimers());
		const random = new Random(SEED);
		const chance = (share: number) => random.between(0, 1) < share;
		const credential = {
			apiKey: `sk-svc-api1-${scheduler}`,
			baseUrl: 'https://legal.example/api/v1',
			webhookSecret: '',
		};
		const service = new Service(() => credential.apiKey);
		const { tasks } = service;
		const triggers = await Promise.all(
			Object.entries<INodeParameters>({
				created: {},
				statusReached: { statuses: REACHED },
				due: { daysBefore: 2 },
			}).map(async ([event, parameters]) => ({
				event,
				trigger: await pollingTrigger({
					sandbox: credential,
					credential,
					scheduler,
					parameters: { ...parameters, event },
					send: (options) => service.respond(options),
				}),
				/** By task, the last first. */
				happened: new Map<string, Happening[]>(),
			})),
		);
		const happens = (kind: string, { id }: Task, must = true) => {
			for (const { event, happened } of triggers)
				if (event === kind) happened.set(id, [{ must, starts: 0 }, ...(happened.get(id) ?? [])]);
		};
		const isTold = ({ id }: Task) =>
			triggers.every(({ happened }) => {
				const [last] = happened.get(id) ?? [];
				return last?.must !== true || last.starts > 0;
			});
		const add = () => {
			const task = {
				id: String(tasks.length),
				status: 'open',
				rank: Math.floor(random.between(0, 4)),
				due: null,
				isArchived: false,
				away: Infinity,
				isForgotten: false,
			};
			tasks.push(task);
			return task;
		};
		const setDue = (task: Task) => {
			// Due within what the trigger looks at, in whole seconds.
			task.due = Math.floor((Date.now() + random.between(2, 40) * HOUR_MS) / 1000) * 1000;
			happens('due', task);
		};
		const change = (task: Task) => {
			const [other = ''] = REACHED.filter((status) => status !== task.status);
			const hasReached = REACHED.includes(task.status);
			if (task.isArchived || chance(0.1)) {
				task.isArchived = !task.isArchived;
				if (hasReached && !task.isArchived) happens('statusReached', task, false);
			} else if (hasReached && chance(0.6)) {
				task.status = chance(0.5) ? other : 'open';
				if (task.status === other) happens('statusReached', task);
				else Object.assign(task, { away: 0, isForgotten: scheduler === 'durable' });
			} else if (task.status === 'open' && task.away >= 2) {
				task.status = 'approved';
				happens('statusReached', task, !task.isForgotten);
			} else setDue(task);
		};
		const problems: string[] = [];
		const take = ({ event, happened }: (typeof triggers)[number], items: object[]) => {
			for (const { id } of items as Task[]) {
				const [last] = happened.get(id) ?? [];
				if (last !== undefined) last.starts++;
				if (last?.starts !== 1) problems.push(`${event} ${id} at ${new Date().toISOString()}`);
			}
		};

		for (let count = 0; count < 260; count++) add().status = count < 150 ? 'approved' : 'open';
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
			const missedBefore = service.hidden;
			const isRestart = poll % 60 === 55;
			// Started again, n8n polls twice at once.
			const isLast = isRestart || poll > POLLS - 3;
			const share = isLast ? 0 : chance(0.03) ? 1 : chance(0.03) ? 0.5 : 0.02;
			const isMissed = ({ id }: Task) => !missedBefore.has(id) && chance(share);
			service.hidden = new Set(tasks.filter(isMissed).map(({ id }) => id));
			const moved = tasks[Math.floor(random.between(0, tasks.length))];
			const canMove = !isLast && moved !== undefined && share < 0.1;
			if (canMove && missedBefore.size < tasks.length / 10)
				service.between = () => void (moved.rank = Math.floor(random.between(0, 4)));

			if (poll === 50 || poll === 120) service.keys.clear();
			if (poll === 62 || poll === 132) {
				credential.apiKey = `sk-svc-api1-${scheduler}-${poll}`;
				credential.baseUrl += '/';
				service.keys.add(credential.apiKey);
			}
			const isFailing = service.keys.size === 0;
			if (isRestart) {
				const nodes = await freshNodes();
				for (const each of triggers) take(each, await each.trigger.restart(nodes));
				for (const task of tasks) if (task.status === 'open') task.isForgotten = true;
			}
			for (const each of triggers) {
				if (isFailing) await expect(each.trigger.poll()).rejects.toThrow('API key');
				else take(each, await each.trigger.poll());
			}
			if (isFailing) [service.hidden, service.between] = [missedBefore, undefined];
			else for (const task of tasks) if (task.status === 'open') task.away++;
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

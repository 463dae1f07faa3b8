import { channel } from 'node:diagnostics_channel';
import type { ClientRequest, ServerResponse } from 'node:http';

const real = { Date, setTimeout, setInterval, clearTimeout, clearInterval };
const realNow = performance.now.bind(performance);

/** What a process keeps over a test, such as the pace of requests, is as new in the next. */
const BETWEEN_TESTS_MS = 3_600_000;
/** Longer than anything takes that ends by itself. */
const LONGEST_MS = 24 * 3_600_000;
/** The longest that requests within this process take, in real ms. */
const REST_MS = 20_000;
/** Turns of the event loop without anything under way after which nothing more comes of itself. */
const QUIET_TURNS = 6;

interface Timer {
	due: number;
	readonly span: number;
	readonly again: boolean;
	readonly run: () => void;
}

let time = 0;
let underWay = 0;
const timers = new Map<object, Timer>();

/**
 * Makes time stand still for everything in this process: `Date`, `setTimeout`, `setInterval`, `performance.now`. It moves only when told,
 * from one timer to the next, and never while an HTTP request or its response is on its way within this process: the
 * same steps give the same times.
 *
 * What runs inside Node itself (the time-outs of sockets and signals) and `timers/promises` keep real time.
 */
export function install(startsAt = 1_800_000_000_000): void {
	uninstall();
	time = startsAt;
	globalThis.Date = new Proxy(real.Date, {
		construct: (target, given: unknown[], newTarget: typeof Date): Date =>
			Reflect.construct(target, given.length === 0 ? [time] : given, newTarget) as Date,
		apply: () => new real.Date(time).toString(),
		get: (target, name, receiver): unknown => (name === 'now' ? () => time : Reflect.get(target, name, receiver)),
	});
	globalThis.setTimeout = timerFunction(real.setTimeout, false);
	globalThis.setInterval = timerFunction(real.setInterval, true);
	globalThis.clearTimeout = clearing(real.clearTimeout);
	globalThis.clearInterval = clearing(real.clearInterval);
	const startsFrom = performance.now() + BETWEEN_TESTS_MS;
	performance.now = () => startsFrom + time - startsAt;
	follow(true);
}

/** Back to real time. What was set before never fires; `performance.now`, which never goes back, stays ahead. */
export function uninstall(): void {
	const ahead = performance.now() - realNow();
	Object.assign(globalThis, real);
	performance.now = () => realNow() + ahead;
	timers.clear();
	follow(false);
}

/** Lets so many milliseconds pass; what falls due in them runs in its order, each once the one before has come to rest. */
export async function pass(ms: number): Promise<void> {
	const end = time + ms;
	await rest();
	while (fireNext(end)) await rest();
	time = end;
}

/**
 * Waits for something. Time passes only where nothing is under way but timers.
 *
 * @throws where nothing more can come of itself
 */
export async function settle<Result>(promise: Promise<Result>): Promise<Result> {
	const state = { settled: false };
	const done = (): void => {
		state.settled = true;
	};
	promise.then(done, done);
	const end = time + LONGEST_MS;
	for (;;) {
		await rest(() => state.settled);
		if (state.settled) return await promise;
		if (!fireNext(end)) throw new Error('Nothing is under way anymore, and it has not ended');
	}
}

/**
 * Resolves once no request is under way, or once it is enough.
 *
 * @throws where a request has no end
 */
export async function rest(enough = (): boolean => false): Promise<void> {
	const began = realNow();
	for (let quiet = 0; quiet < QUIET_TURNS && !enough(); quiet += 1) {
		await new Promise((resolve) => setImmediate(resolve));
		if (underWay > 0) quiet = -1;
		if (realNow() - began > REST_MS) throw new Error(`${underWay} requests have no end`);
	}
}

function fireNext(until: number): boolean {
	const [next] = [...timers].sort(([, one], [, other]) => one.due - other.due);
	if (next === undefined || next[1].due > until) return false;
	const [handle, timer] = next;
	time = Math.max(time, timer.due);
	if (timer.again) timer.due = time + timer.span;
	else timers.delete(handle);
	timer.run();
	return true;
}

function timerFunction<Function extends typeof setTimeout | typeof setInterval>(timer: Function, again: boolean): Function {
	return new Proxy(timer, {
		apply: (_target, _self, [run, ms = 0, ...given]: [(...given: unknown[]) => void, number?, ...unknown[]]): unknown => {
			const span = Math.max(ms, 1);
			const handle = {
				ref: () => handle,
				unref: () => handle,
				hasRef: () => true,
				refresh: () => {
					const entry = timers.get(handle);
					if (entry !== undefined) entry.due = time + span;
					else set();
					return handle;
				},
				close: () => void timers.delete(handle),
				[Symbol.dispose]: () => void timers.delete(handle),
			};
			const set = (): void => {
				// A span that no timer can hold ends at once in Node; here it never ends, like the longest one.
				if (span < 2 ** 31 - 1) timers.set(handle, { due: time + span, span, again, run: () => { run(...given); } });
			};
			set();
			return handle;
		},
	});
}

function clearing<Function extends typeof clearTimeout>(clear: Function): Function {
	return new Proxy(clear, {
		apply: (target, self, [handle]: [unknown]): void => {
			if (typeof handle === 'object' && handle !== null && timers.delete(handle)) return;
			if (handle instanceof TimeoutHandle) Reflect.apply(target, self, [handle]);
		},
	});
}

const TimeoutHandle = real.setTimeout(() => undefined, 0).constructor as new () => object;

const began = (): void => void (underWay += 1);
const ended = (): void => void (underWay -= 1);
const nodeRequest = (message: unknown): void => {
	began();
	(message as { request: ClientRequest }).request.once('close', ended);
};
/** While a server of this process has a request, it is not on its way: what is done with it may have to wait for time. */
const atServer = (message: unknown): void => {
	ended();
	(message as { response: ServerResponse }).response.once('close', began);
};
const watched: [string, (message: unknown) => void][] = [
	['http.client.request.created', nodeRequest],
	['http.server.request.start', atServer],
	['undici:request:create', began],
	['undici:request:trailers', ended],
	['undici:request:error', ended],
];

/** Counts the HTTP requests that are on their way between clients and servers of this process. */
function follow(on: boolean): void {
	underWay = 0;
	for (const [name, watch] of watched) {
		if (on) channel(name).subscribe(watch);
		else channel(name).unsubscribe(watch);
	}
}

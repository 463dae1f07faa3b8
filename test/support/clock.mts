import { channel } from 'node:diagnostics_channel';
import { ClientRequest, type IncomingMessage, type ServerResponse } from 'node:http';

const real = {
	setInterval,
	clearInterval,
	performanceNow: performance.now.bind(performance),
	random: Math.random.bind(Math),
	abortTimeout: AbortSignal.timeout.bind(AbortSignal),
	requestTimeout: Object.getOwnPropertyDescriptor(ClientRequest.prototype, 'setTimeout') ?? {},
};

/** At most this much real time, in ms, counts between two turns of the event loop. */
const LONGEST_TURN_MS = 4;
/** What a process keeps over a test, such as the pace of requests, is as new in the next. */
const BETWEEN_TESTS_MS = 3_600_000;
/** Longer than anything takes that ends by itself. */
const LONGEST_MS = 24 * 3_600_000;
/** The longest that requests within this process take, in real ms. */
const REST_MS = 20_000;
/** Turns of the event loop without anything under way after which nothing more comes of itself. */
const QUIET_TURNS = 6;

interface AtServer {
	request: IncomingMessage;
	response: ServerResponse;
}

let ticking: ReturnType<typeof setInterval> | undefined;
/** The HTTP requests on their way between clients and servers of this process. Those of one test may end in the next. */
let underWay = 0;
/** What servers of this process are at. */
const atServers = new Set<AtServer>();

/**
 * Makes time stand still for everything in this process, n8n-core and a sandbox in it included. It moves only when told, from
 * one timer to the next, and never while an HTTP request or its response is on its way within this process; and what the
 * node spreads at random is always in the middle. So the same steps give the same times.
 */
export function stopClock(startsAt = 1_800_000_000_000) {
	releaseClock();
	Math.random = () => 0.5;
	replaceTime(startsAt, BETWEEN_TESTS_MS);
}

/**
 * Makes time run faster for everything in this process, so that an answer of five minutes takes five seconds at a factor of 60.
 *
 * It counts turns of the event loop, not real time: if the machine is busy and this process has to wait, its time stands
 * still, so that no request times out because of other processes.
 */
export function accelerateClock(factor: number) {
	releaseClock();
	replaceTime(Date.now());
	let seen = real.performanceNow();
	ticking = real.setInterval(() => {
		const turn = real.performanceNow();
		vi.advanceTimersByTime(Math.min(turn - seen, LONGEST_TURN_MS) * factor);
		seen = turn;
	}, 1);
	ticking.unref();
}

/** Returns to real time. What was set before never fires; `performance.now`, which never goes back, stays ahead. */
export function releaseClock() {
	const ahead = performance.now() - real.performanceNow();
	real.clearInterval(ticking);
	vi.useRealTimers();
	Math.random = real.random;
	performance.now = () => real.performanceNow() + ahead;
	AbortSignal.timeout = real.abortTimeout;
	Object.defineProperty(ClientRequest.prototype, 'setTimeout', real.requestTimeout);
}

/** What runs inside Node itself (keep-alive, DNS) and `timers/promises` keep real time. */
function replaceTime(startsAt: number, ahead = 0) {
	const startsFrom = performance.now() + ahead;
	vi.useFakeTimers({
		now: startsAt,
		toFake: ['Date', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'],
	});
	performance.now = () => startsFrom + Date.now() - startsAt;
	AbortSignal.timeout = abortTimeout;
	Object.defineProperty(ClientRequest.prototype, 'setTimeout', {
		...real.requestTimeout,
		value: requestTimeout,
	});
}

function abortTimeout(ms: number) {
	const timeUp = new AbortController();
	setTimeout(() => {
		timeUp.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'));
	}, ms);
	return timeUp.signal;
}

/** `ClientRequest.setTimeout`, counted from now on. */
function requestTimeout(this: ClientRequest, ms: number, onTimeout?: () => void) {
	if (onTimeout !== undefined) this.once('timeout', onTimeout);
	const timer = setTimeout(() => this.emit('timeout'), ms);
	this.once('close', () => {
		clearTimeout(timer);
	});
	return this;
}

/** Lets so many milliseconds pass on the stopped clock; what falls due in them runs in its order, each once the one before has come to rest. */
export async function pass(ms: number) {
	await settle(new Promise<void>((resolve) => setTimeout(resolve, ms)));
	await rest();
}

/**
 * Waits for something. The stopped clock moves only where nothing is under way but timers.
 *
 * @throws where nothing more can come of itself
 */
export async function settle<Result>(promise: Promise<Result>) {
	const state = { settled: false };
	const done = () => {
		state.settled = true;
	};
	promise.then(done, done);
	const end = Date.now() + LONGEST_MS;
	for (;;) {
		await rest(() => state.settled);
		if (state.settled) return await promise;
		if (vi.getTimerCount() === 0 || Date.now() > end)
			throw new Error('Nothing is under way anymore, and it has not ended');
		vi.advanceTimersToNextTimer();
	}
}

/**
 * Resolves once no request is under way, or once it is enough.
 *
 * @throws where a request has no end
 */
export async function rest(enough = () => false) {
	const began = real.performanceNow();
	let quiet = 0;
	while (quiet < QUIET_TURNS && !enough()) {
		await new Promise((resolve) => setImmediate(resolve));
		const transferring =
			underWay +
			[...atServers].filter(({ request, response }) => !request.complete || response.writableEnded)
				.length;
		quiet = transferring > 0 ? 0 : quiet + 1;
		if (real.performanceNow() - began > REST_MS)
			throw new Error(`${transferring} requests have no end`);
	}
}

const began = () => void (underWay += 1);
const ended = () => void (underWay -= 1);
const nodeRequest = (message: unknown) => {
	began();
	(message as { request: ClientRequest }).request.once('close', ended);
};
/** While a server of this process is at a request, it is not on its way: what is done with it may have to wait for time. */
const atServer = (message: unknown) => {
	const exchange = message as AtServer;
	ended();
	atServers.add(exchange);
	exchange.response.once('close', () => {
		atServers.delete(exchange);
		began();
	});
};
const watches = [
	['http.client.request.created', nodeRequest],
	['http.server.request.start', atServer],
	['undici:request:create', began],
	['undici:request:trailers', ended],
	['undici:request:error', ended],
] as const;

/** Counts the requests on their way within this process: {@link rest} needs it. Gives what ends that. */
export function watchRequests() {
	for (const [name, watch] of watches) channel(name).subscribe(watch);
	return () => {
		for (const [name, watch] of watches) channel(name).unsubscribe(watch);
	};
}

/** A clock that stands still until it is told to move. */
export const stoppedClock = { pass, settle, rest };
export type StoppedClock = typeof stoppedClock;

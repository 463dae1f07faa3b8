import { ClientRequest } from 'node:http';

const real = {
	Date,
	setTimeout,
	setInterval,
	clearInterval,
	performanceNow: performance.now.bind(performance),
	abortTimeout: AbortSignal.timeout.bind(AbortSignal),
	requestTimeout: Object.getOwnPropertyDescriptor(ClientRequest.prototype, 'setTimeout') ?? {},
};

/** At most this much real time, in ms, counts between two turns of the event loop. */
const LONGEST_TURN_MS = 4;
/** How many times a timer is checked until it is due. */
const CHECKS = 8;

let ticking: ReturnType<typeof setInterval> | undefined;
let time = 0;

/**
 * Makes time run faster for everything in this process: `Date`, `setTimeout`, `setInterval`, `performance.now`, and the timeouts
 * of HTTP requests and signals. Nodes, n8n-core and a sandbox in this process share the faster time, so that an answer of five
 * minutes takes five seconds at a factor of 60.
 *
 * It counts turns of the event loop, not real time: if the machine is busy and this process has to wait, its time stands
 * still, so that no request times out because of other processes.
 *
 * What runs inside Node itself (keep-alive, DNS) and `timers/promises` keep real time.
 */
export function install(factor = 60): void {
	if (!(factor >= 1)) throw new RangeError(`A clock can't run ${factor} times faster`);
	uninstall();
	startTicking(factor);

	globalThis.Date = new Proxy(real.Date, {
		construct: (target, given: unknown[], newTarget: typeof Date): Date =>
			Reflect.construct(target, given.length === 0 ? [now()] : given, newTarget) as Date,
		apply: () => new real.Date(now()).toString(),
		get: (target, name, receiver): unknown => (name === 'now' ? now : Reflect.get(target, name, receiver)),
	});
	globalThis.setTimeout = onClock(real.setTimeout, factor, false);
	globalThis.setInterval = onClock(real.setInterval, factor, true);
	const [began, startedAt] = [time, performance.now()];
	performance.now = () => startedAt + time - began;
	AbortSignal.timeout = abortTimeout;
	Object.defineProperty(ClientRequest.prototype, 'setTimeout', { ...real.requestTimeout, value: requestTimeout });
}

/** Returns to real time. Timers that were set before fire soon; `performance.now`, which never goes back, stays ahead. */
export function uninstall(): void {
	const ahead = performance.now() - real.performanceNow();
	real.clearInterval.call(globalThis, ticking);
	ticking = undefined;
	globalThis.Date = real.Date;
	globalThis.setTimeout = real.setTimeout;
	globalThis.setInterval = real.setInterval;
	performance.now = () => real.performanceNow() + ahead;
	AbortSignal.timeout = real.abortTimeout;
	Object.defineProperty(ClientRequest.prototype, 'setTimeout', real.requestTimeout);
}

/** Ticks with the event loop, and does not keep the process alive. */
function startTicking(factor: number): void {
	time = real.Date.now();
	let seen = real.performanceNow();
	ticking = real.setInterval(() => {
		const turn = real.performanceNow();
		time += Math.min(turn - seen, LONGEST_TURN_MS) * factor;
		seen = turn;
	}, 1);
	ticking.unref();
}

function now(): number {
	return Math.floor(time);
}

/** A timer that checks the clock until it is due. Its handle is a real one. */
function onClock<Timer extends typeof setTimeout | typeof setInterval>(
	timer: Timer,
	factor: number,
	again: boolean,
): Timer {
	return new Proxy(timer, {
		apply: (_target, _self, [run, ms = 0, ...given]: [(...given: unknown[]) => void, number?, ...unknown[]]): unknown => {
			const span = Math.max(ms, 1);
			let due = now() + span;
			const check = (): void => {
				const isDue = now() >= due || ticking === undefined;
				if (isDue) due += span;
				if (!isDue || again) handle.refresh();
				if (isDue) run(...given);
			};
			const handle = real.setTimeout(check, span / factor / CHECKS);
			return handle;
		},
	});
}

/** `AbortSignal.timeout` on the faster clock; like it, it never keeps the process alive. */
function abortTimeout(ms: number): AbortSignal {
	const timeUp = new AbortController();
	setTimeout(() => {
		timeUp.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'));
	}, ms).unref();
	return timeUp.signal;
}

/** `ClientRequest.setTimeout` on the faster clock, counted from now on. */
function requestTimeout(this: ClientRequest, ms: number, onTimeout?: () => void): ClientRequest {
	if (onTimeout !== undefined) this.once('timeout', onTimeout);
	const timer = setTimeout(() => this.emit('timeout'), ms);
	this.once('close', () => {
		clearTimeout(timer);
	});
	return this;
}

import { ClientRequest } from 'node:http';

const real = {
	Date,
	setTimeout,
	setInterval,
	requestTimeout: Object.getOwnPropertyDescriptor(ClientRequest.prototype, 'setTimeout') ?? {},
};

/**
 * Makes time run faster for everything in this process: `Date`, `setTimeout`, `setInterval`, and the time-out of HTTP
 * requests. Nodes, n8n-core and a sandbox in this process share the one faster time, so that an answer of five minutes
 * takes five seconds at a factor of 60. What runs inside Node itself (keep-alive, DNS, TCP) stays as it is, so a factor
 * is too large once a real round trip takes noticeable accelerated time.
 *
 * `timers/promises` and `performance.now()` keep real time.
 */
export function install(factor = 60): void {
	if (!(factor >= 1)) throw new RangeError(`A clock can't run ${factor} times faster`);
	uninstall();
	const startedAt = real.Date.now();
	const started = performance.now();
	const now = (): number => Math.floor(startedAt + (performance.now() - started) * factor);

	globalThis.Date = new Proxy(real.Date, {
		construct: (target, given: unknown[], newTarget: typeof Date): Date =>
			Reflect.construct(target, given.length === 0 ? [now()] : given, newTarget) as Date,
		apply: () => new real.Date(now()).toString(),
		get: (target, name, receiver): unknown => (name === 'now' ? now : Reflect.get(target, name, receiver)),
	});
	globalThis.setTimeout = scaled(real.setTimeout, factor);
	globalThis.setInterval = scaled(real.setInterval, factor);
	Object.defineProperty(ClientRequest.prototype, 'setTimeout', {
		...real.requestTimeout,
		value(this: ClientRequest, ms: number, onTimeout?: () => void): unknown {
			const { value } = real.requestTimeout as { value: (this: ClientRequest, ...given: unknown[]) => unknown };
			return value.call(this, Math.ceil(ms / factor), onTimeout);
		},
	});
}

/** Back to real time. Timers that were set keep their time. */
export function uninstall(): void {
	globalThis.Date = real.Date;
	globalThis.setTimeout = real.setTimeout;
	globalThis.setInterval = real.setInterval;
	Object.defineProperty(ClientRequest.prototype, 'setTimeout', real.requestTimeout);
}

function scaled<Timer extends typeof setTimeout | typeof setInterval>(timer: Timer, factor: number): Timer {
	return new Proxy(timer, {
		apply: (target, self, [run, ms, ...given]: [unknown, number | undefined, ...unknown[]]): unknown =>
			Reflect.apply(target, self, [run, (ms ?? 0) / factor, ...given]),
	});
}

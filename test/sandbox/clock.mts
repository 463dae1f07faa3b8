interface Timer {
	due: number;
	run: () => void;
	handle: ReturnType<typeof setTimeout> | undefined;
}

const LONGEST_TIMEOUT = 2 ** 31 - 1;

/**
 * The one source of time in the sandbox. It reads the global `Date` and `setTimeout` at each call, so that it follows
 * a test's fake clock. All values are sandbox milliseconds: `timeScale` of them pass in one millisecond of real time.
 */
export class Clock {
	timeScale;
	#start = Date.now();
	#timers = new Set<Timer>();
	#skipped = 0;

	constructor(timeScale: number) {
		this.timeScale = timeScale;
	}

	now() {
		return this.#start + this.#skipped + (Date.now() - this.#start) * this.timeScale;
	}

	/** How long a span of sandbox time takes in reality, in milliseconds. */
	wall(ms: number) {
		return ms / this.timeScale;
	}

	/** Runs `run` after `ms` sandbox milliseconds; the returned function cancels it. A span too long for a timer never ends. */
	after(ms: number, run: () => void) {
		const timer = { due: this.now() + ms, run, handle: undefined };
		this.#timers.add(timer);
		this.#arm(timer);
		return () => {
			this.#drop(timer);
		};
	}

	sleep(ms: number): Promise<void> {
		return new Promise((resolve) => void this.after(ms, resolve));
	}

	/** Skips `ms` sandbox milliseconds: what is due in them runs with the next timers, in order. */
	advance(ms: number) {
		this.#skipped += ms;
		for (const timer of [...this.#timers].sort((a, b) => a.due - b.due)) this.#arm(timer);
	}

	cancelAll() {
		for (const timer of this.#timers) this.#drop(timer);
	}

	#arm(timer: Timer) {
		clearTimeout(timer.handle);
		const wait = Math.max(0, this.wall(timer.due - this.now()));
		if (wait > LONGEST_TIMEOUT) return;
		timer.handle = setTimeout(() => {
			this.#timers.delete(timer);
			timer.run();
		}, wait);
	}

	#drop(timer: Timer) {
		clearTimeout(timer.handle);
		this.#timers.delete(timer);
	}
}

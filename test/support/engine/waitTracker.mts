import type { Database } from './database.mts';

const CHECKS_EVERY_MS = 60_000;
const CHECKS_AHEAD_MS = 70_000;

/**
 * Wakes parked executions once their time to wait is over, as n8n's wait tracker does: every minute it sets timers for
 * those that are due soon. A timer is not removed if something else resumes its execution.
 */
export class WaitTracker {
	#database: Database;
	#wake: (id: string) => Promise<void>;
	#timers = new Map<string, ReturnType<typeof setTimeout>>();
	#checking: ReturnType<typeof setInterval>;

	constructor(database: Database, wake: (id: string) => Promise<void>) {
		this.#database = database;
		this.#wake = wake;
		this.#checking = setInterval(() => {
			this.#check();
		}, CHECKS_EVERY_MS);
		this.#check();
	}

	stop() {
		clearInterval(this.#checking);
		for (const timer of this.#timers.values()) clearTimeout(timer);
	}

	#check() {
		for (const { id, status, waitTill } of this.#database.all()) {
			if (status !== 'waiting' || waitTill === undefined || this.#timers.has(id)) continue;
			const left = waitTill.getTime() - Date.now();
			if (left > CHECKS_AHEAD_MS) continue;
			const wake = () => {
				this.#timers.delete(id);
				// If something else has resumed it meanwhile, n8n only logs that.
				this.#wake(id).catch(() => undefined);
			};
			this.#timers.set(id, setTimeout(wake, left));
		}
	}
}

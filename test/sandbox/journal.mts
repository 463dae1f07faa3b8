// Node's own timers: a test may have replaced the global ones with a clock of its own, on which a minute is over in no time.
import { clearTimeout, setTimeout } from 'node:timers';

/** What happened, in order. Tests read it and wait for entries, so that none of them has to sleep. */
export class Journal<Entry> {
	entries: Entry[] = [];
	#what;
	#waiters = new Set<(entry: Entry) => void>();

	/** @param what names an entry in the message of a wait that timed out */
	constructor(what: string) {
		this.#what = what;
	}

	add(entry: Entry) {
		this.entries.push(entry);
		this.changed(entry);
		return entry;
	}

	/** Tells those who wait that an entry has changed. */
	changed(entry: Entry) {
		for (const look of this.#waiters) look(entry);
	}

	clear() {
		this.entries.length = 0;
	}

	/** The first entry, past or future, that matches the predicate. Fails after `within` milliseconds of real time. */
	waitFor(predicate: (entry: Entry) => boolean, within = 30_000): Promise<Entry> {
		return new Promise((resolve, reject) => {
			const end = () => {
				clearTimeout(timer);
				this.#waiters.delete(look);
			};
			const look = (entry: Entry) => {
				if (!predicate(entry)) return;
				end();
				resolve(entry);
			};
			const timer = setTimeout(() => {
				end();
				reject(
					new Error(`No such ${this.#what} within ${within} ms (${this.entries.length} seen)`),
				);
			}, within);
			this.#waiters.add(look);
			this.entries.forEach(look);
		});
	}
}

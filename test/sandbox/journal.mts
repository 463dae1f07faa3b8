interface Waiter<Entry> {
	readonly predicate: (entry: Entry) => boolean;
	readonly found: (entry: Entry) => void;
}

/** What happened, in order, for tests to read and to wait on: none of them has to sleep. */
export class Journal<Entry> {
	readonly entries: Entry[] = [];
	readonly #what: string;
	readonly #waiters = new Set<Waiter<Entry>>();

	/** @param what one entry's name in the message of a wait that ran out */
	constructor(what: string) {
		this.#what = what;
	}

	add(entry: Entry): Entry {
		this.entries.push(entry);
		this.changed(entry);
		return entry;
	}

	/** Shows an entry that has changed to those who wait. */
	changed(entry: Entry): void {
		for (const waiter of this.#waiters) if (waiter.predicate(entry)) waiter.found(entry);
	}

	clear(): void {
		this.entries.length = 0;
	}

	/** The first entry, past or to come, that the predicate holds for. Fails after `within` wall milliseconds. */
	waitFor(predicate: (entry: Entry) => boolean, within = 10_000): Promise<Entry> {
		const past = this.entries.find(predicate);
		if (past !== undefined) return Promise.resolve(past);
		return new Promise((resolve, reject) => {
			const waiter: Waiter<Entry> = {
				predicate,
				found: (entry) => {
					end();
					resolve(entry);
				},
			};
			const timer = setTimeout(() => {
				end();
				reject(new Error(`No such ${this.#what} within ${within} ms (${this.entries.length} seen)`));
			}, within);
			const end = (): void => {
				clearTimeout(timer);
				this.#waiters.delete(waiter);
			};
			this.#waiters.add(waiter);
		});
	}
}

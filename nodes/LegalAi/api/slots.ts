/** A bounded number of slots: what runs in one waits until one is free, first come, first served. */
export class Slots {
	private readonly queue: Array<() => void> = [];

	private free: number;

	constructor(count: number) {
		this.free = count;
	}

	/** Runs a task in a slot. */
	async run<T>(task: () => Promise<T>): Promise<T> {
		if (this.free > 0) this.free--;
		else await new Promise<void>((resolve) => this.queue.push(resolve));
		try {
			return await task();
		} finally {
			const next = this.queue.shift();
			if (next === undefined) this.free++;
			else next();
		}
	}
}

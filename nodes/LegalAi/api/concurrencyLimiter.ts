/** Bounds how much is under way at once, first come, first served. */
export class ConcurrencyLimiter {
	private readonly queue: Array<() => void> = [];

	private free: number;

	constructor(limit: number) {
		this.free = limit;
	}

	/** Resolves when there is room. Each call must be followed by a {@link release}. */
	async acquire(): Promise<void> {
		if (this.free > 0) this.free--;
		else await new Promise<void>((resolve) => this.queue.push(resolve));
	}

	release(): void {
		const next = this.queue.shift();
		if (next === undefined) this.free++;
		else next();
	}
}

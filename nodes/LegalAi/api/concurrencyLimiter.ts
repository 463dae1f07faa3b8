/** How many may run before the first has succeeded. */
const FIRST_LIMIT = 5;

/** Limits how many run at once. It allows one more with each success and one less with each failure, so that few are running at a first one. */
export class ConcurrencyLimiter {
	private readonly most: number;
	private readonly queue: Array<() => void> = [];
	private limit: number;
	private underWay = 0;

	constructor(most: number) {
		this.most = most;
		this.limit = Math.min(FIRST_LIMIT, most);
	}

	/** Resolves when there is room. Each call must be followed by a {@link release}. */
	async acquire(): Promise<void> {
		if (this.underWay < this.limit) this.underWay++;
		else await new Promise<void>((resolve) => this.queue.push(resolve));
	}

	release(succeeded: boolean): void {
		this.underWay--;
		this.limit = succeeded ? Math.min(this.limit + 1, this.most) : Math.max(this.limit - 1, 1);
		for (const next of this.queue.splice(0, this.limit - this.underWay)) {
			this.underWay++;
			next();
		}
	}
}

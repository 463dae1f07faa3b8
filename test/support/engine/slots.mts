/** n8n's limit of executions that run at once (`N8N_CONCURRENCY_PRODUCTION_LIMIT`). The others wait for their turn. */
export class Slots {
	/** Default: no limit. */
	limit = Infinity;
	#taken = 0;
	#waiting: (() => void)[] = [];

	/** Resolves once a slot is free, with what gives it back. */
	async take() {
		if (this.#taken < this.limit) this.#taken += 1;
		else await new Promise<void>((resolve) => this.#waiting.push(resolve));
		return () => {
			const next = this.#waiting.shift();
			if (next === undefined) this.#taken -= 1;
			else next();
		};
	}
}

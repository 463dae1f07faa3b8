/** A map for what a process keeps for all executions: beyond a number of entries, those that were set longest ago go first. */
export class BoundedMap<Key, Value> extends Map<Key, Value> {
	private readonly most: number;

	constructor(most: number) {
		super();
		this.most = most;
	}

	override set(key: Key, value: Value): this {
		this.delete(key);
		super.set(key, value);
		for (const oldest of this.keys()) {
			if (this.size <= this.most) break;
			this.delete(oldest);
		}
		return this;
	}
}

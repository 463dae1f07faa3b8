/** A map for what a process keeps for all executions: beyond a size, the entries that were set longest ago go first. */
export class BoundedMap<Key, Value> extends Map<Key, Value> {
	private readonly most: number;
	private readonly sizeOf: (value: Value) => number;
	private total = 0;

	/** @param sizeOf what an entry counts; it must stay the same for a value */
	constructor(most: number, sizeOf: (value: Value) => number = () => 1) {
		super();
		this.most = most;
		this.sizeOf = sizeOf;
	}

	override set(key: Key, value: Value): this {
		this.delete(key);
		super.set(key, value);
		this.total += this.sizeOf(value);
		for (const oldest of this.keys()) {
			if (this.total <= this.most || oldest === key) break;
			this.delete(oldest);
		}
		return this;
	}

	override delete(key: Key): boolean {
		const value = this.get(key);
		if (value !== undefined) this.total -= this.sizeOf(value);
		return super.delete(key);
	}
}

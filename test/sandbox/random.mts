/** Numbers and ids that look random and are the same for the same seed. */
export class Random {
	#state: number;

	constructor(seed: number) {
		this.#state = seed >>> 0;
	}

	/** The next number in [0, 1). */
	next(): number {
		this.#state = (this.#state + 0x6d2b79f5) >>> 0;
		let mixed = this.#state;
		mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	}

	/** Evenly distributed between the two. Between infinity and infinity there is only infinity. */
	between(min: number, max: number): number {
		const share = this.next();
		return min === max ? min : min + share * (max - min);
	}

	hex(digits: number): string {
		return Array.from({ length: digits }, () => Math.floor(this.next() * 16).toString(16)).join('');
	}

	/** A version 4 UUID. */
	uuid(): string {
		const variant = '89ab'.charAt(Math.floor(this.next() * 4));
		return `${this.hex(8)}-${this.hex(4)}-4${this.hex(3)}-${variant}${this.hex(3)}-${this.hex(12)}`;
	}
}

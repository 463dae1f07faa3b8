import { createCipheriv, createHash } from 'node:crypto';

/** Bytes, numbers and ids that look random and are the same for the same seed. */
export class Random {
	#noise;

	constructor(seed: number | string) {
		const key = createHash('sha256').update(String(seed)).digest();
		this.#noise = createCipheriv('aes-256-ctr', key, Buffer.alloc(16));
	}

	bytes(length: number) {
		return this.#noise.update(Buffer.alloc(length));
	}

	hex(digits: number) {
		return this.bytes(digits / 2).toString('hex');
	}

	/** Evenly distributed between the two. Between infinity and infinity there is only infinity. */
	between(min: number, max: number) {
		const share = this.bytes(4).readUInt32BE() / 2 ** 32;
		return min === max ? min : min + share * (max - min);
	}

	/** A version 4 UUID. */
	uuid() {
		const hex = this.hex(32);
		return [
			hex.slice(0, 8),
			hex.slice(8, 12),
			`4${hex.slice(13, 16)}`,
			`8${hex.slice(17, 20)}`,
			hex.slice(20),
		].join('-');
	}
}

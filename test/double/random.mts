import { createCipheriv, createHash } from 'node:crypto';

/** Bytes that look like noise and are the same for the same seed and name. */
export function bytesOf(seed: number, name: string, length: number): Buffer {
	const key = createHash('sha256').update(`${seed}/${name}`).digest();
	return createCipheriv('aes-256-ctr', key, Buffer.alloc(16)).update(Buffer.alloc(length));
}

/** An id of the form of a uuid. */
export function uuidOf(seed: number, name: string): string {
	const hex = bytesOf(seed, name, 16).toString('hex');
	return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20)].join('-');
}

/** Text with everything in it that an address has to escape. */
export function symbolsOf(seed: number, name: string): string {
	return `${bytesOf(seed, name, 9).toString('base64')}+/=&?#% "ü`;
}

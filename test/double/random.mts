import { Random } from '../sandbox/random.mts';

/** Bytes that look like noise and are the same for the same seed and name. */
export const bytesOf = (seed: number, name: string, length: number): Buffer =>
	new Random(`${seed}/${name}`).bytes(length);

/** An id of the form of a uuid. */
export const uuidOf = (seed: number, name: string): string => new Random(`${seed}/${name}`).uuid();

/** Text with everything in it that an address has to escape. */
export const symbolsOf = (seed: number, name: string): string =>
	`${bytesOf(seed, name, 9).toString('base64')}+/=&?#% "ü`;

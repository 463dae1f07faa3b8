import { createRequire } from 'node:module';

/** Loads a module of what `npm run test:all` installs for real file stores. */
export const requireForStores = createRequire(
	new URL('../../stores/package.json', import.meta.url),
);

/** A file at a real store, by presigned addresses; those that have expired are an hour old. */
export interface StoredFile {
	readonly putAddress: (expired?: 'expired') => Promise<string>;
	readonly getAddress: (expired?: 'expired') => Promise<string>;
	readonly write: (content: Buffer, contentEncoding?: string) => Promise<void>;
	readonly read: () => Promise<Buffer>;
}

/** What a file is stored as in these tests. */
export const STORED_TYPE = 'application/pdf';

export const HOUR_MS = 3_600_000;

/** How long a store may take until it answers, beside everything else that runs. */
export const START_TIMEOUT_MS = 90_000;

import { createRequire } from 'node:module';

/** Loads a module of what `npm run test:all` installs for file stores and emails. */
export const requireForStores = createRequire(
	new URL('../../stores/package.json', import.meta.url),
);

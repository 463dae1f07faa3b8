import { createRequire } from 'node:module';

import { defineConfig } from 'vitest/config';

/**
 * The benches print ratios, one after the other; nothing is asserted of time. A name after `npm run bench --` picks one.
 * See vitest.config.mts for the alias.
 */
export default defineConfig({
	resolve: {
		alias: [
			{
				find: /^n8n-workflow$/,
				replacement: createRequire(import.meta.url).resolve('n8n-workflow'),
			},
		],
	},
	test: {
		globals: true,
		include: ['bench/**/*.bench.mts'],
		pool: 'forks',
		fileParallelism: false,
		testTimeout: 3_600_000,
		hookTimeout: 180_000,
		reporters: ['default'],
		disableConsoleIntercept: true,
	},
});

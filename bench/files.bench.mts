import { expect, test } from 'vitest';

import { LargeFiles } from '../test/e2e/largeFiles.mts';
import { growthOf, type MemoryUse } from '../test/e2e/memory.mts';

const COUNTS = [5, 10, 20];

const percent = (memory: MemoryUse, totalBytes: number): string =>
	`${((growthOf(memory) / totalBytes) * 100).toFixed(1)} % of their size`;

test.each(COUNTS)('memory of a real n8n for %i files of 50 MB in one run, kept on disk', async (count) => {
	const files = await LargeFiles.prepare(count);
	try {
		const sent = await files.upload();
		const fetched = await files.download();
		expect([sent.execution.failure, fetched.execution.failure]).toEqual([undefined, undefined]);
		console.log(
			`${count} files of 50 MB: n8n's memory grows by ${percent(sent.memory, files.totalBytes)} sending them, by ${percent(fetched.memory, files.totalBytes)} fetching them`,
		);
	} finally {
		await files.close();
	}
});

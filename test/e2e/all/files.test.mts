import { createHash } from 'node:crypto';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { itemsOf } from '../../../harness/executions.mts';
import { LargeFiles } from '../largeFiles.mts';
import { growthOf } from '../../../harness/memory.mts';
import { asText } from '../../../harness/unknownJson.mts';

/** Of the files' size. With bodies that are kept while they are sent (for redirects), 0.36 and more was seen. */
const MOST_GROWTH_SENDING = 0.25;
/** Of the files' size. Five at once, held in memory, would be half of it, and more than that as n8n encodes them. */
const MOST_GROWTH_FETCHING = 0.4;

let files: LargeFiles;
beforeAll(async () => {
	files = await LargeFiles.prepare(10);
});
afterAll(async () => {
	await files.close();
});

test('ten files of 50 MB in one run are sent whole, and never held in memory', async () => {
	const { execution, memory } = await files.upload();

	expect(execution.failure).toBeUndefined();
	const sent = itemsOf(execution, 'Send').map(({ json }) => files.sandbox.files.jobs.get(asText(json.job_id, 'A job id')));
	expect(sent.map((job) => job?.upload?.sha256)).toEqual(files.hashes);
	expect(growthOf(memory) / files.totalBytes).toBeLessThan(MOST_GROWTH_SENDING);
});

test('ten files of 50 MB in one run are fetched whole, and never held in memory', async () => {
	const { execution, memory } = await files.download();

	expect(execution.failure).toBeUndefined();
	const fetched: string[] = [];
	for (const { binary } of itemsOf(execution, 'Fetch')) {
		if (binary?.data === undefined) throw new Error('A file was not fetched');
		fetched.push(createHash('sha256').update(await files.n8n.binary(binary.data)).digest('hex'));
	}
	expect(fetched).toEqual(files.hashes.map(() => files.generatedHash));
	expect(growthOf(memory) / files.totalBytes).toBeLessThan(MOST_GROWTH_FETCHING);
});

import type { INodeExecutionData } from 'n8n-workflow';

import { FileStore } from '../../support/wait/fileStore.mts';
import {
	onStoppedClock,
	operations,
	questions,
	settle,
	storeBinary,
} from '../../support/wait/onStoppedClock.mts';

/* Of more questions than the limits allow at once, a portion prepares what it sends, and nothing else. */

const world = await onStoppedClock();
const { sandbox, ask, posted, toItsEnd, wakeInTime } = world;

beforeEach(() => {
	sandbox.settings.newSessionsPerMinute = 60;
});

/** That many, each with a file of its own. */
async function questionsWithFiles(count: number): Promise<INodeExecutionData[]> {
	return await Promise.all(
		questions(count).map(async (item, index) => ({
			...item,
			binary: { data: await storeBinary(`%PDF-1.7 ${index}`, { fileName: 'contract.pdf' }) },
		})),
	);
}

const allFiles = { attachments: { attachment: [{ source: 'allBinary' }] } };

test.each(['Ask', 'Ask and Wait'])(
	'of 200 questions with a file each, %s opens each file three times at most: to check it before anything is sent, as its portion is prepared, and to upload it',
	async (operation) => {
		const store = FileStore.ofTest();
		const items = await questionsWithFiles(200);
		let run = await ask({ items, fields: { ...operations[operation], ...allFiles } });
		while (posted() < 200 && run.status === 'waiting') run = await wakeInTime(run);
		expect(posted()).toBe(200);
		const times = items.map(
			({ binary }) => store.opened.filter((fileId) => binary?.data?.id === `s3:${fileId}`).length,
		);
		expect(Math.max(...times)).toBeLessThanOrEqual(3);
	},
);

test('a retry opens each file three times at most: to check it, to tell it from what was sent, and to upload it', async () => {
	const store = FileStore.ofTest();
	const items = await questionsWithFiles(10);
	sandbox.faults.add({ status: 422, match: ({ route }) => route.endsWith('questions'), skip: 3 });
	const failed = await ask({ items, fields: { ...operations.Ask, ...allFiles } });
	expect(failed.status).toBe('error');
	const [before, sent] = [store.opened.length, sandbox.questions.length];
	await toItsEnd(await settle(failed.retry()));
	expect(sandbox.questions).toHaveLength(10);
	expect(store.opened.length - before).toBeLessThanOrEqual(3 * (10 - sent));
});

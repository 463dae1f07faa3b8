import type { INodeExecutionData } from 'n8n-workflow';

import { FileStore } from '../../support/wait/fileStore.mts';
import { operations, questions, storeBinary, test } from '../../support/fixtures.mts';

test.beforeEach(({ service }) => {
	service.settings.newSessionsPerMinute = 60;
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

test.for(['Ask', 'Ask and Wait'])(
	'of 200 questions with a file each, %s opens each file three times at most: to check it before anything is sent, as its portion is prepared, and to upload it',
	async (operation, { wait }) => {
		const store = FileStore.ofTest();
		const items = await questionsWithFiles(200);
		let run = await wait.ask({ items, fields: { ...operations[operation], ...allFiles } });
		while (wait.posted() < 200 && run.status === 'waiting') run = await wait.wakeInTime(run);
		expect(wait.posted()).toBe(200);
		const times = items.map(
			({ binary }) => store.opened.filter((fileId) => binary?.data?.id === `s3:${fileId}`).length,
		);
		expect(Math.max(...times)).toBeLessThanOrEqual(3);
	},
);

test('a retry opens each file three times at most: to check it, to tell it from what was sent, and to upload it', async ({
	service,
	clock,
	wait,
}) => {
	const store = FileStore.ofTest();
	const items = await questionsWithFiles(10);
	service.faults.add({ status: 422, match: ({ route }) => route.endsWith('questions'), skip: 3 });
	const failed = await wait.ask({ items, fields: { ...operations.Ask, ...allFiles } });
	expect(failed.status).toBe('error');
	const [before, sent] = [store.opened.length, service.questions.length];
	await wait.toItsEnd(await clock.settle(failed.retry()));
	expect(service.questions).toHaveLength(10);
	expect(store.opened.length - before).toBeLessThanOrEqual(3 * (10 - sent));
});

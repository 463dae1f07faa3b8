import { startSandbox } from '../sandbox/sandbox.mts';
import { receiveCallbacks } from './callbackReceiver.mts';
import { tryClause } from './clause.mts';
import { CheckedService } from './checkedService.mts';
import { clauses } from './clauses.mts';

const timeScale = 60;
/** No question is answered before the check waits for it. */
const sandbox = await startSandbox({ timeScale, answerTime: [Infinity, Infinity] });
const callbacks = await receiveCallbacks(sandbox.webhookSecret, 0);
const service = new CheckedService({
	baseUrl: sandbox.baseUrl,
	apiKey: sandbox.apiKey,
	callbacks,
	timeScale,
	progress: (line) => {
		const open = sandbox.questions.find(({ status }) => status === 'in_progress');
		if (line.startsWith('Waiting for the answer') && open !== undefined)
			void sandbox.complete(open.id);
	},
});

test.beforeAll(async () => {
	// The check itself provokes no limit.
	sandbox.settings.requestsPerMinute = 1;
	for (let sent = 0; sent < 2; sent += 1) await service.get('/me');
	sandbox.settings.requestsPerMinute = Infinity;
});

test.afterAll(async () => {
	callbacks.close();
	await sandbox.close();
});

for (const clause of clauses) {
	test(clause.promise, async () => {
		expect(await tryClause(clause, service)).toMatchObject({ verdict: 'as read' });
	});
}

test('A check costs no more questions, files and tasks than it announces', () => {
	expect(service.spent).toEqual({ questions: 3, files: 1, tasks: 2 });
	expect(sandbox.questions).toHaveLength(3);
	expect(
		[...sandbox.files.jobs.values()].filter(({ upload }) => upload !== undefined),
	).toHaveLength(1);
});

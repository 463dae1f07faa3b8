import { test as base } from '../support/sandboxForTests.mts';
import { receiveCallbacks } from './callbackReceiver.mts';
import { tryClause } from './clause.mts';
import { CheckedService } from './checkedService.mts';
import { clauses } from './clauses.mts';

const timeScale = 60;

/** The sandbox, as the check sees it: one clause may build on another. */
const test = base.extend<{ checkedService: CheckedService }>({
	checkedService: [
		async ({ startedService: sandbox }, use) => {
			const { baseUrl, apiKey, webhookSecret } = sandbox;
			const callbacks = await receiveCallbacks(webhookSecret, 0);
			const progress = (line: string) => {
				const open = sandbox.questions.find(({ status }) => status === 'in_progress');
				if (line.startsWith('Waiting for the answer') && open !== undefined)
					void sandbox.complete(open.id);
			};
			const service = new CheckedService({ baseUrl, apiKey, callbacks, timeScale, progress });
			// The check itself provokes no limit.
			sandbox.settings.requestsPerMinute = 1;
			for (let sent = 0; sent < 2; sent += 1) await service.get('/me');
			sandbox.settings.requestsPerMinute = Infinity;
			await use(service);
			callbacks.close();
		},
		{ scope: 'file' },
	],
});
// No question is answered before the check waits for it.
test.override({ serviceOptions: { timeScale, answerTime: [Infinity, Infinity] } });

for (const clause of clauses) {
	test(clause.promise, async ({ checkedService }) => {
		expect(await tryClause(clause, checkedService)).toMatchObject({ verdict: 'as read' });
	});
}

test('A check costs no more questions, files and tasks than it announces', ({
	startedService,
	checkedService,
}) => {
	expect(checkedService.spent).toEqual({ questions: 3, files: 1, tasks: 2 });
	expect(startedService.questions).toHaveLength(3);
	expect(
		[...startedService.files.jobs.values()].filter(({ upload }) => upload !== undefined),
	).toHaveLength(1);
});

import { itemsOf } from '../../../harness/executions.mts';
import { keyOf, n8nOfThisFile, serviceOfThisFile } from '../../support/n8n/service.mts';
import { startedWith, taskTriggerWorkflow } from '../../support/n8n/taskTriggers.mts';

const DURABLE = { N8N_SCHEDULER_ENABLED: 'true', N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true' };

// Side by side: they wait for polls for most of their time.
describe.concurrent.each([
	['as n8n is by default', {}],
	[
		"with n8n's durable scheduler and its cursors, which allows a poll more than the 5 minutes of n8n's own",
		{
			...DURABLE,
			N8N_SCHEDULER_POLL_TIMEOUT: '400',
			N8N_SCHEDULER_LEASE_DURATION: '600',
			N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true',
		},
	],
])('the Legal AI Task Trigger, %s,', async (_how, environment) => {
	const n8n = await n8nOfThisFile(environment);
	const { sandbox, credential } = await serviceOfThisFile({ requestsPerMinute: Infinity }, n8n);

	test(
		'starts with each new task once, also with those that came while n8n was killed or the service failed',
		// Two n8n start side by side.
		{ concurrent: false, timeout: 300_000 },
		async ({ expect }) => {
			const workflow = await n8n.publish(
				taskTriggerWorkflow(credential, { filters: { tags: 'nda' } }),
			);
			const create = (title: string) => void sandbox.tasks.create({ title, tags: ['nda'] });
			create('First');
			expect(await startedWith(n8n, workflow, 1)).toEqual(['First']);

			await n8n.main.stop('SIGKILL');
			create('While n8n was down');
			const fault = sandbox.faults.add({
				status: 500,
				match: 'GET /tasks',
				times: Infinity,
			});
			await n8n.restart();
			create('While the service was down');
			await expect.poll(() => fault.fired, { timeout: 60_000 }).toBeGreaterThan(5);
			fault.remove();
			// One poll finds both, in the order of the list.
			const [first, ...meanwhile] = await startedWith(n8n, workflow, 3);
			expect([first, ...meanwhile.toSorted()]).toEqual([
				'First',
				'While n8n was down',
				'While the service was down',
			]);
			create('Last');
			expect(await startedWith(n8n, workflow, 4)).toEqual([first, ...meanwhile, 'Last']);
			await n8n.deactivate(workflow);
		},
	);

	test(
		'starts with each due date once, whatever is published meanwhile',
		{ concurrent: false },
		async ({ expect }) => {
			sandbox.tasks.clear();
			const complete_by = new Date().toISOString();
			sandbox.tasks.create({ title: 'Overdue', complete_by: '2020-01-01T00:00:00Z' });
			sandbox.tasks.create({ title: 'Due', complete_by });
			const workflow = await n8n.publish(taskTriggerWorkflow(credential, { event: 'due' }));
			expect(await startedWith(n8n, workflow, 1)).toEqual(['Due']);
			await n8n.deactivate(workflow);
			sandbox.tasks.create({ title: 'Due, too', complete_by });
			await n8n.activate(await n8n.workflow(workflow.id));
			expect(await startedWith(n8n, workflow, 2)).toEqual(['Due', 'Due, too']);
			await n8n.deactivate(workflow);
		},
	);

	test('gives the editor a task as a test event', { concurrent: false }, async ({ expect }) => {
		const workflow = await n8n.createWorkflow(taskTriggerWorkflow(credential));
		sandbox.tasks.create({ title: 'Newest', created_at: '2099-01-01T00:00:00Z' });
		const execution = await n8n.waitForExecution(await n8n.run(workflow));
		expect(itemsOf(execution, 'Next').map(({ json }) => json.title)).toEqual(['Newest']);
		sandbox.tasks.clear();
		const { failure } = await n8n.waitForExecution(await n8n.run(workflow));
		expect(failure?.message).toBe('No task matches this trigger yet');
	});

	test(
		'loses and repeats nothing when its key is replaced, Base URL gets a slash and the trigger is edited, and goes on for another user',
		{ concurrent: false },
		async ({ expect }) => {
			const keys = ['sk-svc-api1-replaced', 'sk-svc-api1-of-another-user'] as const;
			sandbox.keys.set(keys[0], undefined);
			sandbox.keys.set(keys[1], { ...sandbox.organization.user, user_id: 'another' });
			sandbox.tasks.clear();
			const created: string[] = [];
			const create = (title: string) => {
				sandbox.tasks.create({ title });
				created.push(title);
			};
			const use = async (apiKey: string) => {
				const data = { ...keyOf(sandbox), apiKey, baseUrl: `${sandbox.baseUrl}/` };
				await n8n.updateCredential(credential, data);
				const used = sandbox.requests.length;
				await expect
					.poll(
						() => sandbox.requests.slice(used).filter(({ route }) => route === 'GET /tasks').length,
						{
							timeout: 30_000,
						},
					)
					.toBeGreaterThan(1);
			};
			const workflow = await n8n.publish(taskTriggerWorkflow(credential));
			create('Before');
			expect(await startedWith(n8n, workflow, 1)).toEqual(created);
			const isReplaced = use(keys[0]);
			create('As the key is replaced');
			await isReplaced;
			expect(await startedWith(n8n, workflow, 2)).toEqual(created);
			create('As the trigger is edited');
			const edited = taskTriggerWorkflow(credential, { simplify: false });
			await n8n.activate(await n8n.updateWorkflow(workflow, edited));
			expect(await startedWith(n8n, workflow, 3)).toEqual(created);
			await use(keys[1]);
			create('News of another user');
			create('More of it');
			expect((await startedWith(n8n, workflow, 5)).sort()).toEqual(created.sort());
			await n8n.deactivate(workflow);
		},
	);
});

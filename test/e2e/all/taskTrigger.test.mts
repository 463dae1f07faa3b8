import { describe, expect, test } from 'vitest';

import { itemsOf } from '../../../harness/executions.mts';
import { n8nOfThisFile, serviceOfThisFile } from '../../support/n8n/service.mts';
import { startedWith, taskTriggerWorkflow } from '../../support/n8n/taskTriggers.mts';

describe.each([
	['as n8n is by default', {}],
	[
		"with n8n's durable scheduler",
		{ N8N_SCHEDULER_ENABLED: 'true', N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true' },
	],
])('the Legal AI Task Trigger, %s,', async (_how, environment) => {
	const n8n = await n8nOfThisFile(environment);
	const { sandbox, credential } = await serviceOfThisFile({ requestsPerMinute: Infinity }, n8n);

	test('starts with each new task once, also with those that came while n8n was killed or the service failed', async () => {
		const workflow = await n8n.publish(
			taskTriggerWorkflow(credential, { filters: { tags: 'nda' } }),
		);
		const create = (title: string): void => void sandbox.tasks.create({ title, tags: ['nda'] });
		create('First');
		expect(await startedWith(n8n, workflow, 1)).toEqual(['First']);

		await n8n.main.stop('SIGKILL');
		create('While n8n was down');
		await n8n.restart();
		expect(await startedWith(n8n, workflow, 2)).toEqual(['First', 'While n8n was down']);

		await n8n.main.stop('SIGKILL');
		const fault = sandbox.faults.add({
			kind: 'status',
			status: 500,
			match: 'GET /tasks',
			times: Infinity,
		});
		create('While the service was down');
		await n8n.restart();
		await expect.poll(() => fault.fired, { timeout: 60_000 }).toBeGreaterThan(5);
		fault.remove();
		const failedToo = ['First', 'While n8n was down', 'While the service was down'];
		expect(await startedWith(n8n, workflow, 3)).toEqual(failedToo);
		create('Last');
		expect(await startedWith(n8n, workflow, 4)).toEqual([...failedToo, 'Last']);
		await n8n.deactivate(workflow);
	});

	test('starts with each due date once, whatever is published meanwhile', async () => {
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
	});

	test('gives the editor a task as a test event', async () => {
		const workflow = await n8n.createWorkflow(taskTriggerWorkflow(credential));
		sandbox.tasks.create({ title: 'Newest', created_at: '2099-01-01T00:00:00Z' });
		const execution = await n8n.waitForExecution(await n8n.run(workflow));
		expect(itemsOf(execution, 'Next').map(({ json }) => json.title)).toEqual(['Newest']);
		sandbox.tasks.clear();
		const { failure } = await n8n.waitForExecution(await n8n.run(workflow));
		expect(failure?.message).toBe('No task matches this trigger yet');
	});
});

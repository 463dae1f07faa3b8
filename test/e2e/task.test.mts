import { readItems } from '../../harness/executions.mts';
import { legalAi } from '../../harness/workflows.mts';
import { test } from '../support/n8n/fixtures.mts';
import { after, runByHand, start } from '../support/n8n/parkedQuestions.mts';
import { wakeNow } from '../support/n8n/storedExecutions.mts';

test('a date, a list and an ID of expressions arrive at the service as they are', async ({
	n8n,
	service,
	credential,
}) => {
	const { teams } = service.organization;
	const task = service.tasks.create({ title: 'Plain' });
	const node = legalAi('Legal AI', credential, {
		resource: 'task',
		operation: 'update',
		taskId: { __rl: true, mode: 'id', value: task.id },
		updateFields: {
			assignedTeamId: `={{ "${teams.privacy}" }}`,
			completeBy: "={{ DateTime.fromISO('2026-03-01T09:30', { zone: 'America/New_York' }) }}",
			tags: '={{ ["a", "b"] }}',
		},
	});
	await runByHand(n8n, node);
	expect(service.tasks.get(task.id)).toMatchObject({
		assigned_team_id: teams.privacy,
		complete_by: '2026-03-01T14:30:00.000Z',
		tags: ['a', 'b'],
	});
});

test('an execution waits until somebody gives a task a status, and goes on with the task', async ({
	n8n,
	service,
	credential,
}) => {
	const task = service.tasks.create({ title: 'Approve the NDA' });
	const wait = {
		resource: 'task',
		operation: 'waitForStatus',
		taskId: { __rl: true, mode: 'id', value: task.id },
		statuses: ['approved'],
	};
	const parked = await start(n8n, 'approval', [
		legalAi('Wait for Status', credential, wait),
		after,
	]);
	expect(parked.status).toBe('waiting');
	service.tasks.update(task, { status: 'approved' });
	wakeNow(n8n, parked.id);
	// What is due within 70 seconds, n8n may have set a timer for by then.
	const over = await n8n.waitForExecution(parked.id, undefined, { timeout: 90_000 });
	expect(readItems(over, 'After').map(({ json }) => json)).toMatchObject([
		{ id: task.id, status: 'approved' },
	]);
});

import { itemsOf } from '../../harness/executions.mts';
import { legalAi } from '../../harness/workflows.mts';
import { after, runByHand, start } from '../support/n8n/parkedQuestions.mts';
import { serviceOfThisFile } from '../support/n8n/service.mts';
import { wakeNow } from '../support/n8n/storedExecutions.mts';

const { n8n, sandbox, credential } = await serviceOfThisFile();

test('a saved workflow may have plain values where the editor offers a list', async () => {
	const { people, teams } = sandbox.organization;
	const task = sandbox.tasks.create({ title: 'Plain' });
	const node = legalAi('Legal AI', credential, {
		resource: 'task',
		operation: 'update',
		taskId: { __rl: true, mode: 'id', value: task.id },
		updateFields: {
			status: 'in_progress',
			priority: '={{ "hi" + "gh" }}',
			assignedTo: people.ben,
			assignedAgent: '',
			assignedTeamId: `={{ "${teams.privacy}" }}`,
			matterId: { __rl: true, mode: 'id', value: `={{ "${teams.commercial}" }}` },
			completeBy: "={{ DateTime.fromISO('2026-03-01T09:30', { zone: 'America/New_York' }) }}",
			tags: '={{ ["a", "b"] }}',
		},
	});
	const execution = await runByHand(n8n, node);
	expect(itemsOf(execution, 'Legal AI').map(({ json }) => json)).toMatchObject([
		{
			id: task.id,
			status: 'in_progress',
			priority: 'high',
			complete_by: '2026-03-01T14:30:00.000Z',
			tags: ['a', 'b'],
		},
	]);
	expect(sandbox.tasks.get(task.id)).toMatchObject({
		assigned_to: people.ben,
		assigned_agent: null,
		assigned_team_id: teams.privacy,
		matter_id: teams.commercial,
	});
});

test('an execution waits until somebody gives a task a status, and goes on with the task', async () => {
	const task = sandbox.tasks.create({ title: 'Approve the NDA' });
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
	sandbox.tasks.update(task, { status: 'approved' });
	wakeNow(n8n, parked.id);
	// What is due within 70 seconds, n8n may have set a timer for by then.
	const over = await n8n.waitForExecution(parked.id, undefined, { timeout: 90_000 });
	expect(itemsOf(over, 'After').map(({ json }) => json)).toMatchObject([
		{ id: task.id, status: 'approved' },
	]);
});

import type { INodeListSearchResult, INodeParameters } from 'n8n-workflow';
import { expect, test } from 'vitest';

import { credentialType } from '../../harness/examples.mts';
import { itemsOf } from '../../harness/executions.mts';
import { legalAi } from '../../harness/workflows.mts';
import { after, runByHand, start } from '../support/n8n/parkedQuestions.mts';
import { keyOf, serviceOfThisFile } from '../support/n8n/service.mts';
import { wakeNow } from '../support/n8n/storedExecutions.mts';

const { n8n, sandbox, credential } = await serviceOfThisFile();

const update: INodeParameters = { resource: 'task', operation: 'update', updateFields: {} };

/** One page of the list behind a field, as the editor requests it. */
async function list(
	path: string,
	methodName: string,
	more: object = {},
	{ id, name } = credential,
): Promise<INodeListSearchResult> {
	return (await n8n.session.post('/dynamic-node-parameters/resource-locator-results', {
		path: `parameters.${path}`,
		methodName,
		nodeTypeAndVersion: { name: 'n8n-nodes-legal-ai.legalAi', version: 1 },
		currentNodeParameters: update,
		credentials: { [credentialType]: { id, name } },
		...more,
	})) as INodeListSearchResult;
}

test('the editor lists tasks as the service finds them, page after page', async () => {
	sandbox.tasks.seed(60);
	const first = await list('taskId', 'searchTasks', { filter: 'seeded' });
	expect(first.results).toHaveLength(50);
	const { paginationToken = '' } = first;
	const second = await list('taskId', 'searchTasks', { filter: 'seeded', paginationToken });
	expect(second.results).toHaveLength(10);
	expect(second.paginationToken).toBeUndefined();
	expect(new Set([...first.results, ...second.results].map(({ value }) => value)).size).toBe(60);
});

test('the editor lists the values behind a field of a collection', async () => {
	const { results } = await list('updateFields.priority', 'searchPriorities');
	expect(results.map(({ value }) => value)).toEqual(['urgent', 'high', 'medium', 'low']);
});

test("the editor shows why a list can't be loaded", async () => {
	const wrong = await n8n.createCredential(credentialType, 'Wrong key', {
		...keyOf(sandbox),
		apiKey: 'sk-svc-api1-wrong',
	});
	await expect(list('taskId', 'searchTasks', {}, wrong)).rejects.toThrow(
		/does not know this API key/,
	);
});

test('a saved workflow may have plain values where the editor offers a list', async () => {
	const { people, teams } = sandbox.organization;
	const task = sandbox.tasks.create({ title: 'Plain' });
	const node = legalAi('Legal AI', credential, {
		...update,
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
	const over = await n8n.waitForExecution(parked.id);
	expect(itemsOf(over, 'After').map(({ json }) => json)).toMatchObject([
		{ id: task.id, status: 'approved' },
	]);
});

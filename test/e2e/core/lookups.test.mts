import type { INodeParameters } from 'n8n-workflow';
import { afterAll, beforeEach, expect, inject, test } from 'vitest';

import { startSandbox } from '../../sandbox/sandbox.mts';
import { credentialType } from '../../support/n8n/examples.mts';
import { itemsOf } from '../../support/n8n/executions.mts';
import type { ListPage, StoredCredential } from '../../support/n8n/n8nClient.mts';
import { connectToSharedN8n } from '../sharedN8n.mts';

const n8n = connectToSharedN8n(inject('n8n'));
const sandbox = await startSandbox();
const { baseUrl, apiKey, webhookSecret } = sandbox;
const credential = await n8n.createCredential(credentialType, 'Lookups', { baseUrl, apiKey, webhookSecret });
beforeEach(() => sandbox.reset());
afterAll(() => sandbox.close());

const nodeType = 'n8n-nodes-legal-ai.legalAi';
const update: INodeParameters = { resource: 'task', operation: 'update', updateFields: {} };

const list = async (
	path: string,
	methodName: string,
	more: { filter?: string; paginationToken?: string; credential?: StoredCredential } = {},
): Promise<ListPage> => await n8n.locatorList({ nodeType, path, methodName, parameters: update, credential, ...more });

test('the editor lists tasks as the service finds them, page after page', async () => {
	sandbox.tasks.seed(60);
	const first = await list('parameters.taskId', 'searchTasks', { filter: 'seeded' });
	expect(first.results).toHaveLength(50);
	const { paginationToken = '' } = first;
	const second = await list('parameters.taskId', 'searchTasks', { filter: 'seeded', paginationToken });
	expect(second.results).toHaveLength(10);
	expect(second.paginationToken).toBeUndefined();
	expect(new Set([...first.results, ...second.results].map(({ value }) => value)).size).toBe(60);
});

test('the editor lists the values behind a field of a collection', async () => {
	const { results } = await list('parameters.updateFields.priority', 'searchPriorities');
	expect(results.map(({ value }) => value)).toEqual(['urgent', 'high', 'medium', 'low']);
});

test('the editor lists people, agents, teams and drafts', async () => {
	const { people, teams } = sandbox.organization;
	expect((await list('parameters.updateFields.assignedTo', 'searchPeople')).results).toMatchObject([
		{ name: 'Me (Ada Okafor)', value: people.ada },
		{ name: 'Ben Silva', value: people.ben },
	]);
	expect((await list('parameters.updateFields.assignedAgent', 'searchAgents')).results).toMatchObject([{ name: 'Contract Intake' }]);
	const listed = (await list('parameters.updateFields.assignedTeamId', 'searchTeams')).results.map(({ value }) => value);
	expect(listed.toSorted()).toEqual([teams.commercial, teams.privacy].toSorted());
	expect((await list('parameters.taskId', 'searchDrafts')).results).toMatchObject([{ name: 'LEGAL-8 Triage: marketing claims' }]);
});

test('the editor shows why a list can not be had', async () => {
	const wrong = await n8n.createCredential(credentialType, 'Wrong key', { baseUrl, apiKey: 'sk-svc-api1-wrong', webhookSecret });
	await expect(list('parameters.taskId', 'searchTasks', { credential: wrong })).rejects.toThrow(/does not know this API key/);
});

test('a saved workflow may have plain values where the editor offers a list', async () => {
	const { people, teams } = sandbox.organization;
	const task = sandbox.tasks.create({ title: 'Plain' });
	const workflow = await n8n.createWorkflow({
		name: 'Plain values',
		nodes: [
			{ id: 'start', name: 'Start', type: 'n8n-nodes-base.manualTrigger', typeVersion: 1, position: [0, 0], parameters: {} },
			{
				id: 'legal-ai',
				name: 'Legal AI',
				type: nodeType,
				typeVersion: 1.1,
				position: [200, 0],
				credentials: { [credentialType]: { id: credential.id, name: credential.name } },
				parameters: {
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
				},
			},
		],
		connections: { Start: { main: [[{ node: 'Legal AI', type: 'main', index: 0 }]] } },
	});
	const execution = await n8n.waitForExecution(await n8n.run(workflow, { trigger: 'Start' }));

	expect(execution.failure).toBeUndefined();
	expect(itemsOf(execution, 'Legal AI').map(({ json }) => json)).toMatchObject([
		{ id: task.id, status: 'in_progress', priority: 'high', complete_by: '2026-03-01T14:30:00.000Z', tags: ['a', 'b'] },
	]);
	expect(sandbox.tasks.get(task.id)).toMatchObject({
		assigned_to: people.ben,
		assigned_agent: null,
		assigned_team_id: teams.privacy,
		matter_id: teams.commercial,
	});
});

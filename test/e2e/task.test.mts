import type { INodeListSearchResult, INodeParameters } from 'n8n-workflow';
import { expect, test } from 'vitest';

import { credentialType } from '../../harness/examples.mts';
import { type Execution, itemsOf } from '../../harness/executions.mts';
import type { StoredCredential } from '../../harness/n8nClient.mts';
import { chain, legalAi, node } from '../../harness/workflows.mts';
import { keyOf, serviceOfThisFile } from './service.mts';

const { n8n, sandbox, credential } = await serviceOfThisFile();

const nodeType = 'n8n-nodes-legal-ai.legalAi';
const update: INodeParameters = { resource: 'task', operation: 'update', updateFields: {} };

const list = async (
	path: string,
	methodName: string,
	more: { filter?: string; paginationToken?: string; credential?: StoredCredential } = {},
): Promise<INodeListSearchResult> => await n8n.locatorList({ nodeType, path, methodName, parameters: update, credential, ...more });

/** Runs the node by hand, to its end. */
async function run(parameters: INodeParameters): Promise<Execution> {
	const start = node('Start', 'n8n-nodes-base.manualTrigger', {});
	const workflow = await n8n.createWorkflow(chain('Tasks', [start, legalAi('Legal AI', credential, parameters)]));
	const execution = await n8n.waitForExecution(await n8n.run(workflow));
	expect(execution).toMatchObject({ status: 'success', failure: undefined });
	return execution;
}

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

test("the editor shows why a list can't be loaded", async () => {
	const wrong = await n8n.createCredential(credentialType, 'Wrong key', { ...keyOf(sandbox), apiKey: 'sk-svc-api1-wrong' });
	await expect(list('parameters.taskId', 'searchTasks', { credential: wrong })).rejects.toThrow(/does not know this API key/);
});

test('a saved workflow may have plain values where the editor offers a list', async () => {
	const { people, teams } = sandbox.organization;
	const task = sandbox.tasks.create({ title: 'Plain' });
	const execution = await run({
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

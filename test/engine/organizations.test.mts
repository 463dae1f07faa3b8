import { describe, expect, onTestFinished, test } from 'vitest';

import { legalAiNode, runWorkflow, workflowAround } from '../support/engine/engine.mts';
import { runWithoutExecution } from '../support/engine/withoutExecution.mts';
import { startSandbox, type Sandbox } from '../sandbox/sandbox.mts';

/** The services of two organizations, whose users ask the same. */
async function twoOrganizations(): Promise<[Sandbox, Sandbox]> {
	const answer = (by: string) => () => ({ status: 'completed', answer: `Answer of ${by}`, after: 0 }) as const;
	const services = await Promise.all(['one', 'two'].map(async (name) => await startSandbox({ answer: answer(name) })));
	onTestFinished(async () => {
		for (const service of services) await service.close();
	});
	const [one, two] = services;
	if (one === undefined || two === undefined) throw new Error('There are two');
	return [one, two];
}

const asking = { resource: 'question', operation: 'ask', question: 'May we sign?' };
const waiting = { ...asking, operation: 'askAndWait', options: { waitUsing: 'sync' } };
const creating = { resource: 'task', operation: 'create', title: 'Sign' };

describe("outside any execution, as in n8n's Agents,", () => {
	test.each([['Ask', asking], ['Ask and Wait', waiting], ['Create Task', creating]])('%s sends the same again each time', async (_name, parameters) => {
		const [sandbox] = await twoOrganizations();
		const ids = [];
		for (let call = 0; call < 2; call++) ids.push((await runWithoutExecution({ sandbox, parameters }))[0]?.json.id);
		expect(new Set(ids).size).toBe(2);
	});

	test.each([['Ask', asking], ['Ask and Wait', waiting], ['Create Task', creating]])('%s gets nothing of another organization', async (_name, parameters) => {
		const [one, two] = await twoOrganizations();
		await runWithoutExecution({ sandbox: one, parameters });
		const sent = one.requests.length;
		await runWithoutExecution({ sandbox: two, parameters });
		expect([one.requests.length - sent, two.requests.filter(({ method }) => method === 'POST').length]).toEqual([0, 1]);
	});
});

test('a retry with the credential of another organization asks that one anew, and takes nothing of the first', async () => {
	const [one, two] = await twoOrganizations();
	const credential = { baseUrl: one.baseUrl, apiKey: one.apiKey };
	const fields = { ...waiting, question: '={{ $json.words }}', options: { ...waiting.options, requestsAtOnce: 1 } };
	const items = ['May we sign?', 'Who pays?'].map((words) => ({ json: { words } }));
	let posted = 0;
	one.faults.add({ kind: 'status', status: 403, match: ({ method }) => method === 'POST' && ++posted === 2 });
	const failed = await runWorkflow(workflowAround(legalAiNode({ parameters: fields })), { sandbox: one, credential, items });
	Object.assign(credential, { baseUrl: two.baseUrl, apiKey: two.apiKey });
	const other = { legalAiApi: { id: 'other', name: 'Two' } };
	const retried = await failed.retry(workflowAround(legalAiNode({ parameters: fields, node: { credentials: other } })));
	expect(retried.json).toMatchObject([{ answer: 'Answer of two' }, { answer: 'Answer of two' }]);
});

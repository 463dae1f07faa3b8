import { randomUUID } from 'node:crypto';

import type { INode, INodeParameters } from 'n8n-workflow';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';

import { resources } from '../../../nodes/LegalAi/resources/index.ts';
import type { Sandbox } from '../../sandbox/sandbox.mts';
import { triggerWorkflow } from '../../../harness/callbacks.mts';
import { Editor } from '../../../harness/editor.mts';
import { bundledContract, credentialType } from '../../../harness/examples.mts';
import { submitForm } from '../../../harness/form.mts';
import type { N8nClient, StoredCredential, StoredWorkflow } from '../../../harness/n8nClient.mts';
import { AgentStage, counsel, toolNode } from '../agents.mts';
import { openService } from '../service.mts';
import { connectToSharedN8n } from '../sharedN8n.mts';
import { chain, legalAi, node } from '../../../harness/workflows.mts';

let n8n: N8nClient;
let sandbox: Sandbox;
let credential: StoredCredential;
let editor: Editor;
beforeAll(async () => {
	n8n = connectToSharedN8n(inject('n8n'));
	// The 30 seconds of a synchronous question are half a second here.
	({ sandbox, credential } = await openService(n8n, { timeScale: 60 }));
	editor = await Editor.open(n8n);
});
beforeEach(async () => {
	await sandbox.reset();
});
afterAll(async () => {
	await editor.close();
	await sandbox.close();
});

interface Asking {
	readonly workflow: StoredWorkflow;
	readonly ask: INode;
}

async function asking(parameters: INodeParameters = {}): Promise<Asking> {
	const question = { resource: 'question', operation: 'askAndWait', question: 'May we sign this NDA?', ...parameters };
	const ask = legalAi('Legal AI', credential, question);
	const start = node('Start', 'n8n-nodes-base.manualTrigger', {});
	return { workflow: await n8n.createWorkflow(chain('Asks', [start, ask])), ask };
}

/** Opens the node in an execution of it, and waits for what its output is to show. */
async function expectInOutput({ workflow, ask }: Asking, ...texts: readonly string[]): Promise<void> {
	const { id } = await n8n.waitForExecution(await n8n.run(workflow));
	await editor.openNode(workflow.id, ask.id, id);
	for (const text of texts) await editor.part('output-panel').getByText(text).first().waitFor();
}

describe('the panel of the Legal AI node', () => {
	test('shows the fields of asking and waiting', async () => {
		const { workflow, ask } = await asking();
		await editor.openNode(workflow.id, ask.id);
		const labels = editor.part('node-parameters').locator('[data-test-id="input-label"]:visible');
		await labels.getByText('Options', { exact: true }).waitFor();
		expect((await labels.allInnerTexts()).map((label) => label.split('\n')[0])).toEqual([
			'Resource',
			'Operation',
			'Assistant',
			'Question',
			'Attachments',
			'Playbook',
			'Template',
			'Additional Fields',
			'Options',
		]);
	});

	test('offers how to wait, and for how long, among the options', async () => {
		const { workflow, ask } = await asking({ options: { waitUsing: 'callback', maxWait: 30 } });
		await editor.openNode(workflow.id, ask.id);
		const labels = editor.part('node-parameters').locator('[data-test-id="input-label"]:visible');
		for (const label of ['Wait Using', 'Max Wait (Minutes)']) await labels.getByText(label, { exact: true }).waitFor();
		await editor.parameter('waitUsing').click();
		const offered = editor.part('parameter-input-item');
		await offered.getByText('Pause the execution until the service calls back').waitFor();
	});

	test('lists the assistants of the service, and filters them by what is typed', async () => {
		sandbox.organization.assistants.push({ id: 'litigation', name: 'Litigation', apiIntake: true, intake: null });
		const { workflow, ask } = await asking();
		await editor.openNode(workflow.id, ask.id);
		const assistant = editor.part('resource-locator-assistantId').locator('[data-test-id="rlc-input"]');
		await assistant.click();
		const listed = editor.part('rlc-item');
		await listed.getByText('Contract Intake').waitFor();
		expect(await listed.allInnerTexts()).toEqual(['General Assistant', 'Contract Intake', 'Litigation']);

		await editor.part('rlc-search').fill('liti');
		await listed.getByText('Contract Intake').waitFor({ state: 'hidden' });
		await listed.getByText('Litigation').click();
		expect(await assistant.inputValue()).toBe('Litigation');
	});

	test('takes the address of the workflow whose trigger gets the answer, as it is copied from the browser', async () => {
		const answering = await n8n.publish(triggerWorkflow(credential));
		const { workflow, ask } = await asking({ operation: 'ask', callbackTarget: 'workflow' });
		await editor.openNode(workflow.id, ask.id);
		await editor.parameter('callbackWorkflow').locator('input').fill(`${n8n.baseUrl}/workflow/${answering.id}`);
		await editor.part('node-execute-button').click();
		await editor.part('output-panel').getByText('in_progress').first().waitFor();
		expect(sandbox.questions).toMatchObject([{ callbackUrl: expect.stringContaining(`/legal-ai/${answering.id}`) as unknown }]);
		await n8n.deactivate(answering);
	});

	test('asks the general assistant where n8n has emptied the field because of another credential, and says so', async () => {
		const mistyped = await n8n.createCredential(credentialType, 'Mistyped', { baseUrl: sandbox.baseUrl, apiKey: 'sk-svc-api1-unknown' });
		sandbox.settings.answer = () => ({ status: 'completed', answer: 'Yes.', after: 0 });
		const { workflow, ask } = await asking({ options: { waitUsing: 'sync' } });
		await editor.openNode(workflow.id, ask.id);
		const assistant = editor.part('resource-locator-assistantId').locator('[data-test-id="rlc-input"]');
		const choose = async ({ id }: StoredCredential): Promise<void> => {
			await editor.part('node-credentials-select').click();
			await editor.part(`node-credentials-select-item-${id}`).click();
		};
		await assistant.click();
		await editor.part('rlc-item').getByText('Contract Intake').click();
		await choose(mistyped);
		await editor.page.waitForFunction((input) => input instanceof HTMLInputElement && input.value === '', await assistant.elementHandle());
		expect(await assistant.getAttribute('placeholder')).toBe('General Assistant');

		await choose(credential);
		await editor.part('node-execute-button').click();
		for (const text of ['completed', 'n8n emptied "Assistant"']) {
			await editor.part('output-panel').getByText(text).first().waitFor();
		}
		expect(sandbox.questions).toMatchObject([{ assistantId: 'default' }]);
	});

	test('offers the statuses of the tasks as a filter, several at once', async () => {
		const { workflow, ask } = await asking({ resource: 'task', operation: 'getAll', filters: { status: [] } });
		await editor.openNode(workflow.id, ask.id);
		await editor.parameter('status').locator('.el-select__input').click();
		const offered = editor.page.locator('.el-select-dropdown__item:visible');
		for (const status of ['open', 'in_progress']) await offered.getByText(status, { exact: true }).click();
		await editor.part('node-execute-button').click();
		await editor.part('output-panel').getByText('Review supplier NDA').first().waitFor();
		expect(sandbox.requests.at(-1)?.query).toMatchObject({ status: 'open,in_progress' });
	});

	test('sends nothing of the fields of a task that were added and left empty', async () => {
		const { workflow, ask } = await asking({ resource: 'task', operation: 'create', title: 'Review cloud terms' });
		await editor.openNode(workflow.id, ask.id);
		for (const field of ['Assigned Team', 'Matter', 'Status']) {
			await editor.part('collection-parameter-add').first().click();
			await editor.part('collection-parameter-option').getByText(field, { exact: true }).click();
		}
		await editor.part('node-execute-button').click();
		await editor.part('output-panel').getByText('Review cloud terms').first().waitFor();
		expect(sandbox.requests.at(-1)?.body).toEqual({ title: 'Review cloud terms' });
	});

	test('filters tasks by a team from its list, which names each team after one of its tasks', async () => {
		const { privacy } = sandbox.organization.teams;
		const { workflow, ask } = await asking({ resource: 'task', operation: 'getAll', filters: { teamId: { mode: 'list', value: '' } } });
		await editor.openNode(workflow.id, ask.id);
		await editor.part('resource-locator-teamId').locator('[data-test-id="rlc-input"]').click();
		await editor.part('rlc-item').getByText(`Answer data subject request (${privacy.slice(0, 8)}…)`).click();
		await editor.part('node-execute-button').click();
		await editor.part('output-panel').getByText('Answer data subject request').first().waitFor();
		expect(sandbox.requests.at(-1)?.query).toMatchObject({ team_id: privacy });
	});
});

test('the panel of the tool tells the model what the operation does, and asks nothing that no agent has a use for', async () => {
	const workflow = await n8n.createWorkflow(chain('Tool', [counsel(credential)]));
	await editor.openNode(workflow.id, workflow.nodes[0]?.id ?? '');
	const told = editor.parameter('toolDescription').locator('textarea');
	expect(await told.inputValue()).toBe(resources.question.operations.askAndWait.toolDescription);
	await editor.parameter('operation').click();
	await editor.part('parameter-input-item').getByText('Get', { exact: true }).click();
	await editor.page.waitForFunction(
		([input, words]) => input instanceof HTMLTextAreaElement && input.value === words,
		[await told.elementHandle(), resources.question.operations.get.toolDescription] as const,
	);
});

test('the step of a tool, executed alone, asks what the form says, and waits for the answer in the process', async () => {
	const stage = await AgentStage.open(n8n);
	try {
		stage.sandbox.settings.answer = ({ text }) => ({ status: 'completed', answer: `Answer to: ${text}`, after: 5_000 });
		const workflow = await n8n.createWorkflow(stage.workflow(node('Start', 'n8n-nodes-base.manualTrigger', {})));
		const tool = workflow.nodes.find(({ name }) => name === toolNode);
		await editor.openNode(workflow.id, tool?.id ?? '');
		await editor.part('node-execute-button').click();
		const form = editor.part('fromAiParameters-modal');
		await form.locator('input, textarea').first().fill('May we sign?');
		await form.locator('[data-test-id="execute-workflow-button"]').click();
		await editor.part('output-panel').getByText('Answer to: May we sign?').first().waitFor();
		expect(stage.sandbox.questions).toMatchObject([{ text: 'May we sign?', callbackUrl: undefined }]);
	} finally {
		await stage.close();
	}
});

test('the canvas shows what a node does in the words of its panel', async () => {
	const { workflow } = await asking();
	await editor.openWorkflow(workflow.id);
	await editor.part('canvas-node').getByText('Ask and Wait: Question').waitFor();
	const triggered = await n8n.createWorkflow(triggerWorkflow(credential));
	await editor.openWorkflow(triggered.id);
	await editor.part('canvas-node').getByText('Completed, Error, Filtered').waitFor();
});

test('a node after the Legal AI node is offered the fields of the answer before a first run', async () => {
	const start = node('Start', 'n8n-nodes-base.manualTrigger', {});
	const ask = legalAi('Legal AI', credential, { resource: 'question', operation: 'askAndWait', question: 'May we sign this NDA?' });
	const after = node('After', 'n8n-nodes-base.noOp', {});
	const workflow = await n8n.createWorkflow(chain('Fields', [start, ask, after]));
	await editor.openNode(workflow.id, after.id);
	const fields = editor.part('run-data-schema-item');
	for (const name of ['status', 'answer', 'session_url', 'timed_out']) await fields.getByText(name, { exact: true }).waitFor();
});

test('the panel of the trigger shows its address and how answers get there', async () => {
	const workflow = await n8n.createWorkflow(triggerWorkflow(credential));
	await editor.openNode(workflow.id, workflow.nodes[0]?.id ?? '');
	const panel = editor.part('node-parameters');
	await panel.getByText('set "Send Answer To" to "Legal AI Trigger in This Workflow"').waitFor();
	await panel.getByText('open the execution that its answer starts and click "Copy to editor"').waitFor();
	await panel.getByText('Webhook URLs').click();
	await panel.getByText('Production URL').click();
	await panel.getByText(`${n8n.baseUrl}/webhook/legal-ai/${workflow.id}`).waitFor();
});

test('the dialog of the credential tests it, and says what is wrong', async () => {
	const { workflow, ask } = await asking();
	await editor.openNode(workflow.id, ask.id);
	await editor.part('credential-edit-button').click();
	const dialog = editor.part('credential-edit-dialog');
	const baseUrl = editor.parameter('baseUrl').locator('input');
	await dialog.getByText('Connection tested successfully').waitFor();

	await baseUrl.fill('http://legal-ai.example.com/api/v1');
	await editor.part('credential-save-button').click();
	await dialog.getByText('More details').click();
	await dialog.getByText('Enter the address with https://').waitFor();

	await baseUrl.fill(`${sandbox.baseUrl}/`);
	await editor.part('credential-save-button').click();
	await dialog.getByText('Connection tested successfully').waitFor();
});

describe('an execution', () => {
	test('of a form says, once the answer is there, that its file was not sent with the question', async () => {
		sandbox.settings.answer = () => ({ status: 'completed', answer: 'Sign it.', after: Infinity });
		const form = node('Form', 'n8n-nodes-base.formTrigger', { formTitle: 'Contract', formFields: { values: [{ fieldLabel: 'Contract', fieldType: 'file' }] } }, {
			typeVersion: 2.2,
			webhookId: randomUUID(),
		});
		const ask = legalAi('Legal AI', credential, { resource: 'question', operation: 'askAndWait', question: 'Review this contract' });
		const workflow = await n8n.publish(chain('Form', [form, ask]));
		await submitForm(n8n.baseUrl, workflow, { Contract: [await bundledContract('mutual-nda.pdf')] });
		const { id } = await n8n.waitForNextExecution(workflow.id, [], ['waiting']);
		for (const question of sandbox.questions) await sandbox.complete(question.id);
		await n8n.waitForExecution(id);
		await editor.openNode(workflow.id, ask.id, id);
		await editor.part('output-panel').getByText('no attachment was added').waitFor();
	});

	test('shows what went wrong, and what to do', async () => {
		await expectInOutput(
			await asking({ question: 'x'.repeat(10_001) }),
			'"Question" has 10,001 characters, but the limit is 10,000',
			'send the long part as a file in "Attachments"',
		);
	});

	test('shows the hints of the node beside its output', async () => {
		sandbox.settings.answer = () => ({ status: 'completed', answer: null, after: Infinity });
		await expectInOutput(await asking({ options: { waitUsing: 'sync' } }), 'Use "Wait for Answer" to get it', 'timed_out');
	});
});

test('both nodes are found by what they are for, with what each can do', async () => {
	await editor.searchNodes('contract');
	const creator = editor.part('node-creator');
	await creator.getByText('Legal AI', { exact: true }).click();
	const event = creator.getByText('On question answered');
	await event.waitFor();
	await creator.getByText('Actions (16)').click();
	await creator.getByText('Review contract or ask legal question').waitFor();
	await event.click();
	const outcomes = editor.parameter('events');
	for (const outcome of ['Completed', 'Error', 'Filtered']) await outcomes.getByText(outcome, { exact: true }).waitFor();
});

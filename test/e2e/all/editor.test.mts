import type { INode, INodeParameters } from 'n8n-workflow';

import { triggerWorkflow } from '../../../harness/callbacks.mts';
import { credentialType } from '../../../harness/examples.mts';
import type { StoredCredential } from '../../../harness/n8nClient.mts';
import { byHand, chain, legalAi, node } from '../../../harness/workflows.mts';
import { agentWorkflow, counsel, toolNode } from '../../support/n8n/agents.mts';
import { type Stage, test } from '../../support/n8n/fixtures.mts';

// The 30 seconds of a synchronous question are half a second here.
test.override({ serviceOptions: { timeScale: 60 } });

const waitForStatus = { resource: 'task', operation: 'waitForStatus', statuses: ['approved'] };

/** Opens the panel of a node that has these parameters. */
async function open(
	{ n8n, editor, credential }: Pick<Stage, 'n8n' | 'editor' | 'credential'>,
	parameters: INodeParameters,
	...before: INode[]
) {
	const question = {
		resource: 'question',
		operation: 'askAndWait',
		question: 'May we sign this NDA?',
		...parameters,
	};
	const ask = legalAi('Legal AI', credential, question);
	const workflow = await n8n.createWorkflow(chain('Asks', [byHand, ...before, ask]));
	await editor.openNode(workflow.id, ask.id);
}

describe('the panel of the Legal AI node', () => {
	test.for<[what: string, parameters: INodeParameters, warning: string]>([
		['a file in the input that no attachment sends', {}, 'The input has a file'],
		[
			'a task that is the same in every execution',
			{ ...waitForStatus, taskId: { __rl: true, mode: 'list', value: 'task' } },
			'Every execution would wait for this one task',
		],
	])(
		'warns of %s before anything is sent',
		async ([, parameters, warning], { n8n, editor, credential }) => {
			const jsCode = `return { json: {}, binary: { data: { data: 'AAAA', mimeType: 'application/pdf', fileName: 'NDA.pdf' } } };`;
			await open(
				{ n8n, editor, credential },
				parameters,
				node('NDA', 'n8n-nodes-base.code', { jsCode }, { typeVersion: 2 }),
			);
			await editor.page.getByRole('button', { name: 'Execute previous nodes' }).click();
			expect(await editor.part('output-panel').getByText(warning).innerText()).toContain(warning);
		},
	);

	test('fetches the statuses of a new node without an error, as the editor does before a credential is chosen', async ({
		n8n,
	}) => {
		const options = await n8n.session.post('/dynamic-node-parameters/options', {
			nodeTypeAndVersion: { name: 'n8n-nodes-legal-ai.legalAi', version: 1.1 },
			path: 'parameters.statuses',
			methodName: 'getStatuses',
			currentNodeParameters: waitForStatus,
		});
		expect(options).toMatchObject([{ value: 'in_progress' }, { value: 'completed' }]);
	});

	test('asks the general assistant if n8n emptied the field because of another credential', async ({
		n8n,
		editor,
		service,
		credential,
	}) => {
		const mistyped = await n8n.createCredential(credentialType, 'Mistyped', {
			baseUrl: service.baseUrl,
			apiKey: 'sk-svc-api1-unknown',
		});
		service.settings.answer = () => ({ status: 'completed', answer: 'Yes.', after: 0 });
		await open({ n8n, editor, credential }, { options: { waitUsing: 'sync' } });
		const assistant = editor
			.part('resource-locator-assistantId')
			.locator('[data-test-id="rlc-input"]');
		const choose = async ({ id }: StoredCredential) => {
			await editor.part('node-credentials-select').click();
			await editor.part(`node-credentials-select-item-${id}`).click();
		};
		await assistant.click();
		await editor.part('rlc-item').getByText('Contract Intake').click();
		await choose(mistyped);
		await editor.page.waitForFunction(
			(input) => input instanceof HTMLInputElement && input.value === '',
			await assistant.elementHandle(),
		);
		expect(await assistant.getAttribute('placeholder')).toBe('General Assistant');

		await choose(credential);
		await editor.part('node-execute-button').click();
		await editor.part('output-panel').getByText('Yes.').first().waitFor();
		expect(service.questions).toMatchObject([{ assistantId: 'default' }]);
	});
});

test("a tool that is executed as a single step asks the form's question, and waits for the answer in the process", async ({
	n8n,
	editor,
	model,
	service,
	credential,
}) => {
	service.settings.answer = ({ text }) => ({
		status: 'completed',
		answer: `Answer to: ${text}`,
		after: 5_000,
	});
	const workflow = await n8n.createWorkflow(
		await agentWorkflow(n8n, model, byHand, counsel(credential)),
	);
	const tool = workflow.nodes.find(({ name }) => name === toolNode);
	await editor.openNode(workflow.id, tool?.id ?? '');
	await editor.part('node-execute-button').click();
	const form = editor.part('fromAiParameters-modal');
	await form.locator('input, textarea').first().fill('May we sign?');
	await form.locator('[data-test-id="execute-workflow-button"]').click();
	await editor.part('output-panel').getByText('Answer to: May we sign?').first().waitFor();
	expect(service.questions).toMatchObject([{ text: 'May we sign?', callbackUrl: undefined }]);
});

test('the panel of the trigger shows its address and how answers get there', async ({
	n8n,
	editor,
	credential,
}) => {
	const workflow = await n8n.createWorkflow(triggerWorkflow(credential));
	await editor.openNode(workflow.id, workflow.nodes[0]?.id ?? '');
	const panel = editor.part('node-parameters');
	await panel.getByText('set "Send Answer To" to "Legal AI Trigger in This Workflow"').waitFor();
	await panel.getByText('Webhook URLs').click();
	await panel.getByText('Production URL').click();
	const address = `${n8n.baseUrl}/webhook/legal-ai/${workflow.id}`;
	expect(await panel.getByText(address).innerText()).toContain(address);
});

import { hints } from '../../../nodes/LegalAi/messages/hints.ts';
import { completed, deliver, triggerUrl, triggerWorkflow } from '../../../harness/callbacks.mts';
import { bundledContract } from '../../../harness/examples.mts';
import { fileOf } from '../../../harness/form.mts';
import { itemsOf } from '../../../harness/executions.mts';
import { asList, asRecord } from '../../../harness/unknownJson.mts';
import { chain, legalAi, webhook } from '../../../harness/workflows.mts';
import { begin, runByHand } from '../../support/n8n/parkedQuestions.mts';
import { keyOf, serviceOfThisFile } from '../../support/n8n/service.mts';
import { startedWith, taskTriggerWorkflow } from '../../support/n8n/taskTriggers.mts';

// What users of n8n 1 are promised: the package loads there, and each way of working with it works.

const { n8n, sandbox, credential } = await serviceOfThisFile({ answerTime: [3_000, 3_000] });

/** Runs a node by hand, to its end. */
async function run(parameters: Parameters<typeof legalAi>[2]) {
	const execution = await runByHand(n8n, legalAi('Legal AI', credential, parameters));
	expect(execution).toMatchObject({ status: 'success', failure: undefined });
	return execution;
}

test('n8n lists the nodes, and tests the credential', async () => {
	const answer = await n8n.session.fetch('/types/nodes.json');
	const names = asList(await answer.json(), 'The nodes').map(
		(type) => asRecord(type, 'A node').name,
	);
	expect(names).toEqual(
		expect.arrayContaining([
			'n8n-nodes-legal-ai.legalAi',
			'n8n-nodes-legal-ai.legalAiTrigger',
			'n8n-nodes-legal-ai.legalAiTaskTrigger',
			'n8n-nodes-legal-ai.legalAiEmail',
		]),
	);
	expect(await n8n.testCredential(credential, keyOf(sandbox))).toMatchObject({ status: 'OK' });
});

test('a question is asked and its answer waited for in the process, with a hint that says so', async () => {
	const execution = await run({
		resource: 'question',
		operation: 'askAndWait',
		question: 'May we sign?',
	});
	expect(itemsOf(execution, 'Legal AI')).toMatchObject([
		{ json: { id: sandbox.questions[0]?.id, status: 'completed' } },
	]);
	expect(execution.runs['Legal AI']?.[0]?.hints).toMatchObject([{ message: hints.checkedHere }]);
	expect(sandbox.questions).toMatchObject([{ callbackUrl: undefined }]);
});

test('a signed callback starts a workflow, another one does not', async () => {
	const workflow = await n8n.publish(triggerWorkflow(credential));
	const payload = completed();
	expect(await deliver(triggerUrl(n8n, workflow), 'another secret', payload)).toMatchObject({
		status: 401,
	});
	expect(await deliver(triggerUrl(n8n, workflow), sandbox.webhookSecret, payload)).toMatchObject({
		status: 200,
	});
	const execution = await n8n.waitForNextExecution(workflow.id, []);
	expect(itemsOf(execution, 'Next').map(({ json }) => json)).toEqual([payload]);
	expect(await n8n.executions(workflow.id)).toHaveLength(1);
	await n8n.deactivate(workflow);
});

test('a file is sent, and fetched again', async () => {
	const contract = await bundledContract('mutual-nda.pdf');
	const { content } = contract;
	const form = new FormData();
	form.set('contract', fileOf(contract));
	const { url } = sandbox.files.attachment(sandbox.files.keepGenerated(contract));
	const upload = legalAi('Upload', credential, {
		resource: 'file',
		operation: 'upload',
		binaryPropertyName: 'contract',
	});
	const download = legalAi('Download', credential, {
		resource: 'file',
		operation: 'download',
		url: String(url),
	});
	const execution = await begin(
		n8n,
		'files',
		chain('Files', [webhook('files'), upload, download]),
		form,
	);
	expect([...sandbox.files.jobs.values()].map(({ upload: sent }) => sent?.content)).toEqual([
		content,
	]);
	const file = itemsOf(execution, 'Download')[0]?.binary?.data;
	expect(file && (await n8n.binary(file)).equals(content)).toBe(true);
});

test('a new task starts a workflow, once', async () => {
	const workflow = await n8n.publish(taskTriggerWorkflow(credential));
	sandbox.tasks.create({ title: 'First' });
	expect(await startedWith(n8n, workflow, 1)).toEqual(['First']);
	sandbox.tasks.create({ title: 'Second' });
	expect(await startedWith(n8n, workflow, 2)).toEqual(['First', 'Second']);
	await n8n.deactivate(workflow);
});

test('tasks are created and listed', async () => {
	const created = await run({ resource: 'task', operation: 'create', title: 'Review the NDA' });
	const listed = await run({
		resource: 'task',
		operation: 'getAll',
		filters: { query: 'Review the NDA' },
	});
	expect(itemsOf(listed, 'Legal AI').map(({ json }) => json.id)).toEqual(
		itemsOf(created, 'Legal AI').map(({ json }) => json.id),
	);
});

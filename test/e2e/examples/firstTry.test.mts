import { join } from 'node:path';

import {
	credentialType,
	exampleNames,
	readExample,
	readWorkflow,
} from '../../../harness/examples.mts';
import { finalStatuses } from '../../../harness/executions.mts';
import { projectFolder } from '../../../harness/installedPackage.mts';
import type {
	N8nClient,
	StoredCredential,
	WorkflowDefinition,
} from '../../../harness/n8nClient.mts';
import { until } from '../../../harness/polling.mts';
import { test as base } from '../../support/n8n/fixtures.mts';
import { toCredential } from '../../support/n8n/service.mts';

/** A credential for the service, which these tests share: they run at the same time, so none of them may reset it. */
const test = base.extend<{ credential: StoredCredential }>({
	credential: async ({ n8n, startedService }, use) => {
		await use(
			await n8n.createCredential(credentialType, 'Legal AI API', toCredential(startedService)),
		);
	},
});
test.override({ serviceOptions: { answerTime: [1500, 2500], requestsPerMinute: Infinity } });

const legalAi = 'n8n-nodes-legal-ai.legalAi';
/** Asks only once it is published, so that the answer can come back. */
const questionnaire = 'questionnaire.json';

/** What the Legal AI nodes of a workflow output, once its questions have, or it is over. */
async function execute(n8n: N8nClient, definition: WorkflowDefinition) {
	const workflow = await n8n.createWorkflow(definition);
	const nodes = workflow.nodes.filter(({ type }) => type === legalAi);
	const names = nodes.map(({ name }) => name);
	const questions = nodes
		.filter(({ parameters: { resource = 'question' } }) => resource === 'question')
		.map(({ name }) => name);
	const id = await n8n.run(workflow);
	return await until(
		`the questions of "${workflow.name}" to be over`,
		async () => {
			const { runs, status } = await n8n.execution(id);
			const output = Object.fromEntries(
				names.map((name) => [name, runs[name]?.[0]?.outputs.flat().map(({ json }) => json) ?? []]),
			);
			const isAnswered = questions.every((name) => output[name]?.length);
			const isOver = finalStatuses.includes(status) || (questions.length > 0 && isAnswered);
			return isOver ? { output: Object.values(output).flat(), isAnswered } : undefined;
		},
		{ timeout: 100_000 },
	);
}

const emails = join(projectFolder, 'docs', 'pictures', 'email.json');
type Read = (credential: StoredCredential) => Promise<WorkflowDefinition>;
const workflows: [name: string, read: Read][] = [
	...(await exampleNames())
		.filter((name) => name !== questionnaire)
		.map((name): [string, Read] => [name, (credential) => readExample(name, credential)]),
	["the README's workflow for emails", (credential) => readWorkflow(emails, credential)],
];

test.concurrent.for(workflows)(
	'*Execute workflow* shows what the Legal AI nodes do, from the file as it is and with their credential alone: %s',
	async ([, read], { n8n, credential }) => {
		const { output, isAnswered } = await execute(n8n, await read(credential));
		expect(output.filter((json) => !('error' in json))).not.toEqual([]);
		expect(isAnswered).toBe(true);
	},
);

test('*Execute workflow* of the questionnaire says that it asks once it is published', async ({
	n8n,
	credential,
}) => {
	const { output } = await execute(n8n, await readExample(questionnaire, credential));
	expect(output).toMatchObject([
		{ error: expect.stringContaining('so the question was not asked') as unknown },
	]);
});
